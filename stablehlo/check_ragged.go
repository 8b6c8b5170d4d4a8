package stablehlo

import "slices"

// checkRaggedDot checks a product of matrices whose rows, summed dimension or
// batch are split into groups, by whether the ragged dimension of lhs is free,
// contracting or batching.
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
		if !c.require(len(d.RHSGroup) == 1, "", "rhs_group_dimensions %s must name one dimension, as rows of lhs are grouped", dimsText(d.RHSGroup)) ||
			!c.require(compatibleSize(count, rhs.Dims[d.RHSGroup[0]]), "", "rhs has %s groups, but group_sizes has %s", dimText(rhs.Dims[d.RHSGroup[0]]), dimText(count)) {
			return
		}
	} else if !c.require(len(d.RHSGroup) == 0, "", "rhs_group_dimensions %s must be empty, as a contracting or batching dimension is grouped", dimsText(d.RHSGroup)) {
		return
	}
	var dims []int64
	if contracting {
		dims = append(dims, count)
	}
	for _, k := range d.LHSBatching {
		dims = append(dims, lhs.Dims[k])
	}
	dims = append(dims, without(lhs.Dims, d.LHSBatching, d.LHSContracting)...)
	dims = append(dims, without(rhs.Dims, d.RHSBatching, d.RHSContracting, d.RHSGroup)...)
	elem := lhs.Elem
	if out := c.res(0); out != nil {
		elem = out.Elem // the declared element type stands, as in dot_general
	}
	c.infer(&TensorType{Dims: dims, Elem: elem})
}

// raggedDims checks the dimension numbers.
func (c *check) raggedDims(d *RaggedDotDims, lhs, rhs *TensorType) bool {
	lb, lc := dimList{"lhs_batching_dimensions", d.LHSBatching}, dimList{"lhs_contracting_dimensions", d.LHSContracting}
	rb, rc := dimList{"rhs_batching_dimensions", d.RHSBatching}, dimList{"rhs_contracting_dimensions", d.RHSContracting}
	lr, rg := dimList{"lhs_ragged_dimensions", d.LHSRagged}, dimList{"rhs_group_dimensions", d.RHSGroup}
	if list, ok := c.Attr("precision_config").(ArrayAttr); ok && !c.require(len(list) <= 2, "", "precision_config has %d values for two operands", len(list)) {
		return false
	}
	return c.pairedDims(lhs, rhs, lb, rb) && c.pairedDims(lhs, rhs, lc, rc) &&
		c.distinct("", lb, lc) && c.distinct("", rb, rc) &&
		c.require(len(lr.dims) == 1, "", "lhs_ragged_dimensions %s must name one dimension", dimsText(lr.dims)) &&
		c.inRange("", lr, lhs.Rank(), "lhs") && c.inRange("", rg, rhs.Rank(), "rhs") &&
		c.distinct("", rg, rb) && c.distinct("", rg, rc)
}

// pairedDims checks dimensions of lhs and rhs that go together.
func (c *check) pairedDims(lhs, rhs *TensorType, l, r dimList) bool {
	if !c.require(len(l.dims) == len(r.dims), "", "%s %s and %s %s differ in length", l.name, dimsText(l.dims), r.name, dimsText(r.dims)) ||
		!c.inRange("", l, lhs.Rank(), "lhs") || !c.inRange("", r, rhs.Rank(), "rhs") {
		return false
	}
	for i, k := range l.dims {
		if !c.require(compatibleSize(lhs.Dims[k], rhs.Dims[r.dims[i]]), "", "dimension %d of lhs has size %s, but dimension %d of rhs %s",
			k, dimText(lhs.Dims[k]), r.dims[i], dimText(rhs.Dims[r.dims[i]])) {
			return false
		}
	}
	return true
}

// groupPrefix returns the sizes of the dimensions of lhs for which group_sizes
// may differ: the batching ones and those of the ragged dimension's kind before it.
func groupPrefix(d *RaggedDotDims, lhs *TensorType, free, contracting bool) []int64 {
	ragged := d.LHSRagged[0]
	before := func(list []int64) []int64 { return list[:max(0, slices.Index(list, ragged))] }
	var prefix []int64
	switch {
	case free:
		prefix = append(sizesAt(lhs, d.LHSBatching), without(lhs.Dims[:ragged], below(d.LHSBatching, ragged), below(d.LHSContracting, ragged))...)
	case contracting:
		prefix = append(sizesAt(lhs, d.LHSBatching), sizesAt(lhs, before(d.LHSContracting))...)
	default:
		prefix = sizesAt(lhs, before(d.LHSBatching))
	}
	return prefix
}

// groupSizes checks the shape of group_sizes: one list of sizes for all, or one
// for each place in dimensions of these sizes.
func (c *check) groupSizes(groups *TensorType, prefix []int64) bool {
	if groups.Rank() == 1 {
		return true
	}
	return c.require(groups.Rank() == len(prefix)+1 && compatibleDims(groups.Dims[:len(prefix)], prefix), "",
		"group_sizes is %s, but must be a vector or have the shape %s and the number of groups", groups, dimsText(prefix))
}

// without returns the sizes of the dimensions that no list names.
func without(dims []int64, lists ...[]int64) []int64 {
	var out []int64
	drop := marked(len(dims), lists...)
	for i, n := range dims {
		if !drop[i] {
			out = append(out, n)
		}
	}
	return out
}

func sizesAt(t *TensorType, dims []int64) []int64 {
	out := make([]int64, len(dims))
	for i, k := range dims {
		out[i] = t.Dims[k]
	}
	return out
}

// below returns the numbers of a list that are less than n.
func below(list []int64, n int64) []int64 {
	var out []int64
	for _, k := range list {
		if k < n {
			out = append(out, k)
		}
	}
	return out
}
