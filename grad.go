package nx

import (
	"errors"
	"slices"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

// Grad returns the gradient of f: a function that returns, for each tensor of
// a container, the derivative of f's result with respect to it. A result of
// more than one element is summed. Integer tensors have absent gradients.
//
//	dw := nx.Grad(func(w nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(w, w)) })(w)
func Grad[P any](f func(P) Tensor) func(P) P {
	notNil("Grad", f == nil)
	return func(p P) P {
		_, _, g := differentiate("Grad", p, func(p P) (Tensor, struct{}) { return f(p), struct{}{} })
		return g
	}
}

// ValueAndGrad returns f together with its gradient: see [Grad].
func ValueAndGrad[P any](f func(P) Tensor) func(P) (Tensor, P) {
	notNil("ValueAndGrad", f == nil)
	return func(p P) (Tensor, P) {
		v, _, g := differentiate("ValueAndGrad", p, func(p P) (Tensor, struct{}) { return f(p), struct{}{} })
		return v, g
	}
}

// ValueAndGradAux is [ValueAndGrad] of a function that returns something
// beside the value to be differentiated.
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
			failOn(ErrGradient, op, []Tensor{v}, hint, "the value to differentiate is no float")
		}
		return v, a
	})
	wrt := fn.floats()
	of := make([]bool, len(fn.outs))
	of[0] = true // the value
	m := fn.transform(op, func() (*stablehlo.Module, error) { return autodiff.VJP(fn.module, "main", wrt, of) })
	s := fn.outs[0]
	ins := append(fn.operands(), full(op, s.Shape, one, s.DType, nil))
	outs := slices.Clone(fn.outs)
	for i, w := range wrt {
		if w {
			outs = append(outs, fn.ins[i].p.spec)
		}
	}
	results := applyModule(op, m, ins, outs)
	n := len(fn.outs)
	return results[0], fill(op, aux, results[1:n]), gradients(op, p, wrt, results[n:])
}

// JVP returns f(p) and its derivative in the direction dp.
func JVP[P, R any](f func(P) R, p, dp P) (R, R) {
	notNil("JVP", f == nil)
	dirs := sameStructure("JVP", p, dp)
	fn, r, _ := traceFunc("JVP", p, func(p P) (R, struct{}) { return f(p), struct{}{} })
	wrt := fn.floats()
	m := fn.transform("JVP", func() (*stablehlo.Module, error) { return autodiff.JVP(fn.module, "main", wrt) })
	ins := fn.operands()
	i := -1
	for j, t := range leaves("JVP", p) {
		if t.p == nil {
			continue
		}
		if i++; !wrt[i] {
			continue
		}
		if dirs[j].p == nil || !sameType(dirs[j].p.spec, t.p.spec) {
			failOn(ErrContainer, "JVP", []Tensor{t}, "the direction has the structure and the types of the point", "the direction does not fit the point")
		}
		ins = append(ins, dirs[j])
	}
	outs := slices.Clone(fn.outs)
	for _, s := range fn.outs {
		if s.hasDerivative() {
			outs = append(outs, s)
		}
	}
	results := applyModule("JVP", m, ins, outs)
	d := len(fn.outs)
	tangent := replace("JVP", r, func(old Tensor) Tensor {
		if old.p == nil || !old.p.spec.hasDerivative() {
			return Tensor{}
		}
		d++
		return results[d-1]
	})
	return fill("JVP", r, results), tangent
}

// VJP returns f(p) and the function that pulls a cotangent of f's result back
// to one of p. A cotangent has the structure and the types of the result; an
// absent tensor in it stands for zeros. The function runs f's graph again.
func VJP[P, R any](f func(P) R, p P) (R, func(R) P) {
	notNil("VJP", f == nil)
	fn, r, _ := traceFunc("VJP", p, func(p P) (R, struct{}) { return f(p), struct{}{} })
	r = fill("VJP", r, applyModule("VJP", fn.module, fn.ins, fn.outs))
	wrt := fn.floats()
	of := make([]bool, len(fn.outs))
	for i, s := range fn.outs {
		of[i] = s.hasDerivative()
	}
	return r, func(cotangent R) P {
		m := fn.transform("VJP", func() (*stablehlo.Module, error) { return autodiff.VJP(fn.module, "main", wrt, of) })
		outs := slices.Clone(fn.outs)
		for i, w := range wrt {
			if w {
				outs = append(outs, fn.ins[i].p.spec)
			}
		}
		ins := append(fn.operands(), cotangents(r, cotangent)...)
		return gradients("VJP", p, wrt, applyModule("VJP", m, ins, outs)[len(fn.outs):])
	}
}

