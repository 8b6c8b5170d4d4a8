package stablehlo

import (
	"math"
	"math/bits"
	"slices"

	"github.com/go-nx/nx/dtype"
)

// shapeChecks are the ops that create and rearrange tensors.
var shapeChecks = checkRows{
	{OpConstant, checkConstant},
	{OpIota, checkIota},
	{OpBitcastConvert, checkBitcastConvert},
	{OpBroadcast, checkBroadcastSizes},
	{OpBroadcastInDim, checkBroadcastInDim},
	{OpConcatenate, checkConcatenate},
	{OpDynamicSlice, checkDynamicSlice},
	{OpDynamicUpdateSlice, checkDynamicUpdateSlice},
	{OpGetDimensionSize, checkGetDimensionSize},
	{OpPad, checkPad},
	{OpReshape, checkReshape},
	{OpReverse, checkReverse},
	{OpSetDimensionSize, checkSetDimensionSize},
	{OpSlice, checkSlice},
	{OpTranspose, checkTranspose},
}

// checkConstant compares the stored type of the value with that of the result: a quantised constant is written
// as integers.
func checkConstant(c *check) {
	value := c.Attr("value").(*ElementsAttr)
	declared := c.res(0)
	if declared == nil {
		c.inferBy("constant_c1", value.Type)
		return
	}
	stored := declared
	if q := declared.Quant(); q != nil && value.Type.Quant() == nil {
		stored = declared.WithElem(Scalar(q.Storage))
	}
	c.require(SameType(value.Type, stored), "constant_c1", "the value %s must have the type of the result %s",
		value.Type, declared)
}

func checkIota(c *check) {
	d, rank := c.Int("iota_dimension", 0), c.res(0).Rank()
	c.require(0 <= d && d < int64(rank), "iota_c1", "iota_dimension must be a dimension of the result, got %d for %s",
		d, c.res(0))
}

func checkBitcastConvert(c *check) {
	operand, result := c.arg(0), c.res(0)
	from, to := operand.DType(), result.DType()
	if !c.require(from.IsComplex() == to.IsComplex(), "bitcast_convert_c2",
		"cannot convert between real and complex: %s and %s", operand, result) {
		return
	}
	narrow, wide := operand, result
	if from.Bits() > to.Bits() {
		narrow, wide = result, operand
	}
	prefix := narrow.Dims
	if from.Bits() != to.Bits() {
		if !c.require(narrow.Rank() == wide.Rank()+1, "bitcast_convert_c1", "%s must have one dimension more than %s",
			narrow, wide) {
			return
		}
		last := narrow.Rank() - 1
		prefix = narrow.Dims[:last]
		n := int64(wide.DType().Bits() / narrow.DType().Bits())
		whole := wide.DType().Bits()%narrow.DType().Bits() == 0
		c.require(whole && compatibleSize(narrow.Dims[last], n), "bitcast_convert_c1",
			"the last dimension of %s must hold the %d bits of an element of %s", narrow, wide.DType().Bits(), wide)
	}
	c.require(compatibleDims(prefix, wide.Dims), "bitcast_convert_c1",
		"shapes of %s and %s must agree but for the last dimension", operand, result)
}

func checkBroadcastSizes(c *check) {
	sizes := c.Ints("broadcast_sizes")
	for _, n := range sizes {
		if n < 0 {
			c.fail("", "broadcast_sizes %s must not be negative", listText(sizes))
			return
		}
	}
	operand := c.arg(0)
	all := make([]size, 0, len(sizes)+operand.Rank())
	for _, n := range sizes {
		all = append(all, size{n, Dynamic})
	}
	c.infer(tensorOf(operand.Elem, append(all, sizesOf(operand)...)))
}

func checkBroadcastInDim(c *check) {
	operand, result := c.arg(0), c.res(0)
	dims := dimList{"broadcast_dimensions", c.Ints("broadcast_dimensions")}
	c.retyped("broadcast_in_dim_c1", operand, result)
	if !c.require(len(dims.dims) == operand.Rank(), "broadcast_in_dim_c2",
		"broadcast_dimensions %s must have a number for each dimension of operand %s", listText(dims.dims), operand) ||
		!c.inRange("broadcast_in_dim_c3", dims, result.Rank(), "the result") ||
		!c.distinct("broadcast_in_dim_c4", dims) {
		return
	}
	for i, d := range dims.dims {
		n, m := operand.Dims[i], result.Dims[d]
		c.require(n == 1 || n == Dynamic || n == m || m == Dynamic &&
			withinBounds([]int64{n}, []int64{sizeAt(result, int(d)).bound}), "broadcast_in_dim_c5",
			"dimension %d of operand %s must have size 1 or that of dimension %d of the result %s", i, operand, d, result)
	}
	c.quantBroadcast("broadcast_in_dim_c6", operand, result, dims.dims)
}

