package stablehlo

import (
	"slices"
	"strconv"
)

// dynamicChecks are the checks of ops whose result shape is an operand.
var dynamicChecks = checkRows{
	{OpDynamicBroadcastInDim, checkDynamicBroadcastInDim},
	{OpDynamicIota, checkDynamicIota},
	{OpDynamicPad, checkDynamicPad},
	{OpDynamicReshape, checkDynamicReshape},
	{OpRealDynamicSlice, checkRealDynamicSlice},
	{OpRng, checkRng},
	{OpRngBitGenerator, checkRngBitGenerator},
}

func checkDynamicBroadcastInDim(c *check) {
	const op = "dynamic_broadcast_in_dim"
	in, out := c.arg(0), c.res(0)
	if in == nil || out == nil || !c.retyped(op+"_c1", in, out) {
		return
	}
	dims := dimList{"broadcast_dimensions", c.Ints("broadcast_dimensions")}
	if !c.require(len(dims.dims) == in.Rank(), op+"_c2", "broadcast_dimensions %s has %d values, but operand has rank %d",
		dimsText(dims.dims), len(dims.dims), in.Rank()) ||
		!c.inRange(op+"_c3", dims, out.Rank(), "the result") ||
		!c.distinct(op+"_c4", dims) {
		return
	}
	for i, k := range dims.dims {
		if !c.require(in.Dims[i] == 1 || compatibleSize(in.Dims[i], out.Dims[k]), op+"_c5",
			"dimension %d of operand has size %s, but dimension %d of the result %s", i, dimText(in.Dims[i]),
			k, dimText(out.Dims[k])) {
			return
		}
	}
	shape, ok := c.shapeOperand(op+"_c7", 1, out)
	if !ok || !c.expansionHints(op, in) {
		return
	}
	for i, k := range dims.dims {
		if shape != nil && !c.require(in.Dims[i] == 1 || compatibleSize(in.Dims[i], shape[k]), op+"_c5",
			"dimension %d of operand has size %s, but output_dimensions has %d", i, dimText(in.Dims[i]), shape[k]) {
			return
		}
	}
	c.quantBroadcast(op+"_c6", in, out, dims.dims)
}

// expansionHints checks the lists of dimensions that are known to be expanded or not.
func (c *check) expansionHints(op string, in *TensorType) bool {
	expanding := dimList{"known_expanding_dimensions", c.Ints("known_expanding_dimensions")}
	fixed := dimList{"known_nonexpanding_dimensions", c.Ints("known_nonexpanding_dimensions")}
	return c.distinct(op+"_c8", expanding, fixed) &&
		c.inRange(op+"_c9", expanding, in.Rank(), "operand") &&
		c.inRange(op+"_c10", fixed, in.Rank(), "operand")
}

// retyped requires that a result have the element type of the operand; the scales of types quantised per axis
// may differ.
func (c *check) retyped(constraint string, in, out *TensorType) bool {
	return c.require(compatibleElem(in.Elem, out.Elem), constraint, "operand %s and result %s differ in element type",
		in, out) &&
		(isPerAxis(in) || c.sameScales(constraint, in, out))
}

// shapeOperand checks operand i, the shape of the result, and returns it when
// it is a constant, else nil.
func (c *check) shapeOperand(constraint string, i int, out *TensorType) ([]int64, bool) {
	t := c.arg(i)
	if t == nil || t.Rank() != 1 || !compatibleSize(t.Dims[0], int64(out.Rank())) {
		c.fail(constraint, "operand %d is %s, but must hold the %d sizes of result %s",
			i, c.Operands[i].Type(), out.Rank(), out)
		return nil, false
	}
	shape, known := constInts(c.Operands[i])
	if !known {
		return nil, true
	}
	for k, n := range shape {
		if !c.require(n >= 0 && compatibleSize(n, out.Dims[k]) &&
			(out.Bounds == nil || out.Bounds[k] == Dynamic || n <= out.Bounds[k]), constraint,
			"the result shape given is %s, but the result is %s", dimsText(shape), out) {
			return nil, false
		}
	}
	return shape, true
}

func checkDynamicIota(c *check) {
	out, dim := c.res(0), c.Int("iota_dimension", 0)
	if out == nil || !c.require(0 <= dim && dim < int64(out.Rank()), "dynamic_iota_c1",
		"iota_dimension is %d, but the result has rank %d", dim, out.Rank()) {
		return
	}
	c.shapeOperand("dynamic_iota_c2", 0, out)
}

func checkDynamicReshape(c *check) {
	const op = "dynamic_reshape"
	in, out := c.arg(0), c.res(0)
	if in == nil || out == nil || !c.retyped(op+"_c1", in, out) {
		return
	}
	before, static1 := in.NumElems()
	after, static2 := out.NumElems()
	if static1 && static2 && !c.require(before == after, op+"_c2", "operand %s has %d elements, but result %s has %d",
		in, before, out, after) {
		return
	}
	shape, ok := c.shapeOperand(op+"_c4", 1, out)
	if !ok {
		return
	}
	if n, small := numElems(shape); shape != nil && static1 &&
		!c.require(small && n == before, op+"_c2", "operand %s has %d elements, but output_shape is %s",
			in, before, dimsText(shape)) {
		return
	}
	c.quantReshape(op+"_c1", op+"_c3", in, out)
}

