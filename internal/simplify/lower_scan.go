package simplify

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// lowerScan writes chlo.scan as a loop over its positions, whose state is the
// position, the outputs so far and the carries.
func lowerScan(w *writer, op *stablehlo.Op) ([]*stablehlo.Value, error) {
	inputs, carries, outs := op.OperandGroup(0), op.OperandGroup(1), op.ResultGroup(0)
	dim := int(op.Int("dimension", 0))
	n := op.Int("scan_dim_size", 0)
	if len(inputs) > 0 {
		n = inputs[0].Tensor().Dims[dim]
	}
	count := stablehlo.Tensor(dtype.S64)
	state := []*stablehlo.Value{w.number(count, 0)}
	for _, o := range outs {
		state = append(state, w.number(o.Tensor(), 0))
	}
	state = append(state, carries...)

	var types []stablehlo.Type
	for _, v := range state {
		types = append(types, v.Type())
	}
	loop := stablehlo.NewOp(stablehlo.OpWhile, state, types)
	more := loop.AddRegion(types...)
	c := &writer{from: w.from}
	c.end(more, c.compare("LT", more.Args[0], c.number(count, float64(n))))

	b := loop.AddRegion(types...)
	i := &writer{from: w.from}
	at := b.Args[0]
	if op.Bool("is_reverse", false) {
		at = i.binary(stablehlo.OpSubtract, i.number(count, float64(n-1)), at)
	}
	var in []*stablehlo.Value
	for _, x := range inputs {
		in = append(in, i.line(x, dim, at))
	}
	now := i.body(op.Regions[0].Block(), append(in, b.Args[1+len(outs):]...)...)
	next := []*stablehlo.Value{i.binary(stablehlo.OpAdd, b.Args[0], i.number(count, 1))}
	for j := range outs {
		line := i.reshape(now[j], slices.Insert(slices.Clone(now[j].Tensor().Dims), dim, 1)...)
		in := append([]*stablehlo.Value{b.Args[1+j], line}, i.indexAt(line.Tensor().Rank(), dim, at)...)
		next = append(next, i.op(stablehlo.OpDynamicUpdateSlice, b.Args[1+j].Type(), in))
	}
	i.end(b, append(next, now[len(outs):]...)...)
	return w.append(loop).Results[1:], nil
}

// end puts the ops written into a block that returns values.
func (w *writer) end(b *stablehlo.Block, values ...*stablehlo.Value) {
	w.append(stablehlo.NewOp(stablehlo.OpReturn, values, nil))
	b.SetOps(w.ops)
}

// line writes the slice of x at one place of a dimension, without that dimension.
func (w *writer) line(x *stablehlo.Value, dim int, at *stablehlo.Value) *stablehlo.Value {
	size := slices.Clone(x.Tensor().Dims)
	size[dim] = 1
	in := append([]*stablehlo.Value{x}, w.indexAt(len(size), dim, at)...)
	s := w.op(stablehlo.OpDynamicSlice, x.Tensor().WithDims(size...), in,
		stablehlo.Named("slice_sizes", stablehlo.I64s(size...)))
	return w.reshape(s, slices.Delete(slices.Clone(size), dim, dim+1)...)
}

// indexAt returns the start indices of a slice at one place of a dimension.
func (w *writer) indexAt(rank, dim int, at *stablehlo.Value) []*stablehlo.Value {
	index := make([]*stablehlo.Value, rank)
	for d := range index {
		if index[d] = at; d != dim {
			index[d] = w.number(at.Tensor(), 0)
		}
	}
	return index
}
