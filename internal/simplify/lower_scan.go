package simplify

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// lowerScan writes chlo.scan as a loop over its positions, whose state is the position, the outputs
// so far and the carries.
func lowerScan(e Emitter, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	inputs, carries, outs := op.OperandGroup(0), op.OperandGroup(1), op.ResultGroup(0)
	dim := int(op.Int("dimension", 0))
	n := op.Int("scan_dim_size", 0)
	if len(inputs) > 0 {
		n = inputs[0].Tensor().Dims[dim]
	}
	state := []*stablehlo.Value{e.Scalar(dtype.S64, 0)}
	for _, o := range outs {
		state = append(state, e.Full(o.Tensor(), 0))
	}
	state = append(state, carries...)
	if n == 0 { // there is no row for a step
		return state[1:], nil
	}
	var types []stablehlo.Type
	for _, v := range state {
		types = append(types, v.Type())
	}
	more := func(e Emitter, args []*stablehlo.Value) []*stablehlo.Value {
		return []*stablehlo.Value{e.Compare("LT", args[0], e.Scalar(dtype.S64, float64(n)))}
	}
	step := func(e Emitter, args []*stablehlo.Value) []*stablehlo.Value {
		at := args[0]
		if op.Bool("is_reverse", false) {
			at = e.Minus(float64(n-1), at)
		}
		var in []*stablehlo.Value
		for _, x := range inputs {
			in = append(in, e.Line(x, dim, at))
		}
		now := e.Inline(op.Regions[0].Block(), append(in, args[1+len(outs):]...)...)
		next := []*stablehlo.Value{e.Add(args[0], e.Scalar(dtype.S64, 1))}
		for j := range outs {
			line := e.Reshape(now[j], slices.Insert(slices.Clone(now[j].Tensor().Dims), dim, 1)...)
			next = append(next, e.DynamicUpdate(args[1+j], line, e.IndexAt(line.Tensor().Rank(), dim, at)))
		}
		return append(next, now[len(outs):]...)
	}
	loop := e.Op(stablehlo.OpWhile, state, e.Body(types, more), e.Body(types, step))
	return loop.Results[1:], nil
}

// Line appends the slice of x at one index of a dimension, without that dimension.
func (e Emitter) Line(x *stablehlo.Value, dim int, at *stablehlo.Value) *stablehlo.Value {
	size := slices.Clone(x.Tensor().Dims)
	size[dim] = 1
	s := e.DynamicSlice(x, e.IndexAt(len(size), dim, at), size...)
	return e.Reshape(s, slices.Delete(slices.Clone(size), dim, dim+1)...)
}

// IndexAt returns the start indices of a slice at one index of a dimension.
func (e Emitter) IndexAt(rank, dim int, at *stablehlo.Value) []*stablehlo.Value {
	index := make([]*stablehlo.Value, rank)
	for d := range index {
		if index[d] = at; d != dim {
			index[d] = e.Fill(at, 0)
		}
	}
	return index
}
