package core

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

// body is a traced branch or step of control flow: a function of its own whose
// arguments are the declared ones, then the captured ones.
type body struct {
	op  string
	tr  *trace
	out []Tensor // the results, until finish
}

// traceBody traces f, which runs many times, on arguments of the given types, and names, if they have any.
func traceBody(op string, args []*Spec, names []string, f func(args []Tensor) []Tensor) *body {
	tr := newTrace(op)
	tr.runsAgain = true
	if names != nil {
		tr.names = func() []string { return names }
	}
	return traceBodyIn(tr, args, f)
}

// traceBranch traces f, which runs at most once.
func traceBranch(op string, f func() []Tensor) *body {
	return traceBodyIn(newTrace(op), nil, func([]Tensor) []Tensor { return f() })
}

// traceBodyIn traces f as a trace that begins.
func traceBodyIn(tr *trace, args []*Spec, f func(args []Tensor) []Tensor) *body {
	b := &body{op: tr.what, tr: tr}
	in := make([]Tensor, len(args))
	for i, s := range args {
		in[i] = b.tr.arg(s)
	}
	b.within(func() { b.out = f(in) })
	return b
}

// within runs f as a part of the body. When f panics the body is over.
func (b *body) within(f func()) {
	done := false
	defer stage(b.tr, true)()
	defer func() {
		if !done {
			b.tr.done.Store(true)
		}
	}()
	f()
	done = true
}

// finish ends the body, its results cast to the element types of specs.
func (b *body) finish(specs []*Spec) {
	b.within(func() {
		for i, s := range specs {
			if b.out[i].p.spec.DType != s.DType {
				b.out[i] = cast(b.out[i], s.DType)
			}
		}
	})
	b.tr.finish(b.tr.values(b.op, b.out))
}

// abandon ends a body that is not used.
func (b *body) abandon() { b.tr.done.Store(true) }

// specs returns the types of the results.
func (b *body) specs() []*Spec { return specsOf(b.out) }

func specsOf(ts []Tensor) []*Spec {
	out := make([]*Spec, len(ts))
	for i, t := range ts {
		out[i] = t.p.spec
	}
	return out
}

func (b *body) captured() []Tensor { return b.tr.fn.captured }

// graft appends a copy of the body to a block and returns its results; args
// stand for the declared arguments, captured for the others.
func (b *body) graft(to *stablehlo.Block, args, captured []*stablehlo.Value) []*stablehlo.Value {
	return graft(to, b.tr.fn.f, append(args[:len(args):len(args)], captured...))
}

// controlFlow applies an op made of bodies: its operands are ins, then what the
// bodies captured, each in turn.
func controlFlow(op, key string, ins []Tensor, bodies []*body, outs []*Spec,
	emit func(e *emitter, in []*stablehlo.Value, captured [][]*stablehlo.Value) []*stablehlo.Value) []Tensor {
	n := len(ins)
	all := append([]Tensor(nil), ins...)
	var uses []*stablehlo.Module
	for _, b := range bodies {
		all = append(all, b.captured()...)
		uses = append(uses, b.tr.fn.module)
	}
	c := call{op: op, ins: all, outs: outs, uses: uses,
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			rest := in[n:]
			captured := make([][]*stablehlo.Value, len(bodies))
			for i, b := range bodies {
				k := len(b.captured())
				captured[i], rest = rest[:k], rest[k:]
			}
			return emit(e, in[:n], captured)
		}}
	if traceFor(all) == nil { // the text is the identity
		var text strings.Builder
		text.WriteString(key)
		for _, b := range bodies {
			text.WriteString(b.tr.fn.module.String())
		}
		c.key = text.String()
	}
	return apply(&c)
}

// leaf is a tensor or a static value of a container, with its path.
type leaf struct {
	path   string
	tensor Tensor
	static string // the text of a static leaf; "" of a tensor
}

