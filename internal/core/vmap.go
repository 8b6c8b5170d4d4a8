package core

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/go-nx/nx/internal/vmap"
	"github.com/go-nx/nx/stablehlo"
)

// VmapOption is nx.VmapOption.
type VmapOption interface{ vmapOption(*vmapOptions) }

type vmapOptions struct {
	in, out []any
	inSet   bool
	outSet  bool
}

// inAxesOption is the option made by [InAxes].
type inAxesOption struct{ axes []any }

// InAxes implements nx.InAxes.
func InAxes(axes ...any) VmapOption { return inAxesOption{axes} }

func (o inAxesOption) vmapOption(v *vmapOptions) { v.in, v.inSet = o.axes, true }

// outAxesOption is the option made by [OutAxes].
type outAxesOption struct{ axes []any }

// OutAxes implements nx.OutAxes.
func OutAxes(axes ...any) VmapOption { return outAxesOption{axes} }

func (o outAxesOption) vmapOption(v *vmapOptions) { v.out, v.outSet = o.axes, true }

// Vmap implements nx.Vmap.
func Vmap[F any](f F, opts ...VmapOption) F {
	const op = "Vmap"
	t, v := reflect.TypeFor[F](), reflect.ValueOf(f)
	requireFunction(op, t, v)
	b := &batching{callable: newCallable(t, v)}
	distinct(op, opts)
	for _, o := range opts {
		if o != nil {
			o.vmapOption(&b.vmapOptions)
		}
	}
	b.check(op)
	return reflect.MakeFunc(t, func(in []reflect.Value) (out []reflect.Value) {
		if b.hasError {
			defer b.recoverError(&out)
		}
		return b.call(op, in[b.firstArg():])
	}).Interface().(F)
}

// batching is a function with the axes of its batch.
type batching struct {
	callable
	vmapOptions
}

// check refuses axes that no call could have.
func (b *batching) check(op string) {
	count := func(option string, axes []any, isSet bool, n int, what string) {
		if isSet && len(axes) != n {
			fail(ErrArgument, option, "give one axis for each, nil for a shared one",
				"there are %d axes for %d %s of %s",
				len(axes), n, what, b.t)
		}
	}
	count("InAxes", b.in, b.inSet, len(b.args), "arguments")
	count("OutAxes", b.out, b.outSet, len(b.results), "results")
	for _, a := range b.in {
		switch a := a.(type) {
		case nil, int, string:
		case map[string]any:
			for path, a := range a {
				switch a.(type) {
				case nil, int, string:
				default:
					fail(ErrArgument, "InAxes", "", "the axis of %s is an int, a string or nil, not %T", path, a)
				}
			}
		default:
			fail(ErrArgument, "InAxes", "", "an axis is an int, a string, nil or a map[string]any of paths, not %T", a)
		}
	}
	for _, a := range b.out {
		if _, ok := a.(int); !ok && a != nil {
			fail(ErrArgument, "OutAxes", "", "the axis of a result is an int or nil, not %T", a)
		}
	}
}

// batch describes the batch of a call.
type batch struct {
	op   string
	size int
	name string // of the axis, "" where the arguments disagree
	of   string // the path and axis of the first batched tensor; "" before there is one
	axes []int  // of each tensor in the arguments, vmap.Shared where there is none
	each []*Spec
}

// call runs the function for a batch.
func (b *batching) call(op string, args []reflect.Value) []reflect.Value {
	t := b.read(op, args)
	i := 0
	tr := newTrace(op)
	tr.batch = t.size
	fn := b.traceIn(tr, args, func(Tensor) *Spec { i++; return t.each[i-1] })
	tensors := b.tensors(op, args)
	in := append(slices.Clone(t.axes), slices.Repeat([]int{vmap.Shared}, len(fn.captured))...)
	out := b.outAxes(op, fn)
	places := slices.Clone(out)
	for i, s := range fn.outs {
		if out[i] != vmap.Shared {
			places[i] += len(s.Vectors)
		}
	}
	m, err := vmap.Batch(fn.module, "main", int64(t.size), in, places)
	if err != nil {
		refuseBatch(op, err)
	}
	batched := &form{module: m, captured: fn.captured, constants: fn.constants, absent: fn.absent,
		results: fn.results}
	for i, s := range fn.outs {
		batched.outs = append(batched.outs, s.withAxis(out[i], t.size, t.name))
	}
	batched.asCallee(baseName(b.f) + ".batched")
	return b.returns(op, batched,
		applyForm(op, batched, tensors, func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return e.call(batched.name, in, batched.outs)
		}))
}

