package core

import (
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// descendingOption is the type of [Descending].
type descendingOption bool

// Descending is nx.Descending.
const Descending descendingOption = true

func (d descendingOption) sortOption(o *sortOptions) { o.descending = bool(d) }
func (a axesOption) sortOption(o *sortOptions)       { a.axisOption(&o.axisOptions) }
func (d dtypeOption) sortOption(o *sortOptions)      { o.dtype = d.t }

// sortAttrs are the attributes of sorting.
type sortAttrs struct {
	axis       int
	descending bool
	index      DType // of the places, Invalid where elements are asked for
	k          int   // how many are asked for, all below 0
}

// readSort reads the options of sorting t, by default along the last axis.
func readSort(op string, t Tensor, opts []SortOption) sortAttrs {
	requireOrder(op, t)
	var o sortOptions
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.sortOption(&o)
		}
	}
	return sortAttrs{axis: axisFrom(op, t, o.axisOptions, -1), descending: o.descending, index: o.dtype, k: -1}
}

// readArgSort reads the options of an op whose result has indices of t.
func readArgSort(op string, t Tensor, opts []SortOption) sortAttrs {
	a := readSort(op, t, opts)
	if a.index == dtype.Invalid {
		a.index = S32
	}
	requireType(op, a.index, t)
	if !a.index.IsInteger() {
		failOn(ErrDType, op, []Tensor{t}, "", "indices must be integers, got %s", a.index)
	}
	if n := t.p.spec.Shape[a.axis]; n > 0 && uint64(n-1) > a.index.MaxInt() {
		failOn(ErrValue, op, []Tensor{t}, "choose a wider index type: nx.As(nx.S64)", "the index %d does not fit in %s",
			n-1, a.index)
	}
	return a
}

// Sort implements nx.Sort.
func Sort(t Tensor, opts ...SortOption) Tensor {
	a := readSort("Sort", t, opts)
	if a.index != dtype.Invalid {
		failOn(ErrArgument, "Sort", []Tensor{t}, "cast the result (nx.Cast)", "takes no element type")
	}
	return sortOp.call1(a, t)
}

// ArgSort implements nx.ArgSort.
func ArgSort(t Tensor, opts ...SortOption) Tensor {
	return sortOp.call1(readArgSort("ArgSort", t, opts), t)
}

// TopK implements nx.TopK.
func TopK(t Tensor, k int, opts ...SortOption) (values, indices Tensor) {
	a := readArgSort("TopK", t, opts)
	if n := t.p.spec.Shape[a.axis]; k < 0 || k > n {
		failOn(ErrArgument, "TopK", []Tensor{t}, "",
			"the number %d of elements to take is not between 0 and %d, the size of %s", k, n,
			axisLabel(t.p.spec, a.axis))
	}
	a.k, a.descending = k, true
	indices = sortOp.call1(a, t)
	if a.selects(t.p.spec.Shape) {
		return TakeAlong(t, indices, Axis(a.axis)), indices
	}
	a.index = dtype.Invalid
	return sortOp.call1(a, t), indices
}

// selects reports whether k is so small against the size of the axis that the elements are
// found without sorting all.
func (a sortAttrs) selects(shape Shape) bool {
	return a.k >= 0 && a.k <= shape[a.axis]/16 && shape[a.axis] <= math.MaxInt32
}

