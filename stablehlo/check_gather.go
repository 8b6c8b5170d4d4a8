package stablehlo

import "slices"

// indexChecks are the checks of gather and scatter.
var indexChecks = checkRows{
	{OpGather, checkGather},
	{OpDynamicGather, checkDynamicGather},
	{OpScatter, checkScatter},
}

func checkGather(c *check) {
	d, ok := structOf[*GatherDims](c, "dimension_numbers")
	if ok {
		c.gather("gather", d, c.Ints("slice_sizes"), true)
	}
}

func checkDynamicGather(c *check) {
	d, ok := structOf[*GatherDims](c, "dimension_numbers")
	sizes := c.arg(2)
	if !ok || sizes == nil || c.arg(0) == nil {
		return
	}
	if !c.require(sizes.Rank() == 1 && sizes.Dims[0] == int64(c.arg(0).Rank()), "dynamic_gather_c20",
		"slice_sizes %s must hold one size for each of the %d dimensions of operand", sizes, c.arg(0).Rank()) {
		return
	}
	if list, known := constInts(c.Operands[2]); known {
		c.gather("dynamic_gather", d, list, true)
		return
	}
	unknown := make([]int64, sizes.Dims[0])
	for i := range unknown {
		unknown[i] = Dynamic
	}
	c.gather("dynamic_gather", d, unknown, false)
}

// gather checks both ops: their constraints have the same numbers. The slice
// sizes are Dynamic when they are not known.
func (c *check) gather(op string, d *GatherDims, sizes []int64, known bool) {
	operand, indices := c.arg(0), c.arg(1)
	if operand == nil || indices == nil || !c.gatherDims(op, d, operand, indices) {
		return
	}
	if !c.require(len(sizes) == operand.Rank(), op+"_c20", "slice_sizes %s has %d values for an operand of rank %d",
		dimsText(sizes), len(sizes), operand.Rank()) {
		return
	}
	if known && !c.sliceSizes(op, d, sizes, operand) {
		return
	}
	rank := len(d.OffsetDims) + indices.Rank()
	if d.IndexVectorDim < int64(indices.Rank()) {
		rank--
	}
	if !c.inRange(op+"_c5", dimList{"offset_dims", d.OffsetDims}, rank, "the result") {
		return
	}
	c.inferBy(op+"_c22", gatherType(d, operand, indices, sizes, rank))
}

// gatherDims checks the dimension numbers against the operands.
func (c *check) gatherDims(op string, d *GatherDims, operand, indices *TensorType) bool {
	n, vector := operand.Rank(), d.IndexVectorDim
	implied := len(d.OffsetDims) + len(d.CollapsedSliceDims) + len(d.OperandBatchingDims)
	if !c.require(n == implied, op+"_c1",
		"operand has rank %d, but offset_dims %s, collapsed_slice_dims %s and operand_batching_dims %s name %d dimensions",
		n, dimsText(d.OffsetDims), dimsText(d.CollapsedSliceDims), dimsText(d.OperandBatchingDims), implied) ||
		!c.require(vector >= 0 && vector <= int64(indices.Rank()), op+"_c2",
			"index_vector_dim is %d, but start_indices has rank %d", vector, indices.Rank()) ||
		!c.require(compatibleSize(int64(len(d.StartIndexMap)), vectorSize(indices.Dims, vector)), op+"_c3",
			"start_index_map %s has %d values, but an index has %s", dimsText(d.StartIndexMap), len(d.StartIndexMap),
			dimText(vectorSize(indices.Dims, vector))) {
		return false
	}
	offset := dimList{"offset_dims", d.OffsetDims}
	collapsed := dimList{"collapsed_slice_dims", d.CollapsedSliceDims}
	indexMap := dimList{"start_index_map", d.StartIndexMap}
	b := batching{operand.Dims, indices.Dims, vector,
		dimList{"operand_batching_dims", d.OperandBatchingDims}, "operand",
		dimList{"start_indices_batching_dims", d.StartIndicesBatching}, "start_indices"}
	return c.sorted(op+"_c4", offset) && c.distinct(op+"_c4", offset) &&
		c.distinct(op+"_c6", collapsed, b.from) &&
		c.sorted(op+"_c7", collapsed) && c.inRange(op+"_c8", collapsed, n, "operand") &&
		c.sorted(op+"_c10", b.from) && c.inRange(op+"_c11", b.from, n, "operand") &&
		c.distinct(op+"_c13", b.by) && c.inRange(op+"_c14", b.by, indices.Rank(), "start_indices") &&
		c.batchDims(b, op+"_c15", op+"_c16", op+"_c17") &&
		c.distinct(op+"_c18", indexMap, b.from) && c.inRange(op+"_c19", indexMap, n, "operand")
}

