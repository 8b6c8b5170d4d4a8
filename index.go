package nx

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Index is a part of an axis for [Tensor.At].
type Index struct {
	lo, hi, step int
	kind         indexKind
}

type indexKind uint8

const (
	rangeIndex indexKind = iota + 1
	newAxisIndex
	ellipsisIndex
)

var (
	// Whole is the whole of an axis.
	Whole = Index{0, math.MaxInt, 1, rangeIndex}
	// NewAxis inserts an axis of size 1.
	NewAxis = Index{kind: newAxisIndex}
	// Ellipsis stands for Whole of as many axes as are left.
	Ellipsis = Index{kind: ellipsisIndex}
)

// Range is the elements lo ≤ i < hi of an axis; negative bounds count from the
// end, and bounds beyond the axis are cut as Python's slices are.
func Range(lo, hi int) Index { return Index{lo, hi, 1, rangeIndex} }

// From is the elements from lo to the end of an axis.
func From(lo int) Index { return Range(lo, math.MaxInt) }

// To is the elements before hi.
func To(hi int) Index { return Range(0, hi) }

// Step takes every n-th element of a range.
func (x Index) Step(n int) Index {
	x.step = n
	return x
}

// At returns a part of a tensor: for each axis an int, which drops the axis
// (negative from the end), a [Range], [From], [To] or [Whole]; [NewAxis] inserts
// an axis, [Ellipsis] skips axes. Axes without an index are kept whole.
//
// A scalar integer tensor is an index known only at run time; it is limited to
// the axis. Gradient: zero outside the part.
func (t Tensor) At(index ...any) Tensor {
	s := t.must("At")
	given, ellipsis := 0, -1
	for i, x := range index {
		switch v := x.(type) {
		case int, Tensor:
			given++
		case Index:
			switch v.kind {
			case rangeIndex:
				given++
			case ellipsisIndex:
				if ellipsis >= 0 {
					failOn(ErrArgument, "At", []Tensor{t}, "", "more than one Ellipsis")
				}
				ellipsis = i
			}
		default:
			failOn(ErrArgument, "At", []Tensor{t}, "use an int, a scalar tensor, nx.Range, nx.From, nx.To, nx.Whole, nx.NewAxis or nx.Ellipsis",
				"index %d is a %T", i, x)
		}
	}
	rest := len(s.Shape) - given
	if rest < 0 {
		failOn(ErrAxis, "At", []Tensor{t}, "", "%d indices for rank %d", given, len(s.Shape))
	}
	if ellipsis < 0 {
		ellipsis = len(index)
		index = append(slices.Clone(index), Ellipsis)
	}
	whole := slices.Repeat([]any{Whole}, rest)
	index = slices.Concat(index[:ellipsis:ellipsis], whole, index[ellipsis+1:])
	return t.part(index)
}

// part applies indices of which each but NewAxis stands for an axis.
func (t Tensor) part(index []any) Tensor {
	s := t.p.spec
	n := len(s.Shape)
	starts, limits, strides := make([]int, n), make([]int, n), make([]int, n)
	dynamic := map[int]Tensor{}
	var shape Shape
	var names []string
	axis := 0
	for _, x := range index {
		if v, ok := x.(Index); ok && v.kind == newAxisIndex {
			shape, names = append(shape, 1), append(names, "")
			continue
		}
		size := s.Shape[axis]
		starts[axis], limits[axis], strides[axis] = 0, size, 1
		switch v := x.(type) {
		case int:
			i := v
			if i < 0 {
				i += size
			}
			if i < 0 || i >= size {
				failOn(ErrAxis, "At", []Tensor{t}, "", "index %d is out of range for %s of size %d", v, axisLabel(s, axis), size)
			}
			starts[axis], limits[axis] = i, i+1
		case Tensor:
			if is := v.must("At"); len(is.Shape) != 0 || !is.DType.IsInteger() {
				failOn(ErrArgument, "At", []Tensor{t, v}, "take rows by a list of indices with nx.Take", "an index tensor is an integer scalar")
			}
			dynamic[axis] = v
		case Index:
			lo, hi := bounds(v, size)
			if v.step < 1 {
				failOn(ErrArgument, "At", []Tensor{t}, "reverse an axis with nx.Reverse", "the step %d is not positive", v.step)
			}
			starts[axis], limits[axis], strides[axis] = lo, hi, v.step
			shape, names = append(shape, (hi-lo+v.step-1)/v.step), append(names, s.name(axis))
		}
		axis++
	}
	for a, i := range dynamic { // one element along each
		t = dynamicElement(t, a, i)
		starts[a], limits[a] = 0, 1
	}
	out := sliceOf(t, starts, limits, strides)
	return Reshape(out, shape...).withNames(names)
}