// leafList lists all leaves of a container under a name: state.Layers[2].W.
func leafList[P any](op, name string, p P) []leaf {
	var list []leaf
	w := newWalker(op)
	w.Statics = true
	path := func() string {
		if w.AtRoot() {
			return "the " + name
		}
		at := w.Path()
		if !strings.HasPrefix(at, "[") {
			at = "." + at
		}
		return name + at
	}
	w.Leaf = func(t *Tensor) { list = append(list, leaf{path: path(), tensor: *t}) }
	w.Static = func(v reflect.Value) { list = append(list, leaf{path: path(), static: fmt.Sprintf("%#v", v)}) }
	v := reflect.ValueOf(&p).Elem()
	w.Walk(planOf(v.Type()), v.Addr().UnsafePointer())
	return list
}

// requireSameStructure refuses two containers that differ in anything but the
// types of tensors; was and is say what they are: "before the step".
func requireSameStructure(op string, a, b []leaf, was, is string) {
	const hint = "slices keep their lengths, maps their keys, and other values stay the same; " +
		"make it a tensor if it changes"
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		switch {
		case x.path != y.path:
			fail(ErrState, op, hint, "the structure differs from %s on: there is %s %s", x.path, y.path, is)
		case x.static != y.static:
			fail(ErrState, op, hint, "%s is %s %s and %s %s", x.path, x.static, was, y.static, is)
		case x.tensor.IsZero() != y.tensor.IsZero():
			fail(ErrState, op, "a tensor cannot appear or vanish: start with nx.Zeros of its type",
				"%s is %s %s and %s %s",
				x.path, describe(x.tensor), was, describe(y.tensor), is)
		}
	}
	switch {
	case len(a) > len(b):
		fail(ErrState, op, hint, "the structure differs: %s is there %s and gone %s", a[len(b)].path, was, is)
	case len(a) < len(b):
		fail(ErrState, op, hint, "the structure differs: %s is not there %s but %s", b[len(a)].path, was, is)
	}
}

// requireSameType refuses a tensor whose type is not that wanted; a weak one
// takes the element type where that can hold its kind.
func requireSameType(op string, want *Spec, at leaf, was, is string) {
	got := at.tensor.p.spec
	if got.DType == want.DType && want.compatible(got) {
		return
	}
	if got.weak && !want.weak && want.compatible(got) && promoted(want, got) == want.DType {
		return
	}
	hint := "cast it (nx.Cast)"
	if !want.compatible(got) {
		hint = "every step keeps the shape"
		if was != beforeStep {
			hint = "broadcast one of them (nx.BroadcastTo)"
		}
	}
	fail(ErrState, op, hint, "%s is %s %s and %s %s", at.path, want, was, got, is)
}

// compatible reports whether two types agree in shape, and in the names of axes
// where both have one.
func (s *Spec) compatible(t *Spec) bool {
	if len(s.Shape) != len(t.Shape) || !slices.Equal(s.Vectors, t.Vectors) {
		return false
	}
	for i, d := range s.Shape {
		if a, b := s.name(i), t.name(i); d != t.Shape[i] || a != "" && b != "" && a != b {
			return false
		}
	}
	return true
}

const (
	beforeStep = "before the step"
	afterStep  = "after it"
)

// tensorsIn returns the tensors that are present.
func tensorsIn(list []leaf) []leaf {
	var out []leaf
	for _, l := range list {
		if l.tensor.p != nil {
			out = append(out, l)
		}
	}
	return out
}

// pathsOf returns the paths of the tensors that are present.
func pathsOf(list []leaf) []string {
	var out []string
	for _, l := range list {
		if l.tensor.p != nil {
			out = append(out, l.path)
		}
	}
	return out
}

func tensorsOf(list []leaf) []Tensor {
	var out []Tensor
	for _, l := range list {
		if l.tensor.p != nil {
			out = append(out, l.tensor)
		}
	}
	return out
}
