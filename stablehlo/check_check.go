package stablehlo

// testChecks are the ops of test programs.
var testChecks = checkRows{
	{OpCheckExpectAlmostEq, checkExpectSame},
	{OpCheckExpectAlmostEqConst, checkExpectConst},
	{OpCheckExpectClose, checkExpectSame},
	{OpCheckExpectEq, checkExpectSame},
	{OpCheckExpectEqConst, checkExpectConst},
	{OpInterpProbe, func(c *check) { c.infer(c.Operands[0].typ) }},
	{OpInterpRunParallel, checkRunParallel},
}

func checkExpectSame(c *check) {
	a, b := c.Operands[0].typ, c.Operands[1].typ
	c.require(SameType(a, b), "", "operands must have one type, not %s and %s", a, b)
}

func checkExpectConst(c *check) {
	t, value := c.Operands[0].typ, c.Attr("value").(*ElementsAttr)
	if q := quantOf(t); q != nil && value.Type.Quant() == nil {
		t = withElem(t, Scalar(q.Storage))
	}
	c.require(SameType(t, value.Type), "", "value %s must have the type of lhs %s", value.Type, t)
}

func checkRunParallel(c *check) {
	programs := c.Attr("programs").(ArrayAttr)
	var ins, outs, width int
	for i, r := range programs {
		replica := r.(ArrayAttr)
		if i == 0 {
			width = len(replica)
		}
		if !c.require(len(replica) == width, "", "programs must be a grid: replica 0 has %d, replica %d has %d",
			width, i, len(replica)) {
			return
		}
		for _, p := range replica {
			f, ok := c.function("", p.(SymbolAttr).Name)
			if !ok {
				return
			}
			ins += len(f.Type().Ins)
			outs += len(f.Type().Outs)
		}
	}
	c.require(width > 0, "", "programs must not be empty")
	c.require(len(c.Operands) == ins, "", "the programs take %[2]d inputs, got %[1]d", len(c.Operands), ins)
	c.require(len(c.Results) == outs, "", "the programs return %[2]d results, got %[1]d", len(c.Results), outs)
	c.infeed()
}

// infeed checks the functions that make the values of the infeed.
func (c *check) infeed() {
	list, ok := c.Attr("infeed").(ArrayAttr)
	c.require(!ok || len(list) > 0, "", "infeed must not be empty")
	for _, s := range list {
		if f, ok := c.function("", s.(SymbolAttr).Name); ok {
			c.require(len(f.Type().Outs) > 0, "", "the infeed @%s must return at least one value", f.Name())
		}
	}
}
