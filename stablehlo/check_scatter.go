package stablehlo

import "slices"

func checkScatter(c *check) {
	n := len(c.Operands) / 2
	if !c.require(n > 0 && len(c.Operands) == 2*n+1, "scatter_c5",
		"has %d operands, but needs as many updates as inputs, at least one, and scatter_indices between them",
		len(c.Operands)) {
		return
	}
	inputs, updates := c.tensors(c.Operands[:n]), c.tensors(c.Operands[n+1:])
	indices := c.arg(n)
	d, ok := structOf[*ScatterDims](c, "scatter_dimension_numbers")
	if !ok || inputs == nil || updates == nil || indices == nil {
		return
	}
	if !c.sameShapes("scatter_c1", "input", inputs) || !c.sameShapes("scatter_c3", "update", updates) ||
		!c.require(d.IndexVectorDim >= 0 && d.IndexVectorDim <= int64(indices.Rank()), "scatter_c22",
			"index_vector_dim is %d, but scatter_indices has rank %d", d.IndexVectorDim, indices.Rank()) {
		return
	}
	inits := make([]*TensorType, n)
	for i, t := range updates {
		inits[i] = t.WithDims()
	}
	acc, ok := c.reducer(reducer{constraint: "scatter_c23", typeConstraint: "scatter_c6", inputs: inputs, inits: inits})
	if !ok {
		return
	}
	for i := range n {
		if !c.scatterDims(d, inputs[i], indices, updates[i]) || !c.updateShape(d, inputs[i], indices, updates[i]) {
			return
		}
	}
	types := make([]Type, n)
	for i, t := range inputs {
		types[i] = t.WithElem(acc[i].Elem)
	}
	c.inferBy("scatter_c24", types...)
}

// scatterDims checks the rank of an update and the dimension numbers.
func (c *check) scatterDims(d *ScatterDims, input, indices, update *TensorType) bool {
	n, vector := input.Rank(), d.IndexVectorDim
	want := indices.Rank() + len(d.UpdateWindowDims)
	if vector < int64(indices.Rank()) {
		want--
	}
	if !c.require(update.Rank() == want, "scatter_c4",
		"the update %s has rank %d, but scatter_indices %s and update_window_dims %s make %d",
		update, update.Rank(), indices, dimsText(d.UpdateWindowDims), want) {
		return false
	}
	implied := len(d.UpdateWindowDims) + len(d.InsertedWindowDims) + len(d.InputBatchingDims)
	if !c.require(n == implied, "scatter_c2",
		"the input has rank %d, but update_window_dims %s, inserted_window_dims %s and input_batching_dims %s name %d "+
			"dimensions",
		n, dimsText(d.UpdateWindowDims), dimsText(d.InsertedWindowDims), dimsText(d.InputBatchingDims), implied) {
		return false
	}
	window := dimList{"update_window_dims", d.UpdateWindowDims}
	inserted := dimList{"inserted_window_dims", d.InsertedWindowDims}
	to := dimList{"scatter_dims_to_operand_dims", d.ScatterDimsToOperandDims}
	b := batching{input.Dims, indices.Dims, vector,
		dimList{"input_batching_dims", d.InputBatchingDims}, "the input",
		dimList{"scatter_indices_batching_dims", d.ScatterIndicesBatching}, "scatter_indices"}
	size := vectorSize(indices.Dims, vector)
	return c.sorted("scatter_c7", window) && c.distinct("scatter_c7", window) &&
		c.inRange("scatter_c8", window, update.Rank(), "the update") &&
		c.distinct("scatter_c9", inserted, b.from) &&
		c.sorted("scatter_c10", inserted) && c.inRange("scatter_c11", inserted, n, "the input") &&
		c.sorted("scatter_c12", b.from) && c.inRange("scatter_c13", b.from, n, "the input") &&
		c.distinct("scatter_c14", b.by) && c.inRange("scatter_c15", b.by, indices.Rank(), "scatter_indices") &&
		c.batchDims(b, "scatter_c16", "scatter_c17", "scatter_c18") &&
		c.require(compatibleSize(int64(len(to.dims)), size), "scatter_c19",
			"scatter_dims_to_operand_dims %s has %d values, but an index has %s", dimsText(to.dims),
			len(to.dims), dimText(size)) &&
		c.distinct("scatter_c20", to, b.from) && c.inRange("scatter_c21", to, n, "the input")
}

// updateShape checks that an update of the right rank has the shape of the
// indices without their vectors at the scatter dimensions, and windows that fit
// the input at the others.
func (c *check) updateShape(d *ScatterDims, input, indices, update *TensorType) bool {
	scatter := slices.Clone(indices.Dims)
	if d.IndexVectorDim < int64(len(scatter)) {
		scatter = slices.Delete(scatter, int(d.IndexVectorDim), int(d.IndexVectorDim)+1)
	}
	var window []int64 // the largest windows
	single := marked(input.Rank(), d.InsertedWindowDims, d.InputBatchingDims)
	for i, n := range input.Dims {
		if !single[i] {
			window = append(window, n)
		}
	}
	inWindow := marked(update.Rank(), d.UpdateWindowDims)
	for i, n := range update.Dims {
		if inWindow[i] {
			if !c.require(n == Dynamic || window[0] == Dynamic || n <= window[0], "scatter_c4",
				"window dimension %d of the update has size %s, but the input there %s", i, dimText(n), dimText(window[0])) {
				return false
			}
			window = window[1:]
			continue
		}
		if !c.require(compatibleSize(n, scatter[0]), "scatter_c4",
			"dimension %d of the update has size %s, but scatter_indices there %s", i, dimText(n), dimText(scatter[0])) {
			return false
		}
		scatter = scatter[1:]
	}
	return true
}
