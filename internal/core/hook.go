package core

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/internal/userfunc"
	"github.com/go-nx/nx/stablehlo"
)

// Hook implements debug.Hook.
func Hook[P any](name string, p P, f func(P)) P { return hook("Hook", name, p, f) }

func hook[P any](op, name string, p P, f func(P)) P {
	list := presentTensors(leaves(op, p))
	vectors := unionOfVectors(op, operandsOf(list))
	t := traceOfCall(list)
	if t == nil {
		if f != nil {
			eachElement(op, list, vectors, func(each []Tensor) {
				err := userfunc.Call(background, "the hook "+name, func() error { f(fill(op, p, each)); return nil })
				if err != nil {
					failRun(op, list, err)
				}
			}, func() {})
		}
		return p
	}
	specs := specsOfElements(list)
	host := &stablehlo.HostFunc{Name: "the hook " + name}
	host.Call = func(ctx context.Context, ins, _ [][]byte) (err error) {
		g := f
		if h := ctx.Value(hookName(name)); h != nil {
			var ok bool
			if g, ok = h.(func(P)); !ok {
				return fmt.Errorf("%s is called with %s, and the context has a %T", host.Name, reflect.TypeFor[P](), h)
			}
		}
		if g != nil {
			err = userfunc.Call(ctx, host.Name, func() error {
				g(fill(op, p, received(op, specs, ins)))
				return nil
			})
		}
		return err
	}
	t.callEach(call{op: op, ins: list, emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		return e.host(host, in, nil, stablehlo.Named(autodiff.OnceAttr, stablehlo.UnitAttr{}),
			stablehlo.Named("has_side_effect", stablehlo.BoolAttr(true)))
	}}, vectors, specs)
	return p
}

// hookName is the key of a hook in a context.
type hookName string

// WithHook implements debug.WithHook.
func WithHook[P any](ctx context.Context, name string, f func(P)) context.Context {
	notNil("WithHook", f == nil)
	if ctx == nil {
		ctx = background
	}
	return context.WithValue(ctx, hookName(name), f)
}

// PrintValue implements debug.PrintValue.
func PrintValue[P any](name string, p P) P {
	return hook("PrintValue", name, p, func(p P) {
		for path, t := range Leaves(p) {
			at := name
			if path != "the value" {
				at += "." + path
			}
			fmt.Fprintf(os.Stdout, "%s: %v\n", at, t)
		}
	})
}

// RuntimeCall implements nx.RuntimeCall.
func RuntimeCall[P, R any](p P, like R, f func(P) (R, error)) R {
	const op = "RuntimeCall"
	notNil(op, f == nil)
	list := presentTensors(leaves(op, p))
	want := leafList(op, "result", like)
	outs := make([]*Spec, 0, len(want))
	vectors := unionOfVectors(op, operandsOf(list))
	for _, t := range tensorsOf(want) {
		requireVectorsOf(op, t, vectors)
		outs = append(outs, t.p.spec.strong().withoutVectors())
	}
	host := &stablehlo.HostFunc{Name: baseName(reflect.ValueOf(f))}
	named := funcNamed(reflect.ValueOf(f))
	t := traceOfCall(list)
	if t == nil {
		results := make([][]Tensor, len(outs)) // of each element
		r := like
		eachElement(op, list, vectors, func(each []Tensor) {
			err := userfunc.Call(background, named, func() (err error) {
				if r, err = f(fill(op, p, each)); err != nil {
					return fmt.Errorf("%s failed: %w", named, err)
				}
				for i, t := range tensorsLike(op, host.Name, want, outs, vectors, r) {
					results[i] = append(results[i], t)
				}
				return nil
			})
			if err != nil {
				failRun(op, list, err)
			}
		}, func() {
			for i, s := range outs {
				results[i] = append(results[i], constant(s, zero))
			}
		})
		if vectors == nil {
			return r
		}
		return fill(op, like, joinElements(op, vectors, outs, results))
	}
	specs := specsOfElements(list)
	host.Call = func(ctx context.Context, ins, memory [][]byte) error {
		return userfunc.Call(ctx, named, func() error {
			r, err := f(fill(op, p, received(op, specs, ins)))
			if err != nil {
				return fmt.Errorf("%s failed: %w", named, err)
			}
			for i, t := range tensorsLike(op, host.Name, want, outs, vectors, r) {
				lend(op, t, func(data []byte) { copy(memory[i], data) })
			}
			return nil
		})
	}
	results := t.callEach(call{op: op, ins: list, outs: slices.Clone(outs),
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value { return e.host(host, in, outs) },
	}, vectors, specs)
	return fill(op, like, results)
}

// tensorsLike returns the tensors of what a Go function returned, which must have
// the types that were declared.
func tensorsLike[R any](op, name string, want []leaf, outs []*Spec, vectors []VectorAxis, r R) []Tensor {
	got := leafList(op, "result", r)
	requireSameStructure(op, want, got, "declared", "returned by "+name)
	list := tensorsIn(got)
	for i, l := range list {
		if s := l.tensor.p.spec; !sameType(s, outs[i]) {
			fail(ErrState, op, resultHint(s, outs[i], vectors), "%s is declared as %s, %s returned %s", l.path, outs[i],
				name, s)
		}
	}
	return tensorsOf(got)
}

// resultHint says what to do about a result of another type than the declared one, of a function that is called for
// each element of vectorised axes, if there are any.
func resultHint(got, declared *Spec, vectors []VectorAxis) string {
	switch {
	case got.Vectors != nil:
		return "compute with the argument of the function, which is called once for each element of the vectorised axes, " +
			"not with a vectorised tensor from outside of it"
	case slices.Equal(got.Shape, declared.Shape):
		return "cast it (nx.Cast)"
	case vectors != nil:
		return fmt.Sprintf("the function is called once for each element of the vectorised axes: return the result for one, "+
			"or declare %s as that", got)
	}
	return fmt.Sprintf("declare %s, or reshape the result (nx.Reshape)", got)
}

// received returns tensors of the elements of operands.
func received(op string, specs []*Spec, ins [][]byte) []Tensor {
	h := local()
	out := make([]Tensor, len(ins))
	for i, data := range ins {
		out[i] = newBuffer(h, specs[i].strong(), h.upload(op, specs[i], data))
	}
	return out
}

// host appends a call of a Go function.
func (e *emitter) host(f *stablehlo.HostFunc, in []*stablehlo.Value, outs []*Spec,
	attrs ...stablehlo.NamedAttr) []*stablehlo.Value {
	op := stablehlo.NewOp(stablehlo.OpCustomCall, in, typesOf(outs))
	op.SetAttr("call_target_name", stablehlo.StringAttr(stablehlo.HostTarget))
	op.SetAttr(stablehlo.HostTarget, stablehlo.HostAttr{HostFunc: f})
	for _, a := range attrs {
		op.SetAttr(a.Name, a.Value)
	}
	op.Loc = e.B.Loc
	return e.B.Block().Append(op).Results
}
