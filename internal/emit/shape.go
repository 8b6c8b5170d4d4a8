package emit

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Reshape returns x reshaped to dims.
func (e Emitter) Reshape(x Value, dims ...int64) Value {
	if slices.Equal(TensorOf(x).Dims, dims) {
		return x
	}
	return e.Value(stablehlo.OpReshape, []Value{x}, stablehlo.Results{TensorOf(x).WithDims(dims...)})
}

// Broadcast returns x in a larger shape; at maps each dimension of x to one of the result.
func (e Emitter) Broadcast(x Value, dims []int64, at ...int64) Value {
	if len(at) == len(dims) && slices.Equal(TensorOf(x).Dims, dims) && slices.IsSorted(at) {
		return x
	}
	return e.Value(stablehlo.OpBroadcastInDim, []Value{x},
		stablehlo.Named("broadcast_dimensions", stablehlo.I64s(at...)),
		stablehlo.Results{TensorOf(x).WithDims(dims...)})
}

// Like broadcasts the scalar x to the shape of y; another x is returned unchanged.
func (e Emitter) Like(x, y Value) Value {
	if TensorOf(x).Rank() > 0 {
		return x
	}
	return e.Broadcast(x, Sizes(y))
}

// Transpose permutes dimensions: result dimension i is dimension perm[i] of x.
func (e Emitter) Transpose(x Value, perm ...int64) Value {
	if slices.IsSorted(perm) {
		return x
	}
	return e.Value(stablehlo.OpTranspose, []Value{x}, stablehlo.Named("permutation", stablehlo.I64s(perm...)))
}

// Reverse reverses dimensions.
func (e Emitter) Reverse(x Value, dims ...int64) Value {
	if len(dims) == 0 {
		return x
	}
	return e.Value(stablehlo.OpReverse, []Value{x}, stablehlo.Named("dimensions", stablehlo.I64s(dims...)))
}

// Slice returns x[start:limit:strides].
func (e Emitter) Slice(x Value, start, limit, strides []int64) Value {
	if allZero(start) && slices.Equal(limit, Sizes(x)) && slices.Equal(strides, Repeat(len(strides), 1)) {
		return x
	}
	return e.Value(stablehlo.OpSlice, []Value{x},
		stablehlo.Named("start_indices", stablehlo.I64s(start...)),
		stablehlo.Named("limit_indices", stablehlo.I64s(limit...)),
		stablehlo.Named("strides", stablehlo.I64s(strides...)))
}

// SliceDim returns x[start:limit:stride] along one dimension.
func (e Emitter) SliceDim(x Value, dim int, start, limit, stride int64) Value {
	dims := Sizes(x)
	if start == 0 && limit == dims[dim] && stride == 1 {
		return x
	}
	starts, limits, strides := Repeat(len(dims), 0), slices.Clone(dims), Repeat(len(dims), 1)
	starts[dim], limits[dim], strides[dim] = start, limit, stride
	return e.Slice(x, starts, limits, strides)
}

// Pad pads with zeros.
func (e Emitter) Pad(x Value, low, high, interior []int64) Value {
	return e.PadWith(x, e.Scalar(DTypeOf(x), 0), low, high, interior)
}

// PadWith pads with a scalar.
func (e Emitter) PadWith(x, by Value, low, high, interior []int64) Value {
	if allZero(low) && allZero(high) && allZero(interior) {
		return x
	}
	return e.Value(stablehlo.OpPad, []Value{x, by},
		stablehlo.Named("edge_padding_low", stablehlo.I64s(low...)),
		stablehlo.Named("edge_padding_high", stablehlo.I64s(high...)),
		stablehlo.Named("interior_padding", stablehlo.I64s(interior...)))
}

// Concat joins tensors along a dimension.
func (e Emitter) Concat(dim int, xs ...Value) Value {
	if len(xs) == 1 {
		return xs[0]
	}
	return e.Value(stablehlo.OpConcatenate, xs, stablehlo.Named("dimension", stablehlo.I64(int64(dim))))
}

// Iota returns the indices along a dimension of a shape.
func (e Emitter) Iota(d dtype.Type, dims []int64, dim int) Value {
	return e.Value(stablehlo.OpIota, nil, stablehlo.Named("iota_dimension", stablehlo.I64(int64(dim))),
		stablehlo.Results{stablehlo.Tensor(d, dims...)})
}

// DynamicSlice returns the slice of the given size at index, with one scalar per dimension.
func (e Emitter) DynamicSlice(x Value, index []Value, size ...int64) Value {
	return e.Value(stablehlo.OpDynamicSlice, append([]Value{x}, index...),
		stablehlo.Named("slice_sizes", stablehlo.I64s(size...)))
}

// DynamicUpdate returns x with y written at index.
func (e Emitter) DynamicUpdate(x, y Value, index []Value) Value {
	return e.Value(stablehlo.OpDynamicUpdateSlice, append([]Value{x, y}, index...))
}

// Row returns element i of the first dimension of x, without that dimension.
func (e Emitter) Row(x, i Value) Value {
	dims := Sizes(x)
	one := append([]int64{1}, dims[1:]...)
	return e.Reshape(e.DynamicSlice(x, e.RowIndex(x, i), one...), dims[1:]...)
}

// SetRow returns x with y as element i of its first dimension.
func (e Emitter) SetRow(x, y, i Value) Value {
	one := append([]int64{1}, Sizes(y)...)
	return e.DynamicUpdate(x, e.Reshape(y, one...), e.RowIndex(x, i))
}

// RowIndex returns the start indices of row i of x.
func (e Emitter) RowIndex(x, i Value) []Value {
	index := []Value{i}
	for len(index) < TensorOf(x).Rank() {
		index = append(index, e.Scalar(DTypeOf(i), 0))
	}
	return index
}

// ScalarBody is a region that applies code to its two scalar arguments.
func ScalarBody(code stablehlo.OpCode, d dtype.Type) stablehlo.Body {
	t := stablehlo.Tensor(d)
	return stablehlo.Body{Args: []stablehlo.Type{t, t},
		Build: func(b *stablehlo.Builder, args []Value) ([]Value, error) {
			v, err := b.Value(code, args)
			return []Value{v}, err
		}}
}

// Reduce reduces dimensions with add or another op of scalars.
func (e Emitter) Reduce(code stablehlo.OpCode, x, init Value, dims ...int64) Value {
	return e.Value(stablehlo.OpReduce, []Value{x, init},
		stablehlo.Named("dimensions", stablehlo.I64s(dims...)), ScalarBody(code, DTypeOf(x)))
}

// SumOver returns the sums of x over dimensions.
func (e Emitter) SumOver(x Value, dims ...int64) Value {
	if len(dims) == 0 {
		return x
	}
	return e.Reduce(stablehlo.OpAdd, x, e.Scalar(DTypeOf(x), 0), dims...)
}

// Total returns the sum of all elements of x.
func (e Emitter) Total(x Value) Value { return e.SumOver(x, UpTo(TensorOf(x).Rank())...) }

// Repeat returns n copies of v.
func Repeat(n int, v int64) []int64 { return slices.Repeat([]int64{v}, n) }

func allZero(v []int64) bool { return !slices.ContainsFunc(v, func(x int64) bool { return x != 0 }) }

// UpTo returns 0, 1, …, n-1.
func UpTo(n int) []int64 {
	s := make([]int64, n)
	for i := range s {
		s[i] = int64(i)
	}
	return s
}