// quantBroadcast checks that a broadcast keeps per-axis quantisation: dims maps the quantised dimension, and a
// dimension of size 1 has one scale for all of the result.
func (c *check) quantBroadcast(id string, operand, result *TensorType, dims []int64) {
	p, q := operand.Quant(), result.Quant()
	if c.failed || p == nil || q == nil || !p.IsPerAxis() || !q.IsPerAxis() || p.Axis >= len(dims) {
		return
	}
	if !c.require(int64(q.Axis) == dims[p.Axis], id,
		"the quantised dimension of the result %s must be broadcast_dimensions[%d] = %d", result, p.Axis, dims[p.Axis]) {
		return
	}
	if operand.Dims[p.Axis] != 1 {
		return
	}
	same := !slices.ContainsFunc(q.Scales, func(s float64) bool { return s != p.Scales[0] }) &&
		!slices.ContainsFunc(q.ZeroPoints, func(z int64) bool { return z != p.ZeroPoints[0] })
	c.require(same, id, "the result %s must have the scale and zero point of operand %s throughout", result, operand)
}

func checkConcatenate(c *check) {
	if !c.require(len(c.Operands) > 0, "concatenate_c3", "needs an input") {
		return
	}
	first, d := c.arg(0), c.Int("dimension", 0)
	if !c.require(0 <= d && d < int64(first.Rank()), "concatenate_c4", "dimension %d is not a dimension of input %s",
		d, first) {
		return
	}
	sizes := sizesOf(first)
	for i := range c.Operands[1:] {
		t := c.arg(i + 1)
		if !c.require(SameType(t.Elem, first.Elem), "concatenate_c1",
			"inputs must have one element type, not %s and %s",
			first, t) ||
			!c.require(t.Rank() == first.Rank(), "concatenate_c2", "inputs must have one rank, not %s and %s", first,
				t) {
			return
		}
		for k := range sizes {
			s, err := sizes[k].meet(sizeAt(t, k))
			if k == int(d) {
				s, err = sizes[k].plus(sizeAt(t, k)), nil
			}
			if err != nil {
				c.fail("concatenate_c2", "inputs %s and %s must agree in dimension %d: %v", first, t, k, err)
				return
			}
			sizes[k] = s
		}
	}
	if declared := c.res(0); declared != nil {
		c.require(SameType(declared.Elem, first.Elem), "concatenate_c5",
			"the result %s must have the element type of the inputs, %s", declared, first)
	}
	c.inferBy("concatenate_c6", tensorOf(first.Elem, sizes))
}

// plus returns the size of two concatenated dimensions.
func (s size) plus(t size) size {
	if s.dim != Dynamic && t.dim != Dynamic {
		return size{addSat(s.dim, t.dim), Dynamic}
	}
	if s.known() == Dynamic || t.known() == Dynamic {
		return size{Dynamic, Dynamic}
	}
	return size{Dynamic, addSat(s.known(), t.known())}
}

// addSat adds with the result cut to the range of int64.
func addSat(a, b int64) int64 {
	s := a + b
	switch {
	case a > 0 && b > 0 && s < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && s >= 0:
		return math.MinInt64
	}
	return s
}

// mulSat multiplies numbers that are not negative, the result cut to the range
// of int64.
func mulSat(a, b int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi != 0 || lo > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(lo)
}

func checkDynamicSlice(c *check) {
	operand, starts, sizes := c.arg(0), c.OperandGroup(1), c.Ints("slice_sizes")
	if !c.require(len(starts) == operand.Rank() && len(sizes) == operand.Rank(), "dynamic_slice_c2",
		"start_indices and slice_sizes must have one value per dimension, got %d and %d for operand %s", len(starts), len(sizes), operand) {
		return
	}
	c.sameIndexTypes("dynamic_slice_c3", starts)
	for i, n := range sizes {
		c.require(n >= 0 && (operand.Dims[i] == Dynamic || n <= operand.Dims[i]), "dynamic_slice_c4",
			"slice_sizes[%d] is %d; it must be within operand %s", i, n, operand)
	}
	if declared := c.res(0); declared != nil {
		c.require(SameType(declared.Elem, operand.Elem), "dynamic_slice_c1",
			"the result %s must have the element type of operand %s", declared, operand)
	}
	c.inferBy("dynamic_slice_c5", operand.WithDims(sizes...))
}

