package kernels

import "github.com/go-nx/nx/internal/cpu/rt"

// Repeated is a product that is computed again and again with the same right operand, as in the
// steps of a recurrent network: workers keep its packed columns from one time to the next. The
// results are those of [MatMul].
type Repeated[T accumulator] struct {
	g     product[T]
	begun bool
}

// Run computes C = A·B. B has the same elements each time; sizes, strides and the environment stay
// as well.
func (r *Repeated[T]) Run(env *rt.Env, c, a, b Matrix[T]) error {
	g := &r.g
	if stepOf[T](env) == (goStep[T]{}) && multiplySmall(c, a, b) {
		return nil
	}
	g.multiply(c, a, b)
	if g.runThin(env) || g.batch == 0 || g.m == 0 || g.n == 0 {
		return nil
	}
	if !r.begun {
		g.repeats = true
		g.plan(env)
		if err := g.prepare(env); err != nil {
			return err
		}
		r.begun = true
	}
	g.runChunks(env)
	return nil
}

// End gives back the memory; what is packed is forgotten.
func (r *Repeated[T]) End() {
	if r.begun {
		r.g.env.FreeRoom(r.g.room)
	}
	r.g.clear()
	r.begun = false
}
