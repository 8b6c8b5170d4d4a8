package stablehlo

import "slices"

// checkRaggedDot checks a ragged matrix multiplication. Depending on whether the ragged dimension of lhs is
// free, contracting or batching, its rows, its contraction or its batch is split into groups.
func checkRaggedDot(c *check) {
	lhs, rhs, groups := c.arg(0), c.arg(1), c.arg(2)
	d, ok := structOf[*RaggedDotDims](c, "ragged_dot_dimension_numbers")
	if !ok || lhs == nil || rhs == nil || groups == nil || !c.raggedDims(d, lhs, rhs) {
		return
	}
	ragged := d.LHSRagged[0]
	contracting := slices.Contains(d.LHSContracting, ragged)
	free := !contracting && !slices.Contains(d.LHSBatching, ragged)
	if !c.groupSizes(groups, groupPrefix(d, lhs, free, contracting)) {
		return
	}
	count := groups.Dims[groups.Rank()-1]
	if free {
		if !c.require(len(d.RHSGroup) == 1, "", "rhs_group_dimensions %s must name one dimension, as rows of lhs are grouped",
			dimsText(d.RHSGroup)) ||
			!c.require(compatibleSize(count, rhs.Dims[d.RHSGroup[0]]), "", "rhs has %s groups, but group_sizes has %s",
				dimText(rhs.Dims[d.RHSGroup[0]]), dimText(count)) {
			return
		}
	} else if !c.require(len(d.RHSGroup) == 0, "",
		"rhs_group_dimensions %s must be empty, as a contracting or batching dimension is grouped", dimsText(d.RHSGroup)) {
		return
	}
	var sizes []size
	if contracting {
		sizes = append(sizes, size{count, Dynamic})
	}
	for _, k := range d.LHSBatching {
		sizes = append(sizes, sizeAt(lhs, int(k)))
	}
	sizes = append(sizes, freeSizes(lhs, d.LHSBatching, d.LHSContracting)...)
	sizes = append(sizes, freeSizes(rhs, d.RHSBatching, d.RHSContracting, d.RHSGroup)...)
	c.inferDot("", sizes)
}

// raggedDims checks the dimension numbers.
func (c *check) raggedDims(d *RaggedDotDims, lhs, rhs *TensorType) bool {
	lb, lc := dimList{"lhs_batching_dimensions", d.LHSBatching}, dimList{"lhs_contracting_dimensions", d.LHSContracting}
	rb, rc := dimList{"rhs_batching_dimensions", d.RHSBatching}, dimList{"rhs_contracting_dimensions", d.RHSContracting}
	lr, rg := dimList{"lhs_ragged_dimensions", d.LHSRagged}, dimList{"rhs_group_dimensions", d.RHSGroup}
	c.precisionConfig("")
	return !c.failed && c.pairedDims(lhs, rhs, lb, rb) && c.pairedDims(lhs, rhs, lc, rc) &&
		c.distinct("", lb, lc) && c.distinct("", rb, rc) &&
		c.require(len(lr.dims) == 1, "", "lhs_ragged_dimensions %s must name one dimension", dimsText(lr.dims)) &&
		c.inRange("", lr, lhs.Rank(), "lhs") && c.inRange("", rg, rhs.Rank(), "rhs") &&
		c.distinct("", rg, rb) && c.distinct("", rg, rc)
}

// pairedDims checks corresponding dimensions of lhs and rhs.
func (c *check) pairedDims(lhs, rhs *TensorType, l, r dimList) bool {
	if !c.require(len(l.dims) == len(r.dims), "", "%s %s and %s %s differ in length", l.name, dimsText(l.dims),
		r.name, dimsText(r.dims)) ||
		!c.inRange("", l, lhs.Rank(), "lhs") || !c.inRange("", r, rhs.Rank(), "rhs") {
		return false
	}
	for i, k := range l.dims {
		if !c.require(compatibleSize(lhs.Dims[k], rhs.Dims[r.dims[i]]), "",
			"dimension %d of lhs has size %s, but dimension %d of rhs %s",
			k, dimText(lhs.Dims[k]), r.dims[i], dimText(rhs.Dims[r.dims[i]])) {
			return false
		}
	}
	return true
}

// groupPrefix returns the sizes of the leading dimensions of group_sizes: the batching dimensions, and those
// of the ragged dimension's kind before it.
func groupPrefix(d *RaggedDotDims, lhs *TensorType, free, contracting bool) []int64 {
	ragged := d.LHSRagged[0]
	before := func(list []int64) []int64 { return list[:slices.Index(list, ragged)] }
	dims := slices.Clone(d.LHSBatching)
	switch {
	case free:
		for i, bound := range marked(lhs.Rank(), d.LHSBatching, d.LHSContracting)[:ragged] {
			if !bound {
				dims = append(dims, int64(i))
			}
		}
	case contracting:
		dims = append(dims, before(d.LHSContracting)...)
	default:
		dims = before(d.LHSBatching)
	}
	prefix := make([]int64, len(dims))
	for i, k := range dims {
		prefix[i] = lhs.Dims[k]
	}
	return prefix
}

// groupSizes checks the shape of group_sizes: one list of sizes for all, or one for each index into dimensions
// of these sizes.
func (c *check) groupSizes(groups *TensorType, prefix []int64) bool {
	if groups.Rank() == 1 {
		return true
	}
	return c.require(groups.Rank() == len(prefix)+1 && compatibleDims(groups.Dims[:len(prefix)], prefix), "",
		"group_sizes is %s, but must be a vector or have the shape %s and the number of groups", groups, dimsText(prefix))
}
