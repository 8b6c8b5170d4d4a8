package gemm

import "github.com/go-nx/nx/internal/cpu/rt"

// MatMulBF16 is [MatMul] of bf16, summed as float32s by the environment's BF16 step, which must not be nil. Products of
// bf16 are exact as float32s, so that only the order of the sum matters, which is that of MatMul. Results differ only
// where the step flushes subnormal numbers to 0.
func MatMulBF16(env *rt.Env, c, a, b Matrix[byte], forC Conversion) error {
	g := newProduct[float32]()
	defer g.release()
	step := env.Gemm.BF16
	g.step, g.depth = step, BlockK/2
	g.setSize(typedMatrix[float32](c, forC), rt.CeilDiv(a.Cols.Size(), 2))
	g.parts.dot2A = newGrouped[uint16](step, rt.View[uint16](a.Data), a.Offset, a.Batch, a.Rows, a.Cols)
	g.parts.dot2B = newGrouped[uint16](step, rt.View[uint16](b.Data), b.Offset, b.Batch, b.Cols, b.Rows)
	g.a, g.b = &g.parts.dot2A, &g.parts.dot2B
	g.setConvertingEpilogue(env, c, forC)
	return g.run(env)
}
