package autodiff

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/stablehlo"
)

// reshape returns x in another shape.
func (e emitter) reshape(x value, dims ...int64) value {
	if slices.Equal(tensorOf(x).Dims, dims) {
		return x
	}
	return e.value(stablehlo.OpReshape, []value{x}, stablehlo.Results{tensorOf(x).WithDims(dims...)})
}

// broadcast returns x in a larger shape; at says which dimension each of x becomes.
func (e emitter) broadcast(x value, dims []int64, at ...int64) value {
	if len(at) == len(dims) && slices.Equal(tensorOf(x).Dims, dims) && slices.IsSorted(at) {
		return x
	}
	return e.value(stablehlo.OpBroadcastInDim, []value{x},
		stablehlo.Named("broadcast_dimensions", stablehlo.I64s(at...)),
		stablehlo.Results{tensorOf(x).WithDims(dims...)})
}

// like returns the scalar x in the shape of y; another x stays as it is.
func (e emitter) like(x, y value) value {
	if tensorOf(x).Rank() > 0 {
		return x
	}
	return e.broadcast(x, sizes(y))
}

// transpose permutes dimensions: result dimension i is dimension perm[i] of x.
func (e emitter) transpose(x value, perm ...int64) value {
	if slices.IsSorted(perm) {
		return x
	}
	return e.value(stablehlo.OpTranspose, []value{x}, stablehlo.Named("permutation", stablehlo.I64s(perm...)))
}

func (e emitter) reverse(x value, dims ...int64) value {
	if len(dims) == 0 {
		return x
	}
	return e.value(stablehlo.OpReverse, []value{x}, stablehlo.Named("dimensions", stablehlo.I64s(dims...)))
}

func (e emitter) slice(x value, start, limit, strides []int64) value {
	return e.value(stablehlo.OpSlice, []value{x},
		stablehlo.Named("start_indices", stablehlo.I64s(start...)),
		stablehlo.Named("limit_indices", stablehlo.I64s(limit...)),
		stablehlo.Named("strides", stablehlo.I64s(strides...)))
}

// sliceDim returns x[start:limit:stride] along one dimension.
func (e emitter) sliceDim(x value, dim int, start, limit, stride int64) value {
	dims := sizes(x)
	if start == 0 && limit == dims[dim] && stride == 1 {
		return x
	}
	starts, limits, strides := fillInts(len(dims), 0), slices.Clone(dims), fillInts(len(dims), 1)
	starts[dim], limits[dim], strides[dim] = start, limit, stride
	return e.slice(x, starts, limits, strides)
}

// pad pads with zeros.
func (e emitter) pad(x value, low, high, interior []int64) value {
	return e.padWith(x, e.scalar(dtypeOf(x), 0), low, high, interior)
}

func (e emitter) padWith(x, by value, low, high, interior []int64) value {
	if allZero(low) && allZero(high) && allZero(interior) {
		return x
	}
	return e.value(stablehlo.OpPad, []value{x, by},
		stablehlo.Named("edge_padding_low", stablehlo.I64s(low...)),
		stablehlo.Named("edge_padding_high", stablehlo.I64s(high...)),
		stablehlo.Named("interior_padding", stablehlo.I64s(interior...)))
}

func (e emitter) concat(dim int, xs ...value) value {
	if len(xs) == 1 {
		return xs[0]
	}
	return e.value(stablehlo.OpConcatenate, xs, stablehlo.Named("dimension", stablehlo.I64(int64(dim))))
}

func (e emitter) iota(d dtype.Type, dims []int64, dim int) value {
	return e.value(stablehlo.OpIota, nil, stablehlo.Named("iota_dimension", stablehlo.I64(int64(dim))),
		stablehlo.Results{stablehlo.Tensor(d, dims...)})
}

// dynamicSlice returns the slice of the given size at index, one scalar a dimension.
func (e emitter) dynamicSlice(x value, index []value, size ...int64) value {
	return e.value(stablehlo.OpDynamicSlice, append([]value{x}, index...),
		stablehlo.Named("slice_sizes", stablehlo.I64s(size...)))
}

// dynamicUpdate returns x with y written at index.
func (e emitter) dynamicUpdate(x, y value, index []value) value {
	return e.value(stablehlo.OpDynamicUpdateSlice, append([]value{x, y}, index...))
}

// row returns element i of the first dimension of x, without that dimension.
func (e emitter) row(x, i value) value {
	dims := sizes(x)
	one := append([]int64{1}, dims[1:]...)
	return e.reshape(e.dynamicSlice(x, e.rowIndex(x, i), one...), dims[1:]...)
}

// setRow returns x with y as element i of its first dimension.
func (e emitter) setRow(x, y, i value) value {
	one := append([]int64{1}, sizes(y)...)
	return e.dynamicUpdate(x, e.reshape(y, one...), e.rowIndex(x, i))
}

// rowIndex returns the indices of the start of row i of x.
func (e emitter) rowIndex(x, i value) []value {
	index := []value{i}
	for len(index) < tensorOf(x).Rank() {
		index = append(index, e.scalar(dtypeOf(i), 0))
	}
	return index
}

// scalarBody is a region that computes code of its two scalar arguments.
func scalarBody(code stablehlo.OpCode, d dtype.Type) stablehlo.Body {
	t := stablehlo.Tensor(d)
	return stablehlo.Body{Args: []stablehlo.Type{t, t}, Build: func(b *stablehlo.Builder, args []value) ([]value, error) {
		v, err := b.Value(code, args)
		return []value{v}, err
	}}
}

// reduce folds dimensions with add or another op of scalars.
func (e emitter) reduce(code stablehlo.OpCode, x, init value, dims ...int64) value {
	return e.value(stablehlo.OpReduce, []value{x, init},
		stablehlo.Named("dimensions", stablehlo.I64s(dims...)), scalarBody(code, dtypeOf(x)))
}

// sumOver adds up dimensions of x.
func (e emitter) sumOver(x value, dims ...int64) value {
	if len(dims) == 0 {
		return x
	}
	return e.reduce(stablehlo.OpAdd, x, e.scalar(dtypeOf(x), 0), dims...)
}

// total adds up all of x.
func (e emitter) total(x value) value { return e.sumOver(x, simplify.UpTo(tensorOf(x).Rank())...) }

func fillInts(n int, v int64) []int64 { return slices.Repeat([]int64{v}, n) }

func allZero(v []int64) bool { return !slices.ContainsFunc(v, func(x int64) bool { return x != 0 }) }

// product returns the number of elements of a shape.
func product(dims []int64) int64 {
	n := int64(1)
	for _, d := range dims {
		n *= d
	}
	return n
}

// intsOr returns an attribute that is a list of n integers, or n times def
// where it is absent.
func intsOr(op *stablehlo.Op, name string, n int, def int64) []int64 {
	if v := op.Ints(name); v != nil {
		return v
	}
	return fillInts(n, def)
}

// paddingOf returns the low and high padding of a window op of n dimensions.
func paddingOf(op *stablehlo.Op, n int) (low, high []int64) {
	p := intsOr(op, "padding", 2*n, 0)
	for i := range n {
		low, high = append(low, p[2*i]), append(high, p[2*i+1])
	}
	return low, high
}

// dilatedSize returns the extent of n elements that stand by places apart.
func dilatedSize(n, by int64) int64 { return max(0, (n-1)*by+1) }

// indexType returns the narrower of i32 and i64 that counts n elements.
func indexType(n int64) dtype.Type {
	if n < 1<<31 {
		return dtype.S32
	}
	return dtype.S64
}