// sameIndexTypes requires that all values have one element type.
func (c *check) sameIndexTypes(id string, starts []*Value) {
	for _, s := range starts {
		if !SameType(elemOf(s.typ), elemOf(starts[0].typ)) {
			c.fail(id, "start_indices must have one type, not %s and %s", starts[0].typ, s.typ)
			return
		}
	}
}

func checkDynamicUpdateSlice(c *check) {
	operand, update, starts := c.arg(0), c.arg(1), c.OperandGroup(2)
	c.require(SameType(update.Elem, operand.Elem), "dynamic_update_slice_c2",
		"update %s must have the element type of operand %s", update, operand)
	if !c.require(update.Rank() == operand.Rank(), "dynamic_update_slice_c3",
		"update %s must have the rank of operand %s",
		update, operand) ||
		!c.require(len(starts) == operand.Rank(), "dynamic_update_slice_c4",
			"start_indices must have one value per dimension, got %d for operand %s",
			len(starts), operand) {
		return
	}
	c.sameIndexTypes("dynamic_update_slice_c5", starts)
	for i, n := range update.Dims {
		c.require(n == Dynamic || operand.Dims[i] == Dynamic || n <= operand.Dims[i], "dynamic_update_slice_c6",
			"dimension %d of update %s must be within operand %s", i, update, operand)
	}
	if declared := c.res(0); declared != nil {
		c.require(SameType(declared.Elem, operand.Elem), "dynamic_update_slice_c1",
			"the result %s must have the type of operand %s", declared, operand)
	}
	c.inferBy("dynamic_update_slice_c1", operand)
}

func checkGetDimensionSize(c *check) {
	d := c.Int("dimension", 0)
	c.require(0 <= d && d < int64(c.arg(0).Rank()), "get_dimension_size_c1",
		"dimension %d is not a dimension of operand %s",
		d, c.arg(0))
	c.infer(Tensor(dtype.S32))
}

func checkSetDimensionSize(c *check) {
	operand, d := c.arg(0), c.Int("dimension", 0)
	if !c.require(c.arg(1).Rank() == 0, "", "size must be a scalar, not %s", c.arg(1)) ||
		!c.require(0 <= d && d < int64(operand.Rank()), "", "dimension %d is not a dimension of operand %s", d,
			operand) {
		return
	}
	sizes := sizesOf(operand)
	sizes[d] = size{Dynamic, sizes[d].known()}
	if n, ok := constInts(c.Operands[1]); ok && len(n) == 1 && n[0] == sizes[d].bound {
		sizes[d] = size{n[0], Dynamic}
	}
	c.infer(tensorOf(operand.Elem, sizes))
}

func checkPad(c *check) {
	operand, value := c.arg(0), c.arg(1)
	low, high, interior := c.Ints("edge_padding_low"), c.Ints("edge_padding_high"), c.Ints("interior_padding")
	c.require(SameType(operand.Elem, value.Elem), "pad_c1", "padding_value %s must have the element type of operand %s",
		value, operand)
	if !c.require(len(low) == operand.Rank() && len(high) == operand.Rank() && len(interior) == operand.Rank(),
		"pad_c2",
		"the padding must have one value per dimension, got %d low, %d high and %d interior for operand %s", len(low), len(high),
		len(interior), operand) {
		return
	}
	sizes := sizesOf(operand)
	for i, s := range sizes {
		if !c.require(interior[i] >= 0, "pad_c3", "interior_padding %s must not be negative", listText(interior)) {
			return
		}
		n := s.known()
		if n == Dynamic {
			continue
		}
		padded := addSat(addSat(addSat(n, mulSat(max(n-1, 0), interior[i])), low[i]), high[i])
		if !c.require(padded >= 0, "pad_c4", "padding makes dimension %d of operand %s negative: %d", i, operand,
			padded) {
			return
		}
		if s.dim != Dynamic {
			sizes[i].dim = padded
		} else {
			sizes[i].bound = padded
		}
	}
	if declared := c.res(0); declared != nil {
		c.require(SameType(declared.Elem, operand.Elem), "pad_c1",
			"the result %s must have the element type of operand %s",
			declared, operand)
	}
	c.inferBy("pad_c4", tensorOf(operand.Elem, sizes))
}

