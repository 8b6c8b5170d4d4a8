package nx

import (
	"fmt"
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// TakeOption is an option of [Take].
type TakeOption interface{ takeOption(*takeOptions) }

type takeOptions struct {
	axisOptions
	outside OutsideOption
}

// OutsideOption says what an index beyond the axis means.
type OutsideOption uint8

const (
	// Clamp limits the index to the axis: the first or the last element.
	Clamp OutsideOption = iota
	// Fill gives NaN, 0 where the element type has no NaN.
	Fill
	// Checked makes it an error. In a compiled function, where the indices are
	// not known while it is traced, it is [Clamp].
	Checked
)

func (o OutsideOption) takeOption(t *takeOptions) { t.outside = o }
func (o AxesOption) takeOption(t *takeOptions)    { o.axisOption(&t.axisOptions) }

// Take returns the slices of t at integer indices along an axis, the first by
// default: the axis is replaced by the shape of the indices. Negative indices
// count from the end. Options: [Axis]; [Clamp], the default, [Fill] or [Checked] for
// indices beyond the axis.
//
// Gradient: added up at the indices; none where [Fill] filled.
func Take(t, indices Tensor, opts ...TakeOption) Tensor {
	s, is := t.must("Take"), indices.must("Take")
	if !is.DType.IsInteger() {
		failOn(ErrDType, "Take", []Tensor{t, indices}, "cast to an integer type first (nx.Cast)", "indices are integers, not %s", is.DType)
	}
	var o takeOptions
	for _, x := range opts {
		if x != nil {
			x.takeOption(&o)
		}
	}
	axis := theAxis("Take", t, o.axisOptions, 0)
	size := s.Shape[axis]
	out := Spec{DType: s.DType, weak: s.weak}
	g := &stablehlo.GatherDims{CollapsedSliceDims: []int64{int64(axis)}, StartIndexMap: []int64{int64(axis)}, IndexVectorDim: int64(len(is.Shape))}
	sizes := make([]int, len(s.Shape))
	picked := make([]int, 0, len(is.Shape)) // the axes of the result that are those of the indices
	for d, n := range s.Shape {
		sizes[d] = n
		if d == axis {
			sizes[d] = 1
			for i, m := range is.Shape {
				picked = append(picked, len(out.Shape))
				out.Shape, out.Names = append(out.Shape, m), append(out.Names, is.name(i))
			}
			continue
		}
		g.OffsetDims = append(g.OffsetDims, int64(len(out.Shape)))
		out.Shape, out.Names = append(out.Shape, n), append(out.Names, s.name(d))
	}
	spec := newSpec("Take", out, t, indices)
	if size == 0 && is.Shape.Size() > 0 && o.outside != Fill {
		failOn(ErrAxis, "Take", []Tensor{t, indices}, "", "%s has no elements to choose from", axisLabel(s, axis))
	}
	if size == 0 { // there is nothing to gather from
		t.same("Take")
		return full("Take", spec.Shape, filler(s.DType), s.DType, []NewOption{NamesOption{spec.Names}})
	}
	if o.outside == Checked && t.p.tr == nil && indices.p.tr == nil {
		checkIndices(t, indices, axis)
	}
	return apply1(call{op: "Take", key: fmt.Sprint(axis, o.outside), ins: []Tensor{t, indices}, outs: []*Spec{spec},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			at := e.fromEnd(e.indexFor(in[1], size), size)
			v := e.op(stablehlo.OpGather, []*stablehlo.Value{in[0], at}, stablehlo.Named("dimension_numbers", g),
				ints("slice_sizes", sizes), stablehlo.Named("indices_are_sorted", stablehlo.BoolAttr(false)))
			if o.outside == Fill {
				inside := e.broadcast(e.inside(at, size), spec.Shape, picked)
				v = e.op(stablehlo.OpSelect, []*stablehlo.Value{inside, v, e.splat(s.DType, spec.Shape, filler(s.DType))})
			}
			return []*stablehlo.Value{v}
		}})
}

// filler is the element that [Fill] puts: NaN where there is one.
func filler(d DType) number {
	switch {
	case d.IsComplex():
		return number{kind: dtype.KindComplex, f: math.NaN(), im: math.NaN()}
	case d.IsFloat() && d.HasNaN():
		return number{kind: dtype.KindFloat, f: math.NaN()}
	}
	return zero
}

// checkIndices refuses indices beyond an axis.
func checkIndices(t, indices Tensor, axis int) {
	s, is := t.p.spec, indices.p.spec
	size := s.Shape[axis]
	lend("Take", indices, func(data []byte) {
		for i := range is.Shape.Size() {
			n := decode(is.DType, data[i*is.DType.Size():])
			if n.kind == dtype.KindUnsigned || n.i >= int64(size) || n.i < -int64(size) {
				failOn(ErrAxis, "Take", []Tensor{t, indices}, "", "the index %s, number %d, is out of range for %s of size %d", n.text(), i, axisLabel(s, axis), size)
			}
		}
	})
}

// wideIndex converts indices to s64; those beyond become the largest.
func (e *emitter) wideIndex(v *stablehlo.Value) *stablehlo.Value {
	if v.Tensor().DType() == U64 {
		v = e.op(stablehlo.OpMinimum, []*stablehlo.Value{v, e.splat(U64, shapeOf(v), unsigned(math.MaxInt64))})
	}
	return e.convert(v, S64)
}

// indexFor returns indices in a signed type that holds those of an axis: their own
// where it does.
func (e *emitter) indexFor(v *stablehlo.Value, size int) *stablehlo.Value {
	if d := v.Tensor().DType(); d.IsSigned() && uint64(size) <= d.MaxInt() {
		return v
	}
	return e.wideIndex(v)
}

// fromEnd adds the size of the axis to negative indices.
func (e *emitter) fromEnd(v *stablehlo.Value, size int) *stablehlo.Value {
	d, shape := v.Tensor().DType(), shapeOf(v)
	wrapped := e.op(stablehlo.OpAdd, []*stablehlo.Value{v, e.splat(d, shape, operandOf(size).n)})
	return e.op(stablehlo.OpSelect, []*stablehlo.Value{e.compare(less, v, e.splat(d, shape, zero)), wrapped, v})
}

// inside reports which indices, counted from the start, belong to an axis.
func (e *emitter) inside(v *stablehlo.Value, size int) *stablehlo.Value {
	d, shape := v.Tensor().DType(), shapeOf(v)
	return e.op(stablehlo.OpAnd, []*stablehlo.Value{
		e.compare(greaterEqual, v, e.splat(d, shape, zero)), e.compare(less, v, e.splat(d, shape, operandOf(size).n))})
}