// bounds returns the bounds of a range inside an axis.
func bounds(x Index, size int) (lo, hi int) {
	clamp := func(i int) int {
		if i < 0 {
			i += size
		}
		return min(max(i, 0), size)
	}
	lo, hi = clamp(x.lo), clamp(x.hi)
	return lo, max(lo, hi)
}

// sliceOf takes the elements from starts to limits by strides.
func sliceOf(t Tensor, starts, limits, strides []int) Tensor {
	s := t.p.spec
	out := Spec{DType: s.DType, Shape: make(Shape, len(s.Shape)), Names: s.Names}
	for i := range s.Shape {
		out.Shape[i] = (limits[i] - starts[i] + strides[i] - 1) / strides[i]
	}
	if slices.Equal(out.Shape, s.Shape) {
		return t
	}
	return apply1(call{op: "At", key: fmt.Sprint(starts, limits, strides), ins: []Tensor{t}, outs: []*Spec{intern(out)},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.op(stablehlo.OpSlice, in, ints("start_indices", starts), ints("limit_indices", limits), ints("strides", strides))}
		}})
}

// dynamicElement keeps the element i of an axis, with size 1.
func dynamicElement(t Tensor, axis int, i Tensor) Tensor {
	s := t.p.spec
	out := Spec{DType: s.DType, Shape: slices.Clone(s.Shape), Names: s.Names}
	out.Shape[axis] = 1
	return apply1(call{op: "At", key: fmt.Sprint("dynamic", axis), ins: []Tensor{t, i}, outs: []*Spec{intern(out)},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			args := []*stablehlo.Value{in[0]}
			zero := e.scalar(in[1].Tensor().DType(), number{kind: dtype.KindSigned})
			for a := range s.Shape {
				if a == axis {
					args = append(args, in[1])
				} else {
					args = append(args, zero)
				}
			}
			return []*stablehlo.Value{e.op(stablehlo.OpDynamicSlice, args, ints("slice_sizes", out.Shape))}
		}})
}

// Take returns the slices of t at integer indices along an axis, the first by
// default: the axis is replaced by the shape of the indices. Indices are
// limited to the axis; negative ones are not from the end. Gradient: added up
// at the indices.
func Take(t, indices Tensor, opts ...AxisOption) Tensor {
	s, is := t.must("Take"), indices.must("Take")
	if !is.DType.IsInteger() {
		failOn(ErrDType, "Take", []Tensor{t, indices}, "cast to an integer type first (nx.Cast)", "indices are integers, not %s", is.DType)
	}
	axis := oneAxis("Take", t, opts, 0)
	out := Spec{DType: s.DType}
	g := &stablehlo.GatherDims{CollapsedSliceDims: []int64{int64(axis)}, StartIndexMap: []int64{int64(axis)}, IndexVectorDim: int64(len(is.Shape))}
	sizes := make([]int, len(s.Shape))
	for d, n := range s.Shape {
		sizes[d] = n
		if d == axis {
			sizes[d] = 1
			out.Shape = append(out.Shape, is.Shape...)
			for i := range is.Shape {
				out.Names = append(out.Names, is.name(i))
			}
			continue
		}
		g.OffsetDims = append(g.OffsetDims, int64(len(out.Shape)))
		out.Shape, out.Names = append(out.Shape, n), append(out.Names, s.name(d))
	}
	return apply1(call{op: "Take", key: fmt.Sprint(axis), ins: []Tensor{t, indices}, outs: []*Spec{intern(out)},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.op(stablehlo.OpGather, in, stablehlo.Named("dimension_numbers", g),
				ints("slice_sizes", sizes), stablehlo.Named("indices_are_sorted", stablehlo.BoolAttr(false)))}
		}})
}

// Bitcast reinterprets the bits of the elements as a type of the same width.
func Bitcast(t Tensor, d DType) Tensor {
	s := t.must("Bitcast")
	if s.DType.Bits() != d.Bits() || d == Bool || s.DType == Bool {
		failOn(ErrDType, "Bitcast", []Tensor{t}, "", "elements of %s have %d bits, those of %s have %d", s.DType, s.DType.Bits(), d, d.Bits())
	}
	spec := intern(Spec{DType: d, Shape: s.Shape, Names: s.Names})
	return apply1(call{op: "Bitcast", key: d.String(), ins: []Tensor{t}, outs: []*Spec{spec},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.op(stablehlo.OpBitcastConvert, in, stablehlo.Results{spec.tensorType()})}
		}})
}
