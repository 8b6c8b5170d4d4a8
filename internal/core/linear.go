package core

import (
	"slices"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

// JVP implements nx.JVP.
func JVP[P, R any](f func(P) R, p, dp P) (R, R) {
	return jvp("JVP", f, p, dp)
}

// jvp is [JVP] for a function of the name op.
func jvp[P, R any](op string, f func(P) R, p, dp P) (R, R) {
	notNil(op, f == nil)
	dirs := directions(op, "direction", p, dp)
	fn, r, _ := traceFunc(op, p, func(p P) (R, struct{}) { return f(p), struct{}{} })
	wrt := fn.floats()
	m := fn.transform(op, func() (*stablehlo.Module, error) { return autodiff.JVP(fn.ctx, fn.module, "main", wrt) })
	outs := append(slices.Clone(fn.outs), fn.derivatives()...)
	results := applyModule(op, m, append(fn.operands(), dirs...), outs)
	n := len(fn.outs)
	return fill(op, r, results), fillFloats(op, r, results[n:])
}

// VJP implements nx.VJP.
func VJP[P, R any](f func(P) R, p P) (R, func(R) P) {
	const op = "VJP"
	notNil(op, f == nil)
	fn, r, _ := traceFunc(op, p, func(p P) (R, struct{}) { return f(p), struct{}{} })
	wrt := fn.floats()
	l := fn.linear(op, func() (*autodiff.Linear, error) {
		return autodiff.Pullback(fn.ctx, fn.module, "main", wrt, nil)
	})
	results, kept := fn.forward(op, l)
	outs := fn.typesOf(wrt)
	r = fill(op, r, results)
	return r, func(cotangent R) P {
		cts := directions(op, "cotangent", r, cotangent)
		return fillFloats(op, p, applyModule(op, l.Map, append(slices.Clone(kept), cts...), outs))
	}
}

// Linearize implements nx.Linearize.
func Linearize[P, R any](f func(P) R, p P) (R, func(dp P) R) {
	const op = "Linearize"
	notNil(op, f == nil)
	fn, r, _ := traceFunc(op, p, func(p P) (R, struct{}) { return f(p), struct{}{} })
	wrt := fn.floats()
	l := fn.linear(op, func() (*autodiff.Linear, error) { return autodiff.Linearised(fn.ctx, fn.module, "main", wrt) })
	results, kept := fn.forward(op, l)
	outs := fn.derivatives()
	r = fill(op, r, results)
	return r, func(dp P) R {
		dirs := directions(op, "direction", p, dp)
		return fillFloats(op, r, applyModule(op, l.Map, append(slices.Clone(kept), dirs...), outs))
	}
}

// HVP implements nx.HVP.
func HVP[P any](f func(P) Tensor, p, v P) P {
	notNil("HVP", f == nil)
	_, hv := jvp("HVP", Grad(f), p, v)
	return hv
}

// forward applies the part of a derivative that computes the results, and returns
// those and what the other part needs.
func (fn *funcTrace) forward(op string, l *autodiff.Linear) (results, kept []Tensor) {
	outs := slices.Clone(fn.outs)
	main, _ := l.Forward.Func("main")
	for _, t := range main.Type().Outs[len(outs):] {
		outs = append(outs, specOf(t.(*stablehlo.TensorType)))
	}
	results = applyModule(op, l.Forward, fn.operands(), outs)
	for _, r := range l.Residuals {
		if r.IsResult {
			kept = append(kept, results[r.Index])
		} else {
			kept = append(kept, fn.ins[r.Index])
		}
	}
	return results[:len(fn.outs)], kept
}

// directions returns the tensors of a tangent or cotangent that belong to the
// floats of a container, zeros for absent ones.
func directions[P any](op, what string, p, given P) []Tensor {
	list := sameStructure(op, p, given)
	var out []Tensor
	i := -1
	eachLeaf(op, p, func(path string, t Tensor) {
		if i++; t.p == nil || !t.p.spec.hasDerivative() {
			return
		}
		s, d := t.p.spec, list[i]
		if d.p == nil {
			d = constant(s.strong(), zero)
		}
		if d.p.spec.weak && len(s.Shape) == len(d.p.spec.Shape) && promoted(s.strong(), d.p.spec) == s.DType {
			d = cast(d, s.DType)
		}
		if !sameType(d.p.spec, s) {
			if path != "the value" {
				what += " " + path
			}
			fail(ErrContainer, op, "it has the structure and the types of what it belongs to", "the %s is %s, not %s",
				what, d.p.spec, s)
		}
		out = append(out, d)
	})
	return out
}
