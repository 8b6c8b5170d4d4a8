package stablehlo

import "github.com/go-nx/nx/dtype"

// elementwiseChecks are the elementwise ops with more constraints than one type for
// operands and results, or with a result type of their own.
var elementwiseChecks = checkRows{
	{OpAbs, checkRealPart},
	{OpImag, checkRealPart},
	{OpReal, checkRealPart},
	{OpIsFinite, checkPredicate},
	{OpChloIsInf, checkPredicate},
	{OpChloIsNegInf, checkPredicate},
	{OpChloIsPosInf, checkPredicate},
	{OpAdd, checkAdd},
	{OpClamp, checkClamp},
	{OpCompare, checkCompare},
	{OpComplex, checkComplex},
	{OpConvert, checkConvert},
	{OpReducePrecision, checkReducePrecision},
	{OpSelect, checkSelect},
	{OpUniformDequantize, checkUniformDequantize},
	{OpUniformQuantize, checkUniformQuantize},
}

// checkSameTypes is (C1) of most elementwise ops: operands and results have
// the same baseline type.
func checkSameTypes(c *check) {
	c.sameTypes("c1")
}

// sameTypes requires that all operands and results be compatible, and infers one result from their common
// type.
func (c *check) sameTypes(id string) {
	all := valueTypes(c.Operands)
	for i, t := range all[1:] {
		if !compatible(all[0], t) {
			c.fail(id, "%s and %s must have one type, not %s and %s", c.operandName(0), c.operandName(i+1), all[0], t)
			return
		}
	}
	c.inferMeet(id, all...)
}

// inferMeet infers one result of what compatible types have in common.
func (c *check) inferMeet(id string, types ...Type) {
	t, err := meetTypes(types...)
	if err != nil {
		c.fail(id, "the operands have no common type: %v", err)
		return
	}
	c.inferBy(id, t)
}

// withElem returns a tensor type, of known or unknown rank, with another
// element type.
func withElem(t, elem Type) Type {
	if t, ok := t.(*TensorType); ok {
		return t.WithElem(elem)
	}
	return &UnrankedTensorType{Elem: elem}
}

// checkRealPart checks ops that map complex elements to real ones.
func checkRealPart(c *check) {
	t := c.Operands[0].typ
	elem := elemOf(t)
	if s, ok := elem.(Scalar); ok {
		elem = Scalar(dtype.Type(s).Real())
	}
	c.inferBy("c2", withElem(t, elem))
}

func checkPredicate(c *check) {
	c.inferBy("c1", withElem(c.Operands[0].typ, Scalar(dtype.Bool)))
}

func checkAdd(c *check) {
	lhs, rhs := c.arg(0), c.arg(1)
	if !compatibleShape(lhs, rhs) {
		c.fail("add_c1", "lhs and rhs must have one shape, not %s and %s", lhs, rhs)
		return
	}
	if !anyQuantized(lhs, rhs) {
		c.sameTypes("add_c1")
		return
	}
	// The operands need not be quantised alike: per-axis quantisation wins.
	result, err := meetTypes(lhs, rhs)
	if err != nil {
		c.fail("add_c1", "lhs and rhs have no common shape: %v", err)
		return
	}
	if isPerAxis(rhs) {
		result = withElem(result, rhs.Elem)
	}
	if declared := c.res(0); declared != nil {
		result = declared
	}
	c.quantBinary([6]string{"add_c2", "add_c3", "add_c4", "add_c5", "add_c6", "add_c7"}, lhs, rhs, result)
	if !c.require(compatibleShape(lhs, result.(*TensorType)), "add_c1", "the result %s must have the shape of lhs %s",
		result, lhs) {
		return
	}
	c.infer(result)
}

func checkClamp(c *check) {
	operand := c.arg(1)
	limit := func(i int, id string) {
		t := c.arg(i)
		c.require(t.Rank() == 0 || compatibleShape(t, operand), id,
			"%s must be a scalar or have the shape of operand %s, not %s", c.operandName(i), operand, t)
		c.require(compatibleElem(t.Elem, operand.Elem), "clamp_c3",
			"%s must have the element type of operand %s, not %s", c.operandName(i), operand, t)
	}
	limit(0, "clamp_c1")
	limit(2, "clamp_c2")
	c.inferBy("clamp_c4", operand)
}

// checkCompare does not check (C3): programs use a compare_type that does not fit the elements, and the
// elements decide.
func checkCompare(c *check) {
	lhs, rhs := c.arg(0), c.arg(1)
	c.require(compatibleElem(lhs.Elem, rhs.Elem), "compare_c1", "lhs and rhs must have one element type, not %s and %s",
		lhs, rhs)
	if !c.require(compatibleShape(lhs, rhs), "compare_c2", "lhs and rhs must have one shape, not %s and %s", lhs, rhs) {
		return
	}
	c.inferMeet("compare_c2", lhs.WithElem(Scalar(dtype.Bool)), rhs.WithElem(Scalar(dtype.Bool)))
}

func checkComplex(c *check) {
	lhs, rhs := c.arg(0), c.arg(1)
	if !c.require(compatible(lhs, rhs), "complex_c1", "lhs and rhs must have one type, not %s and %s", lhs, rhs) {
		return
	}
	elem := Scalar(lhs.DType().Complex())
	c.inferMeet("complex_c3", lhs.WithElem(elem), rhs.WithElem(elem))
}

func checkConvert(c *check) {
	c.require(compatibleShape(c.arg(0), c.res(0)), "convert_c1",
		"the result %s must have the shape of operand %s", c.res(0), c.arg(0))
}

func checkReducePrecision(c *check) {
	c.require(c.Int("exponent_bits", 0) >= 1, "reduce_precision_c2", "exponent_bits is %d; it must be positive",
		c.Int("exponent_bits", 0))
	c.require(c.Int("mantissa_bits", 0) >= 0, "reduce_precision_c3", "mantissa_bits is %d; it must not be negative",
		c.Int("mantissa_bits", 0))
	c.sameTypes("reduce_precision_c1")
}

func checkSelect(c *check) {
	pred, onTrue, onFalse := c.arg(0), c.arg(1), c.arg(2)
	if !c.require(compatible(onTrue, onFalse), "select_c2", "on_true and on_false must have one type, not %s and %s",
		onTrue, onFalse) {
		return
	}
	c.require(pred.Rank() == 0 || compatibleShape(pred, onTrue), "select_c1",
		"pred %s must be a scalar or have the shape of on_true %s", pred, onTrue)
	c.inferMeet("select_c2", onTrue, onFalse)
}

func checkUniformDequantize(c *check) {
	c.inferBy("uniform_dequantize_c2", c.arg(0).WithElem(expressedElem(c.arg(0))))
}

func checkUniformQuantize(c *check) {
	operand, result := c.arg(0), c.res(0)
	c.require(compatibleShape(operand, result), "uniform_quantize_c1",
		"the result %s must have the shape of operand %s",
		result, operand)
	c.require(SameType(expressedElem(result), expressedElem(operand)), "uniform_quantize_c2",
		"the result %s must express the elements of operand %s", result, operand)
}