func checkDynamicPad(c *check) {
	const op = "dynamic_pad"
	in, value, out := c.arg(0), c.arg(1), c.res(0)
	if in == nil || value == nil || out == nil ||
		!c.require(SameType(in.Elem, value.Elem) && SameType(in.Elem, out.Elem), op+"_c1",
			"operand %s, padding_value %s and result %s must have equal element types", in, value, out) ||
		!c.perDimension(op+"_c2", in, 2) ||
		!c.require(out.Rank() == in.Rank(), op+"_c4", "operand %s and result %s differ in rank", in, out) {
		return
	}
	low, known1 := constInts(c.Operands[2])
	high, known2 := constInts(c.Operands[3])
	interior, known3 := constInts(c.Operands[4])
	if known3 && !c.require(!slices.ContainsFunc(interior, func(n int64) bool { return n < 0 }), op+"_c3",
		"interior_padding %s must not be negative", dimsText(interior)) {
		return
	}
	if !known1 || !known2 || !known3 {
		return
	}
	for i, n := range in.Dims {
		if n == Dynamic || out.Dims[i] == Dynamic {
			continue
		}
		extent, ok := int64(0), interior[i] < maxExtent && isExtent(low[i]) && isExtent(high[i])
		if ok {
			extent, ok = dilated(n, interior[i]+1)
		}
		if !c.require(ok && low[i]+extent+high[i] == out.Dims[i], op+"_c4",
			"dimension %d of operand %s padded by low %d, high %d and interior %d does not give that of result %s", i, in, low[i],
			high[i], interior[i], out) {
			return
		}
	}
}

// perDimension requires that the operands from first on have one type and hold
// one number for each dimension of t.
func (c *check) perDimension(constraint string, t *TensorType, first int) bool {
	for i := first; i < len(c.Operands); i++ {
		v := c.arg(i)
		if !c.require(v != nil && SameType(v, c.arg(first)) && v.Rank() == 1 &&
			compatibleSize(v.Dims[0], int64(t.Rank())),
			constraint,
			"operand %d is %s, but all operands from %d on must hold one number for each dimension of %s",
			i, c.Operands[i].Type(), first, t) {
			return false
		}
	}
	return true
}

func checkRealDynamicSlice(c *check) {
	in, out := c.arg(0), c.res(0)
	if in == nil || out == nil || !c.perDimension("", in, 1) {
		return
	}
	c.require(SameType(in.Elem, out.Elem) && in.Rank() == out.Rank(), "",
		"operand %s and result %s must have equal rank and element type", in, out)
}

func checkRng(c *check) {
	a, b, shape := c.arg(0), c.arg(1), c.arg(2)
	if a == nil || b == nil || shape == nil ||
		!c.require(SameType(a.Elem, b.Elem), "rng_c1", "a %s and b %s differ in element type", a, b) ||
		!c.require(c.Str("rng_distribution") != "NORMAL" || isFloat(a.Elem), "rng_c2",
			"a normal distribution needs floats, but a is %s", a) {
		return
	}
	if out := c.res(0); out != nil &&
		(!c.require(SameType(a.Elem, out.Elem), "rng_c1", "a %s and result %s differ in element type", a, out) ||
			!c.require(shape.Rank() == 1 && compatibleSize(shape.Dims[0], int64(out.Rank())), "rng_c3",
				"shape is %s, but result %s has rank %d", shape, out, out.Rank())) {
		return
	}
	const maxRank = 1 << 16 // bounds the allocation of an op being built: no tensor has a higher rank
	if shape.Rank() != 1 || !c.require(shape.Dims[0] >= 0 && shape.Dims[0] < maxRank, "rng_c3",
		"shape is %s, but must hold the sizes of the result", shape) {
		return
	}
	dims, known := constInts(c.Operands[2])
	if !known {
		dims = make([]int64, shape.Dims[0])
		for i := range dims {
			dims[i] = Dynamic
		}
	}
	for i, n := range dims {
		if known && !c.require(n >= 0, "rng_c3", "shape[%d] is %d, but sizes are not negative", i, n) {
			return
		}
	}
	c.inferBy("rng_c3", &TensorType{Dims: dims, Elem: a.Elem})
}

func checkRngBitGenerator(c *check) {
	in, out := c.arg(0), c.res(0)
	if in == nil || out == nil ||
		!c.require(compatibleDims(in.Dims, out.Dims) && SameType(in.Elem, out.Elem), "rng_bit_generator_c1",
			"initial_state %s and output_state %s must have the same type", in, out) {
		return
	}
	want := map[string][]int64{"THREE_FRY": {2}, "PHILOX": {2, 3}}[c.Str("rng_algorithm")]
	if want == nil || in.Rank() != 1 || in.Dims[0] == Dynamic {
		return
	}
	c.require(slices.Contains(want, in.Dims[0]), "rng_bit_generator_c2",
		"initial_state is %s, but the algorithm %s needs a state of %s numbers",
		in, c.Str("rng_algorithm"), orInts(want))
}

func orInts(list []int64) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.FormatInt(n, 10)
	}
	return orList(words)
}
