package core

import (
	"context"
	"errors"
	"slices"
	"strings"

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
			failOn(ErrGradient, op, []Tensor{v}, hint, "the value to differentiate is no float")
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

// sameType reports whether two specs are equal but for names.
func sameType(a, b *Spec) bool {
	return a.DType == b.DType && slices.Equal(a.Shape, b.Shape) && slices.Equal(a.Vectors, b.Vectors)
}

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

// funcTrace is a traced function of a container.
type funcTrace struct {
	ctx    context.Context
	module *stablehlo.Module
	ins    []Tensor // the tensors of the container, then the captured ones
	n      int      // how many belong to the container
	outs   []*Spec
	paths  func() []string // of the tensors of the container, nil where it is a tensor
}

// traceFunc traces f on the types of p, by which it is differentiated.
func traceFunc[P, R, A any](op string, p P, f func(P) (R, A)) (funcTrace, R, A) {
	requireFloats(op, p)
	t := newTrace(op, leaves(op, p)...)
	defer t.done.Store(true)
	fn := funcTrace{ctx: t.ctx, paths: func() (paths []string) {
		if _, alone := asTensor(p); alone {
			return nil
		}
		eachLeaf(op, p, func(path string, x Tensor) {
			if x.p != nil {
				paths = append(paths, path)
			}
		})
		return paths
	}}
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

// requireFloats refuses a container without a tensor to differentiate by.
func requireFloats(op string, p any) {
	var first Tensor
	where, has := "the argument", false
	eachLeaf(op, p, func(path string, t Tensor) {
		switch {
		case t.p == nil:
		case t.p.spec.hasDerivative():
			has = true
		case first.p == nil:
			first = t
			if _, alone := asTensor(p); !alone {
				where = path
			}
		}
	})
	switch {
	case has:
	case first.p == nil:
		fail(ErrGradient, op, "pass what to differentiate by as the argument", "there is no tensor to differentiate by")
	default:
		failOn(ErrGradient, op, []Tensor{first}, "cast it to a float type (nx.Cast)",
			"there is no tensor of floats to differentiate by: %s is none", where)
	}
}

func (fn *funcTrace) operands() []Tensor { return slices.Clone(fn.ins) }

// transform runs a transformation of the module and reports its error as the user's.
func (fn *funcTrace) transform(op string, f func() (*stablehlo.Module, error)) *stablehlo.Module {
	m, err := f()
	fn.refuse(op, err)
	return m
}

// linear runs a linearisation.
func (fn *funcTrace) linear(op string, f func() (*autodiff.Linear, error)) *autodiff.Linear {
	l, err := f()
	fn.refuse(op, err)
	return l
}

// refuse reports the error of a transformation as the user's: with the op at which it ended, and
// the tensors of the container that this one depends on.
func (fn *funcTrace) refuse(op string, err error) {
	if fn.ctx.Err() != nil && err != nil {
		failRun(op, nil, context.Cause(fn.ctx))
	}
	if err != nil {
		where := ""
		var at *autodiff.Error
		if errors.As(err, &at) {
			where = fn.dependence(at.Op)
			if loc, ok := at.Op.Loc.(*stablehlo.FileLoc); ok {
				where += "; the op is that of " + place(loc.File, loc.Line)
			}
		}
		e := newError(ErrGradient, op, nil, "", "%v%s", err, where)
		e.Err = err
		panic(e)
	}
}

// dependence names the tensors of the container with derivatives that op depends on.
func (fn *funcTrace) dependence(op *stablehlo.Op) string {
	paths := fn.paths()
	var by []string
	for _, i := range entryArguments(op) {
		if i < len(paths) && fn.ins[i].p.spec.hasDerivative() {
			by = append(by, paths[i])
		}
	}
	if len(by) == 0 {
		return ""
	}
	return "; it depends on " + strings.Join(by, ", ")
}

// entryArguments returns the places of the arguments of @main that op depends on, in order; what is
// computed with a loop or a branch depends on all that this reads.
func entryArguments(op *stablehlo.Op) (places []int) {
	seen := map[*stablehlo.Value]bool{}
	var visit func(op *stablehlo.Op)
	visit = func(op *stablehlo.Op) {
		for x := range op.Walk() {
			for _, v := range x.Operands {
				if seen[v] {
					continue
				}
				seen[v] = true
				from := v.Op()
				if from == nil {
					from = v.Block().Parent()
				}
				switch {
				case from == nil:
				case from.Code != stablehlo.OpFunc:
					visit(from)
				case from.Str("sym_name") == "main":
					places = append(places, v.Index())
				}
			}
		}
	}
	visit(op)
	slices.Sort(places)
	return places
}

// applyModule applies the function @main of a module as one op: its ops join
// the graph under construction, or it is compiled and run at once.
func applyModule(op string, m *stablehlo.Module, ins []Tensor, outs []*Spec) []Tensor {
	f, _ := m.Func("main")
	c := call{op: op, ins: ins, outs: outs, uses: []*stablehlo.Module{m},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value { return graft(e.B.Block(), f, in) }}
	if traceFor(ins) == nil {
		c.key = m.String() // the text is the identity
	}
	return apply(c)
}
