package vmap

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// batchDynamicSlice slices all elements at the same indices, or gathers slices at separate indices.
func batchDynamicSlice(t *batcher, op *stablehlo.Op) {
	x, starts := op.Operands[0], op.Operands[1:]
	sizes := op.Ints("slice_sizes")
	if !t.anyMarked(starts) {
		index := t.atStart(t.all(starts))
		t.set(op, t.DynamicSlice(t.lift(x), index, prepend(t.size, sizes)...))
		return
	}
	dims := &stablehlo.GatherDims{IndexVectorDim: 1, StartIndexMap: emit.UpTo(len(sizes))}
	t.gather(op, t.get(x), t.indexVectors(starts), t.marked[x], true, dims, sizes, false)
}

// batchDynamicUpdateSlice updates slices at the same indices of all elements, or scatters them at
// separate indices. Scatter drops updates out of bounds, so the indices are clamped first, as the
// op does.
func batchDynamicUpdateSlice(t *batcher, op *stablehlo.Op) {
	x, update, starts := op.Operands[0], op.Operands[1], op.Operands[2:]
	if !t.anyMarked(starts) {
		t.set(op, t.DynamicUpdate(t.lift(x), t.lift(update), t.atStart(t.all(starts))))
		return
	}
	index := t.indexVectors(starts)
	sizes, window := emit.Sizes(x), emit.Sizes(update)
	last := make([]int64, len(sizes))
	for i := range last {
		last[i] = sizes[i] - window[i]
	}
	d := emit.DTypeOf(index)
	shape := emit.Sizes(index)
	low := t.Full(stablehlo.Tensor(d, shape...), 0)
	high := t.Broadcast(t.Ints(d, last...), shape, 1)
	index = t.Value(stablehlo.OpClamp, []value{low, index, high})
	dims := &stablehlo.ScatterDims{
		UpdateWindowDims: shifted(emit.UpTo(len(sizes))), ScatterDimsToOperandDims: shifted(emit.UpTo(len(sizes))),
		InputBatchingDims: []int64{0}, ScatterIndicesBatching: []int64{0}, IndexVectorDim: 1,
	}
	scalar := emit.TensorOf(x).WithDims()
	replace := stablehlo.Body{Args: []stablehlo.Type{scalar, scalar},
		Build: func(_ *stablehlo.Builder, args []value) ([]value, error) { return args[1:], nil }}
	t.set(op, t.Value(stablehlo.OpScatter, []value{t.lift(x), index, t.lift(update)},
		stablehlo.Named("scatter_dimension_numbers", dims), stablehlo.Named("unique_indices", stablehlo.BoolAttr(true)),
		replace))
}

// atStart prepends the start index of the batch dimension.
func (t *batcher) atStart(index []value) []value {
	d := dtype.S32
	if len(index) > 0 {
		d = emit.DTypeOf(index[0])
	}
	return append([]value{t.Scalar(d, 0)}, index...)
}

// indexVectors concatenates a scalar for each dimension, some of them batches, to a vector for each
// element of the batch.
func (t *batcher) indexVectors(starts []value) value {
	columns := make([]value, len(starts))
	for i, s := range starts {
		columns[i] = t.Reshape(t.lift(s), t.size, 1)
	}
	return t.Concat(1, columns...)
}

// batchGather makes the batch a batching dimension if each element has separate indices, else
// another dimension of the slices.
func batchGather(t *batcher, op *stablehlo.Op) {
	old, ok := op.Attr("dimension_numbers").(*stablehlo.GatherDims)
	if !ok {
		emit.Fail("%s must have dimension numbers", op.Name())
	}
	dims := *old
	x, index := op.Operands[0], op.Operands[1]
	if t.marked[index] {
		dims.IndexVectorDim++
		dims.StartIndicesBatching = shifted(dims.StartIndicesBatching)
	}
	t.gather(op, t.get(x), t.get(index), t.marked[x], t.marked[index], &dims, op.Ints("slice_sizes"),
		op.Bool("indices_are_sorted", false))
}

// gather appends a gather that replaces op. The dimension numbers of the indices are those of the
// new ones; the others are still those of one element.
func (t *batcher) gather(op *stablehlo.Op, x, index value, ofBatch, byBatch bool, dims *stablehlo.GatherDims,
	sizes []int64, sorted bool) {
	if op.Code == stablehlo.OpDynamicSlice {
		dims.OffsetDims = emit.UpTo(len(sizes))
	}
	dims.OffsetDims = shifted(dims.OffsetDims)
	if ofBatch {
		dims.CollapsedSliceDims = shifted(dims.CollapsedSliceDims)
		dims.OperandBatchingDims = shifted(dims.OperandBatchingDims)
		dims.StartIndexMap = shifted(dims.StartIndexMap)
		if byBatch {
			sizes = prepend(1, sizes)
			dims.OperandBatchingDims = prepend(0, dims.OperandBatchingDims)
			dims.StartIndicesBatching = prepend(0, dims.StartIndicesBatching)
		} else {
			sizes = prepend(t.size, sizes)
			dims.OffsetDims = prepend(0, dims.OffsetDims)
		}
	}
	sorted = sorted && !byBatch
	t.set(op, t.Value(stablehlo.OpGather, []value{x, index},
		stablehlo.Named("dimension_numbers", dims), stablehlo.Named("slice_sizes", stablehlo.I64s(sizes...)),
		stablehlo.Named("indices_are_sorted", stablehlo.BoolAttr(sorted))))
}

// batchScatter makes the batch a batching dimension if each element has separate indices, else a
// part of the window.
func batchScatter(t *batcher, op *stablehlo.Op) {
	old, ok := op.Attr("scatter_dimension_numbers").(*stablehlo.ScatterDims)
	if !ok {
		emit.Fail("%s must have dimension numbers", op.Name())
	}
	n := (len(op.Operands) - 1) / 2
	index := op.Operands[n]
	dims := *old
	dims.UpdateWindowDims = shifted(dims.UpdateWindowDims)
	dims.InsertedWindowDims = shifted(dims.InsertedWindowDims)
	dims.InputBatchingDims = shifted(dims.InputBatchingDims)
	dims.ScatterDimsToOperandDims = shifted(dims.ScatterDimsToOperandDims)
	if t.marked[index] {
		dims.IndexVectorDim++
		dims.InputBatchingDims = prepend(0, dims.InputBatchingDims)
		dims.ScatterIndicesBatching = prepend(0, shifted(dims.ScatterIndicesBatching))
	} else {
		dims.UpdateWindowDims = prepend(0, dims.UpdateWindowDims)
	}
	operands := slices.Concat(t.lifted(op.Operands[:n]), []value{t.get(index)}, t.lifted(op.Operands[n+1:]))
	t.emit(op, operands, func(c *stablehlo.Op) {
		c.SetAttr("scatter_dimension_numbers", &dims)
		if t.marked[index] {
			c.SetAttr("indices_are_sorted", nil)
		}
	})
}