// read finds the axes and the size of the batch.
func (b *batching) read(op string, args []reflect.Value) *batch {
	t := &batch{op: op}
	for i, a := range args {
		var axis any = 0
		if b.inSet {
			axis = b.in[i]
		}
		paths, _ := axis.(map[string]any)
		left := len(paths)
		w := newWalker(op)
		w.Leaf = func(x *Tensor) {
			if x.p == nil {
				return
			}
			at := axis
			if paths != nil {
				var given bool
				if at, given = paths[w.Path()]; given {
					left--
				}
			}
			t.add(fmt.Sprintf("argument %d", i), w, *x, at)
		}
		w.Walk(b.args[i], addressable(a).Addr().UnsafePointer())
		if left > 0 {
			b.refusePaths(i, a, paths)
		}
	}
	if t.of == "" {
		fail(ErrAxis, op, "", "at least one tensor of the arguments must have a batch axis")
	}
	return t
}

// add notes the axis of a tensor in the arguments.
func (t *batch) add(argument string, w *walker, x Tensor, at any) {
	s := x.p.spec
	path := argument
	if !w.AtRoot() {
		path += ", " + w.Path()
	}
	var axis int
	switch at := at.(type) {
	case nil:
		t.axes, t.each = append(t.axes, vmap.Shared), append(t.each, s)
		return
	case int:
		axis = axisIndexOf(t.op, x, path, axisRef{i: at})
	case string:
		axis = axisIndexOf(t.op, x, path, axisRef{name: at, named: true})
	}
	of := fmt.Sprintf("%s (%s)", path, s)
	switch n := s.Shape[axis]; {
	case t.of == "":
		t.size, t.of, t.name = n, of, s.name(axis)
	case n != t.size:
		failOn(ErrShape, t.op, []Tensor{x}, "share an argument without a batch axis (nx.InAxes with nil)",
			"the batch of %s has %d elements, and that of %s has %d", t.of, t.size, of, n)
	case t.name != s.name(axis):
		t.name = ""
	}
	t.axes, t.each = append(t.axes, len(s.Vectors)+axis), append(t.each, s.withoutAxis(axis))
}

// refusePaths names a path that the container does not have.
func (b *batching) refusePaths(i int, a reflect.Value, paths map[string]any) {
	var known []string
	w := newWalker("InAxes")
	w.Leaf = func(x *Tensor) { known = append(known, w.Path()) }
	w.Walk(b.args[i], addressable(a).Addr().UnsafePointer())
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if !slices.Contains(known, path) {
			fail(ErrArgument, "InAxes", "its tensors are "+nameList(known)+nearest(path, known),
				"argument %d has no tensor %q", i, path)
		}
	}
	fail(ErrArgument, "InAxes", "", "argument %d has an absent tensor where an axis is given", i)
}

// outAxes returns the axis of the batch in each tensor of the results.
func (b *batching) outAxes(op string, fn *form) []int {
	var out []int
	absent, outs := fn.absent, fn.outs
	for i, r := range fn.results {
		var axis any = 0
		if b.outSet {
			axis = b.out[i]
		}
		w := newWalker(op)
		w.Leaf = func(*Tensor) {
			none := absent[0]
			if absent = absent[1:]; none {
				return
			}
			s := outs[0]
			outs = outs[1:]
			if axis == nil {
				out = append(out, vmap.Shared)
				return
			}
			at, rank := axis.(int), len(s.Shape)+1
			if at < 0 {
				at += rank
			}
			if at < 0 || at >= rank {
				fail(ErrAxis, "OutAxes", "axes count from 0, or from -1 at the end",
					"axis %d is out of range for result %d, which has %d axes with that of the batch", axis, i, rank)
			}
			out = append(out, at)
		}
		w.Walk(b.results[i], addressable(r).Addr().UnsafePointer())
	}
	return out
}