var sortOp = &operation[sortAttrs]{name: "Sort",
	describe: func(d *description[sortAttrs]) {
		a, s := d.attrs, d.ins[0]
		out := Spec{DType: s.DType, Shape: slices.Clone(s.Shape), Names: s.Names, weak: s.weak}
		if a.k >= 0 {
			out.Shape[a.axis] = a.k
		}
		if a.index != dtype.Invalid {
			out.DType, out.weak = a.index, false
		}
		d.returns(intern(out))
	},
	emit: func(d *description[sortAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		a := d.attrs
		if a.index != dtype.Invalid && a.selects(shapeOf(in[0])) {
			return []*stablehlo.Value{e.argSort(in[0], a)}
		}
		v := e.sort(in, a)
		if a.k < 0 {
			return []*stablehlo.Value{v}
		}
		rank := v.Tensor().Rank()
		starts, strides := make([]int, rank), slices.Repeat([]int{1}, rank)
		return []*stablehlo.Value{e.Value(stablehlo.OpSlice, []*stablehlo.Value{v}, ints("start_indices", starts),
			ints("limit_indices", d.outs[0].Shape), ints("strides", strides))}
	}}

// sort appends sorting one tensor; the result is the elements, or their indices.
func (e *emitter) sort(in []*stablehlo.Value, a sortAttrs) *stablehlo.Value {
	types := []stablehlo.Type{stablehlo.Tensor(in[0].Tensor().DType())}
	if a.index != dtype.Invalid {
		in = append(slices.Clone(in), e.iota(a.index, shapeOf(in[0]), a.axis))
		types = append(types, stablehlo.Tensor(a.index))
	}
	types = slices.Concat(types[:1], types[:1], types[1:], types[1:])
	dir := less
	if a.descending {
		dir = greater
	}
	out := e.Values(stablehlo.OpSort, in, stablehlo.Named("dimension", stablehlo.I64(int64(a.axis))),
		stablehlo.Named("is_stable", stablehlo.BoolAttr(true)),
		stablehlo.Body{Args: types, Build: func(b *stablehlo.Builder,
			args []*stablehlo.Value) ([]*stablehlo.Value, error) {
			f := emitOn(b.Block(), b.Loc)
			return []*stablehlo.Value{f.precedes(dir, args[0], args[1])}, nil
		}})
	return out[len(out)-1]
}

// argSort appends finding the indices of the largest elements.
func (e *emitter) argSort(v *stablehlo.Value, a sortAttrs) *stablehlo.Value {
	if v.Tensor().DType().IsFloat() {
		v = e.sortKey(v)
	}
	turned := make([]int, v.Tensor().Rank()) // the axis and the last one are exchanged
	for i := range turned {
		turned[i] = i
	}
	last := len(turned) - 1
	turned[a.axis], turned[last] = last, a.axis
	turn := func(v *stablehlo.Value) *stablehlo.Value {
		if a.axis == last {
			return v
		}
		return e.Value(stablehlo.OpTranspose, []*stablehlo.Value{v}, ints("permutation", turned))
	}
	out := e.Values(stablehlo.OpChloTopK, []*stablehlo.Value{turn(v)}, stablehlo.Named("k", stablehlo.I64(int64(a.k))))
	return e.convert(turn(out[1]), a.index)
}

// precedes appends a comparison in the order of sorting: NaN is the greatest, zeros are
// equal.
func (e *emitter) precedes(dir direction, x, y *stablehlo.Value) *stablehlo.Value {
	d := x.Tensor().DType()
	if !d.IsFloat() {
		return e.compare(dir, x, y)
	}
	return e.Value(stablehlo.OpCompare, []*stablehlo.Value{e.sortKey(x), e.sortKey(y)},
		stablehlo.Named("comparison_direction",
			stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_direction", Value: string(dir)}),
		stablehlo.Named("compare_type",
			stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_type", Value: "TOTALORDER"}))
}

// sortKey makes one zero of two and one NaN, the greatest in total order, of all.
func (e *emitter) sortKey(v *stablehlo.Value) *stablehlo.Value {
	d := v.Tensor().DType()
	like := func(n number) *stablehlo.Value {
		return e.broadcast(e.scalar(d, n), shapeOf(v), nil)
	}
	null := like(zero)
	v = e.Value(stablehlo.OpSelect, []*stablehlo.Value{e.compare(equal, v, null), null, v})
	nan := like(number{Kind: dtype.KindFloat, Re: math.NaN()})
	return e.Value(stablehlo.OpSelect, []*stablehlo.Value{e.compare(notEqual, v, v), nan, v})
}
