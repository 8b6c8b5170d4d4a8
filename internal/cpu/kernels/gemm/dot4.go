package gemm

import "github.com/go-nx/nx/internal/cpu/rt"

// MatMulInt8 is [MatMul] of 8-bit integers, summed modulo 2^32 by a dot4 step. The conversion, if any, is from int32.
func MatMulInt8(env *rt.Env, step rt.Dot4Step, c, a, b Matrix[byte], forC Conversion) error {
	g := newProduct[float32]()
	defer g.release()
	g.step, g.depth = step, BlockK/4
	g.setSize(typedMatrix[float32](c, forC), rt.CeilDiv(a.Cols.Size(), 4))
	g.parts.dot4A = newGrouped[uint8](step, a.Data, a.Offset, a.Batch, a.Rows, a.Cols)
	g.parts.dot4B = newGrouped[uint8](step, b.Data, b.Offset, b.Batch, b.Cols, b.Rows)
	g.a, g.b = &g.parts.dot4A, &g.parts.dot4B
	g.setConvertingEpilogue(env, c, forC)
	return g.run(env)
}

// MatMulInt32 is [MatMul] of 32-bit integers, which are moved as float32s, by a step for them.
func MatMulInt32(env *rt.Env, step rt.BlockStep[float32], c, a, b Matrix[float32]) error {
	g := newProduct[float32]()
	defer g.release()
	g.step = step
	g.setOperands(c, a, b)
	return g.run(env)
}
