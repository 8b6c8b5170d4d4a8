package nx

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

// Grad returns the gradient of f: a function that returns, for each tensor of
// a container, the derivative of f's result with respect to it. A result of
// more than one element is summed. Integer tensors have absent gradients.
//
//	dw := nx.Grad(func(w nx.Tensor) nx.Tensor { return nx.Sum(nx.Mul(w, w)) })(w)
func Grad[P any](f func(P) Tensor) func(P) P {
	return func(p P) P {
		_, _, g := differentiate("Grad", p, func(p P) (Tensor, struct{}) { return f(p), struct{}{} })
		return g
	}
}

// ValueAndGrad returns f together with its gradient: see [Grad].
func ValueAndGrad[P any](f func(P) Tensor) func(P) (Tensor, P) {
	return func(p P) (Tensor, P) {
		v, _, g := differentiate("ValueAndGrad", p, func(p P) (Tensor, struct{}) { return f(p), struct{}{} })
		return v, g
	}
}

// ValueAndGradAux is [ValueAndGrad] of a function that returns something
// beside the value to be differentiated.
func ValueAndGradAux[P, A any](f func(P) (Tensor, A)) func(P) (Tensor, A, P) {
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
	ins := append(fn.operands(), full(op, s.Shape, number{kind: dtype.KindSigned, i: 1}, s.DType, nil))
	outs := append([]*Spec(nil), fn.outs...)
	for i, w := range wrt {
		if w {
			outs = append(outs, fn.ins[i].p.spec)
		}
	}
	results := applyModule(op, m, ins, outs)
	next := func() Tensor { r := results[0]; results = results[1:]; return r }
	value := next()
	aux = replace(aux, func(old Tensor) Tensor {
		if old.p == nil {
			return old
		}
		return next()
	})
	i := -1
	grads := replace(p, func(old Tensor) Tensor {
		if old.p == nil {
			return old
		}
		if i++; !wrt[i] {
			return Tensor{}
		}
		return next()
	})
	return value, aux, grads
}

// JVP returns f(p) and its derivative in the direction dp.
func JVP[P, R any](f func(P) R, p, dp P) (R, R) {
	fn, r, _ := traceFunc("JVP", p, func(p P) (R, struct{}) { return f(p), struct{}{} })
	wrt := fn.floats()
	m := fn.transform("JVP", func() (*stablehlo.Module, error) { return autodiff.JVP(fn.module, "main", wrt) })
	ins := fn.operands()
	i := -1
	dirs := leaves("JVP", dp)
	for j, t := range leaves("JVP", p) {
		if t.p == nil {
			continue
		}
		if i++; !wrt[i] {
			continue
		}
		if j >= len(dirs) || dirs[j].p == nil || !dirs[j].p.spec.Equal(*t.p.spec) {
			failOn(ErrContainer, "JVP", []Tensor{t}, "the direction has the structure and the types of the point", "the direction does not fit the point")
		}
		ins = append(ins, dirs[j])
	}
	outs := append([]*Spec(nil), fn.outs...)
	for _, s := range fn.outs {
		if s.DType.IsFloat() || s.DType.IsComplex() {
			outs = append(outs, s)
		}
	}
	results := applyModule("JVP", m, ins, outs)
	k, d := 0, len(fn.outs)
	tangent := replace(r, func(old Tensor) Tensor {
		if old.p == nil {
			return old
		}
		s := old.p.spec
		if !s.DType.IsFloat() && !s.DType.IsComplex() {
			return Tensor{}
		}
		d++
		return results[d-1]
	})
	r = replace(r, func(old Tensor) Tensor {
		if old.p == nil {
			return old
		}
		k++
		return results[k-1]
	})
	return r, tangent
}

// VJP returns f(p) and the function that pulls a cotangent of f's result back
// to one of p.
func VJP[P, R any](f func(P) R, p P) (R, func(R) P) {
	r := f(p)
	return r, func(cotangent R) P {
		g := func(p P) Tensor {
			total := scalarTensor(F32, number{kind: dtype.KindSigned})
			out := leaves("VJP", f(p))
			for i, c := range leaves("VJP", cotangent) {
				if c.p != nil && out[i].p != nil && out[i].p.spec.DType.IsFloat() {
					total = Add(total, Sum(Mul(out[i], StopGradient(c))))
				}
			}
			return total
		}
		return Grad(g)(p)
	}
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
	defer func() { t.done = true }()
	var fn funcTrace
	traced := replace(p, func(old Tensor) Tensor {
		if old.p == nil {
			return old
		}
		fn.ins = append(fn.ins, old)
		return t.arg(old.p.spec)
	})
	fn.n = len(fn.ins)
	r, a := f(traced)
	var values []*stablehlo.Value
	for _, c := range []any{r, a} {
		eachLeaf(op, c, func(_ string, x Tensor) {
			if x.p != nil {
				values = append(values, t.value(op, x))
				fn.outs = append(fn.outs, x.p.spec)
			}
		})
	}
	t.finish(values)
	fn.ins = append(fn.ins, t.fn.captured...)
	fn.module = t.fn.module
	return fn, r, a
}

// floats reports which arguments are floats of the container, those with a derivative.
func (fn *funcTrace) floats() []bool {
	wrt := make([]bool, len(fn.ins))
	for i, t := range fn.ins[:fn.n] {
		wrt[i] = t.p.spec.DType.IsFloat() || t.p.spec.DType.IsComplex()
	}
	return wrt
}

func (fn *funcTrace) operands() []Tensor { return append([]Tensor(nil), fn.ins...) }

// transform runs a transformation of the module and reports its error as the user's.
func (fn *funcTrace) transform(op string, f func() (*stablehlo.Module, error)) *stablehlo.Module {
	m, err := f()
	if err != nil {
		e := newError(ErrGradient, op, nil, "", "%v", err)
		e.Err = err
		panic(e)
	}
	return m
}

// applyModule applies the function @main of a module as one op: its ops join
// the graph under construction, or it is compiled and run at once.
func applyModule(op string, m *stablehlo.Module, ins []Tensor, outs []*Spec) []Tensor {
	f, _ := m.Func("main")
	c := call{op: op, ins: ins, outs: outs,
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			values := map[*stablehlo.Value]*stablehlo.Value{}
			copied := f.Op.Clone(values)
			body := copied.Regions[0].Block()
			args := map[*stablehlo.Value]*stablehlo.Value{}
			for i, a := range body.Args {
				args[a] = in[i]
			}
			copied.Replace(args)
			for _, o := range body.Ops[:len(body.Ops)-1] {
				e.block.Append(o)
			}
			return body.Terminator().Operands
		}}
	if innermost(ins) == nil {
		c.key = m.String() // the text is the identity
	}
	return apply(c)
}