// sliceSizes checks known slice sizes.
func (c *check) sliceSizes(op string, d *GatherDims, sizes []int64, operand *TensorType) bool {
	one := func(constraint string, l dimList) bool {
		for _, k := range l.dims {
			if !c.require(sizes[k] <= 1, constraint, "slice_sizes[%d] is %d, but a dimension of %s is sliced one at a time",
				k, sizes[k], l.name) {
				return false
			}
		}
		return true
	}
	if !one(op+"_c9", dimList{"collapsed_slice_dims", d.CollapsedSliceDims}) ||
		!one(op+"_c12", dimList{"operand_batching_dims", d.OperandBatchingDims}) {
		return false
	}
	for i, n := range sizes {
		if !c.require(n >= 0 && (operand.Dims[i] == Dynamic || n <= operand.Dims[i]), op+"_c21",
			"slice_sizes[%d] is %d, but dimension %d of operand has size %s", i, n, i, dimText(operand.Dims[i])) {
			return false
		}
	}
	return true
}

// gatherType returns the result type: slices at offset_dims, and the shape of
// the indices without the dimension of the index vectors at the others.
func gatherType(d *GatherDims, operand, indices *TensorType, sizes []int64, rank int) *TensorType {
	var slice []int64
	single := marked(len(sizes), d.CollapsedSliceDims, d.OperandBatchingDims)
	for i, n := range sizes {
		if !single[i] {
			slice = append(slice, n)
		}
	}
	out := make([]size, rank)
	offset := marked(rank, d.OffsetDims)
	next := 0 // dimension of indices
	for i := range out {
		if offset[i] {
			out[i] = size{slice[0], Dynamic}
			slice = slice[1:]
			continue
		}
		if next == int(d.IndexVectorDim) {
			next++
		}
		out[i] = sizeAt(indices, next)
		next++
	}
	return tensorOf(operand.Elem, out)
}

// vectorSize returns how many numbers an index of gather or scatter has.
func vectorSize(indices []int64, vector int64) int64 {
	if vector == int64(len(indices)) {
		return 1
	}
	return indices[vector]
}

// batching pairs the batch dimensions of the operand of a gather or scatter with those of its indices, whose
// index vectors are along the dimension vector.
type batching struct {
	operand, indices []int64 // shapes
	vector           int64
	from             dimList // of the operand
	fromName         string
	by               dimList // of the indices
	byName           string
}

// batchDims checks that the pairs have equal sizes and do not include the dimension of index vectors.
func (c *check) batchDims(b batching, vectorID, countID, sizeID string) bool {
	if !c.require(!slices.Contains(b.by.dims, b.vector), vectorID, "%s %s holds index_vector_dim %d", b.by.name,
		dimsText(b.by.dims), b.vector) ||
		!c.require(len(b.from.dims) == len(b.by.dims), countID, "%s %s and %s %s differ in length",
			b.from.name, dimsText(b.from.dims), b.by.name, dimsText(b.by.dims)) {
		return false
	}
	for i, k := range b.from.dims {
		m := b.by.dims[i]
		if !c.require(compatibleSize(b.operand[k], b.indices[m]), sizeID,
			"batch dimension %d of %s has size %s, but dimension %d of %s has size %s",
			k, b.fromName, dimText(b.operand[k]), m, b.byName, dimText(b.indices[m])) {
			return false
		}
	}
	return true
}
