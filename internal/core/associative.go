package core

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

func (reversedOption) associativeOption(o *associativeOptions) { o.reversed = true }

func (a axesOption) associativeOption(o *associativeOptions) {
	if len(a.axes) != 1 {
		fail(ErrAxis, "AssociativeScan", "", "works along one axis, %d are given", len(a.axes))
	}
	o.axis = &a.axes[0]
}

// AssociativeScan implements nx.AssociativeScan.
func AssociativeScan[X any](xs X, combine func(a, b X) X, opts ...AssociativeScanOption) X {
	const op = "AssociativeScan"
	notNil(op, combine == nil)
	var o associativeOptions
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.associativeOption(&o)
		}
	}
	list := leafList(op, "xs", xs)
	in := tensorsOf(list)
	specs := specsOf(in)
	if len(in) == 0 {
		fail(ErrArgument, op, "", "the container must hold a tensor to scan")
	}
	a := associative{axes: make([]int, len(in))}
	for i, t := range in {
		ref := axisRef{}
		if o.axis != nil {
			ref = *o.axis
		}
		a.axes[i] = axisIndex(op, t, ref)
		if n, first := t.p.spec.Shape[a.axes[i]], in[0].p.spec.Shape[a.axes[0]]; n != first {
			failOn(ErrShape, op, []Tensor{in[0], t}, "all have the same size along the axis",
				"the sizes along the axis are %d and %d", first, n)
		}
	}
	a.combine = func(x, y []Tensor) []Tensor {
		after := leafList(op, "xs", combine(fill(op, xs, x), fill(op, xs, y)))
		requireSameStructure(op, list, after, "before combine", "after it")
		out := tensorsIn(after)
		for i, l := range out {
			want := x[i].p.spec
			requireSameType(op, want, l, "before combine", "after it")
			out[i].tensor = cast(l.tensor, want.DType)
		}
		return tensorsOf(out)
	}
	b := traceBody(op, specs, pathsOf(list), func(args []Tensor) []Tensor {
		if o.reversed {
			args = a.flipped(args)
		}
		if out := a.scan(args); !o.reversed {
			return out
		} else {
			return a.flipped(out)
		}
	})
	defer b.abandon()
	b.finish(nil)
	return fill(op, xs, controlFlow(op, "", in, []*body{b}, specs,
		func(e *emitter, in []*stablehlo.Value, captured [][]*stablehlo.Value) []*stablehlo.Value {
			return b.graft(e.B.Block(), in, captured[0])
		}))
}

// associative combines the parts of tensors along an axis of each.
type associative struct {
	axes    []int
	combine func(x, y []Tensor) []Tensor
}

// scan combines neighbours, scans the pairs, and fills the positions between.
func (a *associative) scan(x []Tensor) []Tensor {
	n := x[0].p.spec.Shape[a.axes[0]]
	if n < 2 {
		return x
	}
	odd := a.scan(a.combine(a.part(x, Range(0, n-1).Step(2)), a.part(x, From(1).Step(2))))
	even := a.part(x, To(1))
	if n > 2 {
		before := odd
		if n%2 == 0 {
			before = a.part(odd, To(n/2-1))
		}
		rest := a.combine(before, a.part(x, From(2).Step(2)))
		for i := range even {
			even[i] = Concatenate([]Tensor{even[i], rest[i]}, Axis(a.axes[i]))
		}
	}
	out := make([]Tensor, len(x))
	for i := range x {
		out[i] = interleave(even[i], odd[i], a.axes[i], x[i].p.spec)
	}
	return out
}

// part takes a range along the axis of each tensor.
func (a *associative) part(x []Tensor, r Index) []Tensor {
	out := make([]Tensor, len(x))
	for i, t := range x {
		index := make([]any, a.axes[i]+1)
		for k := range index {
			index[k] = Whole
		}
		index[a.axes[i]] = r
		out[i] = t.At(index...)
	}
	return out
}

func (a *associative) flipped(x []Tensor) []Tensor {
	out := make([]Tensor, len(x))
	for i, t := range x {
		out[i] = Reverse(t, Axis(a.axes[i]))
	}
	return out
}

// interleave returns the parts of even and odd along an axis alternately, in the
// type of the tensor they came from. There may be one part more in even.
func interleave(even, odd Tensor, axis int, as *Spec) Tensor {
	missing := even.p.spec.Shape[axis] - odd.p.spec.Shape[axis]
	if missing > 0 {
		last := slices.Clone(odd.p.spec.Shape)
		last[axis] = missing
		odd = Concatenate([]Tensor{odd, full("AssociativeScan", last, zero, as.DType, nil)}, Axis(axis))
	}
	shape := slices.Clone(even.p.spec.Shape)
	shape[axis] *= 2
	both := Reshape(Stack([]Tensor{even, odd}, Axis(axis+1)), shape...)
	if missing > 0 {
		index := make([]any, axis+1)
		for k := range index {
			index[k] = Whole
		}
		index[axis] = To(as.Shape[axis])
		both = both.At(index...)
	}
	return both.named(as)
}
