package core

import (
	"math"

	"github.com/go-nx/nx/internal/weak"
	"github.com/go-nx/nx/stablehlo"
)

// wideIndex converts indices to s64; those beyond become the largest.
func (e *emitter) wideIndex(v *stablehlo.Value) *stablehlo.Value {
	if v.Tensor().DType() == U64 {
		v = e.Value(stablehlo.OpMinimum, []*stablehlo.Value{v, e.splat(U64, shapeOf(v), weak.Unsigned(math.MaxInt64))})
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
	wrapped := e.Value(stablehlo.OpAdd, []*stablehlo.Value{v, e.splat(d, shape, operandOf(size).n)})
	return e.Value(stablehlo.OpSelect, []*stablehlo.Value{e.compare(less, v, e.splat(d, shape, zero)), wrapped, v})
}

// inside reports which indices, counted from the start, belong to an axis.
func (e *emitter) inside(v *stablehlo.Value, size int) *stablehlo.Value {
	d, shape := v.Tensor().DType(), shapeOf(v)
	return e.Value(stablehlo.OpAnd, []*stablehlo.Value{
		e.compare(greaterEqual, v, e.splat(d, shape, zero)), e.compare(less, v, e.splat(d, shape, operandOf(size).n))})
}
