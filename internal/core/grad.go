package core

import (
	"slices"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

// Grad implements nx.Grad.
func Grad[P any](f func(P) Tensor) func(P) P {
	notNil("Grad", f == nil)
	return func(p P) P {
		_, _, g := differentiate("Grad", p, func(p P) (Tensor, struct{}) { return f(p), struct{}{} })
		return g
	}
}

// ValueAndGrad implements nx.ValueAndGrad.
func ValueAndGrad[P any](f func(P) Tensor) func(P) (Tensor, P) {
	notNil("ValueAndGrad", f == nil)
	return func(p P) (Tensor, P) {
		v, _, g := differentiate("ValueAndGrad", p, func(p P) (Tensor, struct{}) { return f(p), struct{}{} })
		return v, g
	}
}

// ValueAndGradAux implements nx.ValueAndGradAux.
func ValueAndGradAux[P, A any](f func(P) (Tensor, A)) func(P) (Tensor, A, P) {
	notNil("ValueAndGradAux", f == nil)
	return func(p P) (Tensor, A, P) { return differentiate("ValueAndGradAux", p, f) }
}

// differentiate traces f, transforms the graph, and applies it.
func differentiate[P, A any](op string, p P, f func(P) (Tensor, A)) (Tensor, A, P) {
	fn, _, aux := traceFunc(op, p, func(p P) (Tensor, A) {
		v, a := f(p)
		if s := v.must(op); !s.DType.IsFloat() {
			hint := "take the real part or the magnitude"
			if !s.DType.IsComplex() {
				hint = "cast it to a float type"
			}
			failOn(ErrGradient, op, []Tensor{v}, hint, "the value to differentiate must be a float, got %s", s)
		}
		return v, a
	})
	wrt := fn.floats()
	of := make([]bool, len(fn.outs))
	of[0] = true // the value
	m := fn.transform(op, func() (*stablehlo.Module, error) { return autodiff.VJP(fn.ctx, fn.module, "main", wrt, of) })
	s := fn.outs[0]
	ins := append(fn.operands(), constant(s.strong(), one))
	outs := append(slices.Clone(fn.outs), fn.typesOf(wrt)...)
	results := applyModule(op, m, ins, outs)
	n := len(fn.outs)
	return results[0], fill(op, aux, results[1:n]), fillFloats(op, p, results[n:])
}
