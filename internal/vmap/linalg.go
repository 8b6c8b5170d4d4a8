package vmap

import (
	"slices"

	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// batchDotGeneral makes the batch another batching dimension if both operands are batches, and
// another free dimension if one is: a product with shared weights stays one matrix product.
func batchDotGeneral(t *batcher, op *stablehlo.Op) {
	old, ok := op.Attr("dot_dimension_numbers").(*stablehlo.DotDims)
	if !ok {
		emit.Fail("%s must have dimension numbers", op.Name())
	}
	x, y := op.Operands[0], op.Operands[1]
	dims := *old
	if t.marked[x] {
		dims.LHSBatching, dims.LHSContracting = shifted(dims.LHSBatching), shifted(dims.LHSContracting)
	}
	if t.marked[y] {
		dims.RHSBatching, dims.RHSContracting = shifted(dims.RHSBatching), shifted(dims.RHSContracting)
	}
	at := len(dims.LHSBatching) // of the batch in the result
	switch {
	case t.marked[x] && t.marked[y]:
		at = 0
		dims.LHSBatching, dims.RHSBatching = prepend(0, dims.LHSBatching), prepend(0, dims.RHSBatching)
	case t.marked[y]:
		at = emit.TensorOf(x).Rank() - len(dims.LHSContracting)
	}
	result := emit.TensorOf(op.Result())
	parts := []stablehlo.OpPart{
		stablehlo.Results{result.WithDims(slices.Insert(slices.Clone(result.Dims), at, t.size)...)}}
	for _, a := range op.Attrs {
		if a.Name == "dot_dimension_numbers" {
			a.Value = &dims
		}
		parts = append(parts, a)
	}
	t.set(op, t.moveAxis(t.Value(op.Code, []value{t.get(x), t.get(y)}, parts...), at, 0))
}

// batchConvolution makes the batch a part of the batch dimension of the input, of the output
// features of the kernel, or of the groups if both are batches.
func batchConvolution(t *batcher, op *stablehlo.Op) {
	d, ok := op.Attr("dimension_numbers").(*stablehlo.ConvDims)
	if !ok {
		emit.Fail("%s must have dimension numbers", op.Name())
	}
	x, kernel := op.Operands[0], op.Operands[1]
	features, batches := op.Int("feature_group_count", 1), op.Int("batch_group_count", 1)
	c := convolution{t: t, op: op, features: features, batches: batches}
	switch {
	case !t.marked[kernel]: // result[bg, n, b, …] of input[bg, n, b, …]
		in := t.merge(t.get(x), int(d.InputBatch), batches)
		c.emit(in, t.get(kernel), d.OutputBatch, 1)
	case !t.marked[x]: // result[…, g, n, o] of kernel[…, g, n, o]
		groups := features * batches
		k := t.merge(t.get(kernel), int(d.KernelOutputFeature), groups)
		c.emit(t.get(x), k, d.OutputFeature, groups)
	case batches > 1: // result[…, n, bg, o] of input[n, bg, b] and kernel[…, n, bg, o]
		c.batches *= t.size
		in := t.merge(t.get(x), int(d.InputBatch), 1)
		k := t.merge(t.get(kernel), int(d.KernelOutputFeature), 1)
		c.emit(in, k, d.OutputFeature, 1)
	default: // result[…, n, g, o] of input[…, n, g, i] and kernel[…, n, g, o]
		c.features *= t.size
		in := t.merge(t.get(x), int(d.InputFeature), 1)
		k := t.merge(t.get(kernel), int(d.KernelOutputFeature), 1)
		c.emit(in, k, d.OutputFeature, 1)
	}
}

// merge merges the batch into dimension dim of x, which consists of groups: dim becomes [groups,
// batch, rest].
func (t *batcher) merge(x value, dim int, groups int64) value {
	dims := emit.Sizes(x)[1:]
	split := slices.Concat(dims[:dim], []int64{groups, dims[dim] / groups}, dims[dim+1:])
	x = t.Reshape(x, prepend(t.size, split)...)
	x = t.moveAxis(x, 0, dim+1)
	merged := slices.Clone(dims)
	merged[dim] *= t.size
	return t.Reshape(x, merged...)
}

// separate reverts merge.
func (t *batcher) separate(x value, dim int, groups int64) value {
	dims := emit.Sizes(x)
	n := dims[dim] / max(1, t.size)
	x = t.Reshape(x, slices.Concat(dims[:dim], []int64{groups, t.size, n / groups}, dims[dim+1:])...)
	x = t.moveAxis(x, dim+1, 0)
	merged := slices.Clone(dims)
	merged[dim] = n
	return t.Reshape(x, prepend(t.size, merged)...)
}

// convolution is a convolution with another number of groups.
type convolution struct {
	t                 *batcher
	op                *stablehlo.Op
	features, batches int64
}

// emit appends the convolution of merged operands, whose result has the batch in dimension dim,
// which consists of groups.
func (c convolution) emit(x, kernel value, dim, groups int64) {
	result := emit.TensorOf(c.op.Result())
	dims := slices.Clone(result.Dims)
	dims[dim] *= c.t.size
	conv := stablehlo.NewOp(c.op.Code, []value{x, kernel}, []stablehlo.Type{result.WithDims(dims...)}, c.op.Attrs...)
	conv.Loc = c.op.Loc
	conv.SetAttr("feature_group_count", stablehlo.I64(c.features))
	conv.SetAttr("batch_group_count", stablehlo.I64(c.batches))
	if err := stablehlo.CheckOp(conv); err != nil {
		emit.FailWith(err)
	}
	y := c.t.B.Block().Append(conv).Result()
	c.t.set(c.op, c.t.separate(y, int(dim), groups))
}
