package gemm

import "github.com/go-nx/nx/internal/cpu/rt"

// PrepackedMatMul is a product that is computed repeatedly with the same right operand, as in the steps of a recurrent
// network: workers keep its packed columns. The results are those of [MatMul].
type PrepackedMatMul[T Accumulator] struct {
	g        product[T]
	prepared bool
}

// Run computes C = A·B. B, all sizes and strides, and the environment must be the same each time.
func (r *PrepackedMatMul[T]) Run(env *rt.Env, c, a, b Matrix[T]) error {
	g := &r.g
	if StepOf[T](env) == (goStep[T]{}) && multiplyUnblocked(c, a, b) {
		return nil
	}
	g.setOperands(c, a, b)
	if g.runGemv(env) || g.batch == 0 || g.m == 0 || g.n == 0 {
		return nil
	}
	if !r.prepared {
		g.prepacked = true
		g.plan(env)
		if err := g.prepare(env); err != nil {
			return err
		}
		r.prepared = true
	}
	g.runChunks(env)
	return nil
}

// End frees the memory and the packed columns.
func (r *PrepackedMatMul[T]) End() {
	if r.prepared {
		r.g.env.FreeWorkerScratch(r.g.scratch)
	}
	r.g.clear()
	r.prepared = false
}
