package simplify

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// lowerReduceWindow writes a reduction of large windows as elementwise ops, one dimension after
// another, the last first. Regions of a single operation have faster implementations.
func lowerReduceWindow(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	n := len(op.Operands) / 2
	body := op.Regions[0].Block()
	rank := op.Operands[0].Tensor().Rank()
	size := ListOr(op, "window_dimensions", rank, 1)
	if promoted, err := promoteOperands(e, op); promoted != nil || err != nil {
		return promoted, err
	}
	elements, along, minElems := 1, 0, minDoubled
	for _, k := range size {
		elements = min(elements*int(min(k, minDoubled)), minDoubled)
		if k > 1 {
			along++
		}
	}
	if n > 1 && along == 1 {
		minElems = MinScan
	}
	if elements < minElems || slices.Contains(op.Results[0].Tensor().Dims, 0) || n == 1 && len(body.Ops) == 2 ||
		!IsLiftable(body) {
		return nil, nil
	}
	base, step, stride := ListOr(op, "base_dilations", rank, 1), ListOr(op, "window_dilations", rank, 1),
		ListOr(op, "window_strides", rank, 1)
	padding := ListOr(op, "padding", 2*rank, 0)
	low, high, interior := make([]int64, rank), make([]int64, rank), make([]int64, rank)
	for d := range rank {
		low[d], high[d], interior[d] = padding[2*d], padding[2*d+1], base[d]-1
	}
	inits, xs := op.Operands[n:], slices.Clone(op.Operands[:n])
	for i, x := range xs {
		xs[i] = e.PadWith(x, inits[i], low, high, interior)
	}
	for d := rank - 1; d >= 0; d-- {
		xs = e.reduceSliding(body, xs, d, size[d], step[d])
		for i, x := range xs {
			strides := slices.Repeat([]int64{1}, rank)
			strides[d] = stride[d]
			dims := slices.Clone(x.Tensor().Dims)
			dims[d] = (dims[d]-1)/stride[d] + 1
			xs[i] = e.SliceSized(x, make([]int64, rank), strides, dims)
		}
	}
	dims := xs[0].Tensor().Dims
	args := make([]*stablehlo.Value, 0, 2*n)
	for _, init := range inits {
		args = append(args, e.Broadcast(init, dims))
	}
	return e.Lifted(body, append(args, xs...)), nil
}

// reduceSliding replaces dimension d by the reductions of its windows of size elements, with a
// stride of step. The reduction of a+b elements combines that of a elements with that of b
// elements, a positions further.
func (e Emitter) reduceSliding(body *stablehlo.Block, xs []*stablehlo.Value, d int,
	size, step int64) []*stablehlo.Value {
	join := func(as []*stablehlo.Value, a int64, bs []*stablehlo.Value) []*stablehlo.Value {
		dims := slices.Clone(bs[0].Tensor().Dims)
		dims[d] -= a * step
		first, second := make([]int64, len(dims)), make([]int64, len(dims))
		second[d] = a * step
		unit := slices.Repeat([]int64{1}, len(dims))
		args := make([]*stablehlo.Value, 0, 2*len(as))
		for _, x := range as {
			args = append(args, e.SliceSized(x, first, unit, dims))
		}
		for _, x := range bs {
			args = append(args, e.SliceSized(x, second, unit, dims))
		}
		return e.Lifted(body, args)
	}
	return Doubling(size, xs, join)
}

// Doubling reduces size neighbours in a number of steps logarithmic in size: xs are the reductions
// of one element, and join combines the reductions of a elements with those of b elements that
// start a positions further.
func Doubling[F any](size int64, xs F, join func(as F, a int64, bs F) F) F {
	var result F // of the first elements of each window, done in number
	done := int64(0)
	for power := int64(1); ; power *= 2 { // xs are the reductions of that number of elements
		switch {
		case size&power == 0:
		case done == 0:
			result, done = xs, power
		default:
			result, done = join(result, done, xs), done+power
		}
		if done == size {
			return result
		}
		xs = join(xs, power, xs)
	}
}

// Lifted applies a region of scalars to each element of tensors of one shape.
func (e Emitter) Lifted(b *stablehlo.Block, args []*stablehlo.Value) []*stablehlo.Value {
	l := &lift{Emitter: e, dims: args[0].Tensor().Dims, values: map[*stablehlo.Value]*stablehlo.Value{}}
	return l.block(b, args)
}

// ListOr returns a list attribute, or n copies of def if it is absent.
func ListOr(op *stablehlo.Op, name string, n int, def int64) []int64 {
	if v := op.Ints(name); v != nil {
		return v
	}
	return slices.Repeat([]int64{def}, n)
}