// cotangents returns the tensors of a cotangent that belong to floats of a result.
func cotangents[R any](result, cotangent R) []Tensor {
	given := sameStructure("VJP", result, cotangent)
	var out []Tensor
	for i, t := range leaves("VJP", result) {
		if t.p == nil || !t.p.spec.hasDerivative() {
			continue
		}
		s, c := t.p.spec, given[i]
		if c.p == nil {
			c = full("VJP", s.Shape, zero, s.DType, nil)
		}
		if !sameType(c.p.spec, s) {
			failOn(ErrContainer, "VJP", []Tensor{c}, "the cotangent has the structure and the types of the result", "a tensor of the cotangent does not fit the result's %s", s)
		}
		out = append(out, c)
	}
	return out
}

// sameType reports whether two specs are equal but for names.
func sameType(a, b *Spec) bool { return a.DType == b.DType && slices.Equal(a.Shape, b.Shape) }

// hasDerivative reports whether the elements are floats or complex.
func (s *Spec) hasDerivative() bool { return s.DType.IsFloat() || s.DType.IsComplex() }

// fill returns a container with other tensors, in order, for those present.
func fill[P any](op string, p P, with []Tensor) P {
	return replace(op, p, func(old Tensor) Tensor {
		if old.p == nil {
			return old
		}
		t := with[0]
		with = with[1:]
		return t
	})
}

// gradients returns a container like p of gradients, those with respect to the
// present tensors for which wrt holds; the others are absent.
func gradients[P any](op string, p P, wrt []bool, grads []Tensor) P {
	i := -1
	return replace(op, p, func(old Tensor) Tensor {
		if old.p == nil {
			return old
		}
		if i++; !wrt[i] {
			return Tensor{}
		}
		t := grads[0]
		grads = grads[1:]
		return t
	})
}

// funcTrace is a traced function of a container.
type funcTrace struct {
	module *stablehlo.Module
	ins    []Tensor // the tensors of the container, then the captured ones
	n      int      // how many belong to the container
	outs   []*Spec
}

// traceFunc traces f on the types of p.
func traceFunc[P, R, A any](op string, p P, f func(P) (R, A)) (funcTrace, R, A) {
	t := newTrace(op)
	defer t.done.Store(true)
	var fn funcTrace
	traced := replace(op, p, func(old Tensor) Tensor {
		if old.p == nil {
			return old
		}
		fn.ins = append(fn.ins, old)
		return t.arg(old.p.spec)
	})
	fn.n = len(fn.ins)
	r, a := f(traced)
	var results []Tensor
	for _, c := range []any{r, a} {
		eachLeaf(op, c, func(_ string, x Tensor) {
			if x.p != nil {
				results = append(results, x)
				fn.outs = append(fn.outs, x.p.spec)
			}
		})
	}
	t.finish(t.values(op, results))
	fn.ins = append(fn.ins, t.fn.captured...)
	fn.module = t.fn.module
	return fn, r, a
}

// floats reports which arguments are floats of the container, those with a derivative.
func (fn *funcTrace) floats() []bool {
	wrt := make([]bool, len(fn.ins))
	for i, t := range fn.ins[:fn.n] {
		wrt[i] = t.p.spec.hasDerivative()
	}
	return wrt
}

func (fn *funcTrace) operands() []Tensor { return slices.Clone(fn.ins) }

// transform runs a transformation of the module and reports its error as the user's.
func (fn *funcTrace) transform(op string, f func() (*stablehlo.Module, error)) *stablehlo.Module {
	m, err := f()
	if err != nil {
		where := ""
		var at *autodiff.Error
		if errors.As(err, &at) {
			if loc, ok := at.Op.Loc.(*stablehlo.FileLoc); ok {
				where = "; the op is that of " + place(loc.File, loc.Line)
			}
		}
		e := newError(ErrGradient, op, nil, "", "%v%s", err, where)
		e.Err = err
		panic(e)
	}
	return m
}

// applyModule applies the function @main of a module as one op: its ops join
// the graph under construction, or it is compiled and run at once.
func applyModule(op string, m *stablehlo.Module, ins []Tensor, outs []*Spec) []Tensor {
	f, _ := m.Func("main")
	c := call{op: op, ins: ins, outs: outs, uses: []*stablehlo.Module{m},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value { return graft(e.block, f, in) }}
	if traceFor(ins) == nil {
		c.key = m.String() // the text is the identity
	}
	return apply(c)
}