func checkReshape(c *check) {
	operand, result := c.arg(0), c.res(0)
	c.require(compatibleElem(operand.Elem, result.Elem), "reshape_c1",
		"operand %s and result %s must have one element type", operand, result)
	n, ok := operand.NumElems()
	m, ok2 := result.NumElems()
	if !ok || !ok2 || !c.require(n == m, "reshape_c2", "operand %s has %d elements, the result %s has %d",
		operand, n, result, m) {
		return
	}
	c.quantReshape("reshape_c1", "reshape_c3", operand, result)
}

// quantReshape checks that a reshape keeps the scales, and keeps the quantised
// dimension with as many elements before it and after it.
func (c *check) quantReshape(scalesID, axisID string, operand, result *TensorType) {
	p, q := operand.Quant(), result.Quant()
	if c.failed || p == nil || q == nil || !c.sameScales(scalesID, operand, result) || !p.IsPerAxis() {
		return
	}
	before, ok := numElems(operand.Dims[:p.Axis])
	before2, ok2 := numElems(result.Dims[:q.Axis])
	same := compatibleSize(operand.Dims[p.Axis], result.Dims[q.Axis]) && (!ok || !ok2 || before == before2)
	c.require(same, axisID, "the quantised dimension of operand %s must be one of the result %s", operand, result)
}

func checkReverse(c *check) {
	operand, dims := c.arg(0), dimList{"dimensions", c.Ints("dimensions")}
	c.distinct("reverse_c2", dims)
	c.inRange("reverse_c3", dims, operand.Rank(), "operand")
	if declared := c.res(0); declared != nil {
		c.require(SameType(declared.Elem, operand.Elem), "reverse_c1", "the result %s must have the type of operand %s",
			declared, operand)
	}
	c.inferBy("reverse_c1", operand)
}

func checkSlice(c *check) {
	operand := c.arg(0)
	start, limit, strides := c.Ints("start_indices"), c.Ints("limit_indices"), c.Ints("strides")
	if !c.require(len(start) == operand.Rank() && len(limit) == operand.Rank() && len(strides) == operand.Rank(),
		"slice_c2",
		"the bounds must have one value per dimension, got %d starts, %d limits and %d strides for operand %s", len(start), len(limit), len(strides), operand) {
		return
	}
	dims := make([]int64, operand.Rank())
	for i := range dims {
		n := sizeAt(operand, i).known()
		if !c.require(0 <= start[i] && start[i] <= limit[i] && (n == Dynamic || limit[i] <= n), "slice_c3",
			"[%d, %d) must be a range within dimension %d of operand %s", start[i], limit[i], i, operand) ||
			!c.require(strides[i] > 0, "slice_c4", "strides %s must be positive", listText(strides)) {
			return
		}
		dims[i] = (limit[i]-start[i])/strides[i] + min((limit[i]-start[i])%strides[i], 1)
	}
	if declared := c.res(0); declared != nil {
		c.require(SameType(declared.Elem, operand.Elem), "slice_c1",
			"the result %s must have the element type of operand %s",
			declared, operand)
	}
	c.inferBy("slice_c5", operand.WithDims(dims...))
}

func checkTranspose(c *check) {
	operand, perm := c.arg(0), dimList{"permutation", c.Ints("permutation")}
	if !c.require(len(perm.dims) == operand.Rank(), "transpose_c2",
		"permutation %s must have a number for each dimension of operand %s", listText(perm.dims), operand) ||
		!c.inRange("transpose_c2", perm, operand.Rank(), "operand") || !c.distinct("transpose_c2", perm) {
		return
	}
	sizes := make([]size, operand.Rank())
	for i, d := range perm.dims {
		sizes[i] = sizeAt(operand, int(d))
	}
	elem := operand.Elem
	if q := operand.Quant(); q != nil && q.IsPerAxis() {
		moved := *q
		moved.Axis = slices.Index(perm.dims, int64(q.Axis))
		elem = &moved
	}
	if declared := c.res(0); declared != nil {
		c.sameScales("transpose_c1", operand, declared)
		p, q := quantOf(elem), declared.Quant()
		c.require(p == nil || q == nil || !p.IsPerAxis() || !q.IsPerAxis() || p.Axis == q.Axis, "transpose_c4",
			"the quantised dimension of the result %s must be where permutation %s puts that of operand %s", declared,
			listText(perm.dims), operand)
	}
	c.inferBy("transpose_c3", tensorOf(elem, sizes))
}
