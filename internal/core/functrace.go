package core

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

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
	t.names = func() (names []string) {
		for _, path := range fn.paths() {
			names = append(names, inArgument(path))
		}
		return names
	}
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
		eachLeaf(op, c, func(path string, x Tensor) {
			refuseLeak(op, path+" of the result", x)
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
	requirePresent(op, p)
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
		fail(ErrGradient, op, "pass what to differentiate by as the argument",
			"the argument must hold a tensor to differentiate by")
	default:
		failOn(ErrGradient, op, []Tensor{first}, "cast it to a float type (nx.Cast)",
			"the argument must hold a tensor of floats to differentiate by; %s is %s", where, first.p.spec)
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
			if loc := stablehlo.FileOf(at.Op.Loc); loc != nil {
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

// entryArguments returns the indices of the arguments of @main that op depends on, in order; a
// result of a loop or a branch depends on all operands of it.
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

// derivatives returns the types of the results that have derivatives.
func (fn *funcTrace) derivatives() []*Spec {
	return slices.DeleteFunc(slices.Clone(fn.outs), func(s *Spec) bool { return !s.hasDerivative() })
}

// typesOf returns the types of some arguments.
func (fn *funcTrace) typesOf(wrt []bool) []*Spec {
	var out []*Spec
	for i, w := range wrt {
		if w {
			out = append(out, fn.ins[i].p.spec)
		}
	}
	return out
}

// fillFloats returns a container with other tensors, in order, for those with a
// derivative; the others are absent.
func fillFloats[P any](op string, p P, with []Tensor) P {
	return replace(op, p, func(old Tensor) Tensor {
		if old.p == nil || !old.p.spec.hasDerivative() {
			return Tensor{}
		}
		t := with[0]
		with = with[1:]
		return t
	})
}
