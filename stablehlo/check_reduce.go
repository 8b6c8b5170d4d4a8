package stablehlo

import "github.com/go-nx/nx/dtype"

// reduceChecks are the checks of ops that reduce or compare with a region.
var reduceChecks = checkRows{
	{OpReduce, checkReduce},
	{OpReduceWindow, checkReduceWindow},
	{OpSelectAndScatter, checkSelectAndScatter},
	{OpSort, checkSort},
}

func checkReduce(c *check) {
	inputs, inits := c.reductionOperands("reduce_c3")
	if inputs == nil || !c.sameShapes("reduce_c1", "input", inputs) {
		return
	}
	dims := dimList{"dimensions", c.Ints("dimensions")}
	if !c.inRange("reduce_c4", dims, inputs[0].Rank(), "an input") || !c.distinct("reduce_c5", dims) {
		return
	}
	var remaining []size
	reduced := marked(inputs[0].Rank(), dims.dims)
	for i, is := range reduced {
		if !is {
			remaining = append(remaining, sizeAt(inputs[0], i))
		}
	}
	shape := tensorOf(inputs[0].Elem, remaining)
	acc, ok := c.reducer(reducer{constraint: "reduce_c6", typeConstraint: "reduce_c2", inputs: inputs,
		inits: inits, shape: shape.Dims})
	if !ok {
		return
	}
	types := make([]Type, len(inputs))
	for i := range types {
		types[i] = shape.WithElem(acc[i].Elem)
	}
	c.inferBy("reduce_c7", types...)
}

func checkReduceWindow(c *check) {
	const op = "reduce_window"
	inputs, inits := c.reductionOperands(op + "_c1")
	if inputs == nil || !c.sameShapes(op+"_c2", "input", inputs) {
		return
	}
	sizes, ok := c.windowSizes(op, inputs[0].Rank())
	if !ok {
		return
	}
	w, ok := c.windows(sizes, windowRules{
		strides:       windowRule{"window_strides", op + "_c6", op + "_c7"},
		baseDilations: windowRule{"base_dilations", op + "_c8", op + "_c9"},
		dilations:     windowRule{"window_dilations", op + "_c10", op + "_c11"},
	})
	if !ok || !c.padWindows(w, op+"_c12") {
		return
	}
	acc, ok := c.reducer(reducer{constraint: op + "_c13", typeConstraint: op + "_c3", inputs: inputs,
		inits: inits, shape: sizes})
	if !ok {
		return
	}
	types := make([]Type, len(inputs))
	for i, t := range inputs {
		sizes, ok := c.slide(op+"_c15", sizesOf(t), w)
		if !ok {
			return
		}
		types[i] = tensorOf(acc[i].Elem, sizes)
	}
	c.inferBy(op+"_c15", types...)
}

func checkSelectAndScatter(c *check) {
	const op = "select_and_scatter"
	operand, source, init := c.arg(0), c.arg(1), c.arg(2)
	if operand == nil || source == nil || init == nil || !c.selector(operand) {
		return
	}
	acc, ok := c.reducer(reducer{constraint: op + "_c10", typeConstraint: op + "_c3", region: 1,
		inputs: []*TensorType{source.WithDims()}, inits: []*TensorType{init}})
	if !ok {
		return
	}
	sizes, ok := c.windowSizes(op, operand.Rank())
	if !ok {
		return
	}
	w, ok := c.windows(sizes, windowRules{strides: windowRule{"window_strides", op + "_c6", op + "_c7"}})
	if !ok || !c.padWindows(w, op+"_c8") {
		return
	}
	windows, ok := c.slide(op+"_c2", sizesOf(operand), w)
	if !ok {
		return
	}
	if want := tensorOf(source.Elem, windows); !c.require(compatibleDims(want.Dims, source.Dims), op+"_c2",
		"source %s must have one element for each window: %s", source, want) ||
		!c.require(sameOrFloats(operand.Elem, source.Elem), op+"_c1", "operand %s and source %s differ in element type",
			operand, source) {
		return
	}
	c.inferBy(op+"_c11", operand.WithElem(acc[0].Elem))
}

// selector checks the first region of select_and_scatter, which compares two
// elements of the operand.
func (c *check) selector(operand *TensorType) bool {
	const id = "select_and_scatter_c9"
	body, results, ok := c.body(0, id)
	if !ok ||
		!c.require(len(body.Args) == 2, id, "the region select takes %d arguments, but must take 2", len(body.Args)) {
		return false
	}
	for i, arg := range body.Args {
		t := arg.Tensor()
		if !c.require(t != nil && t.Rank() == 0 && sameOrFloats(t.Elem, operand.Elem), id,
			"argument %d of the region select is %s, but must be %s", i, arg.Type(), operand.WithDims()) {
			return false
		}
	}
	return c.predicate(id, "the region select", results)
}

// predicate requires that a region return one bool.
func (c *check) predicate(constraint, region string, results []*Value) bool {
	return c.require(len(results) == 1, constraint, "%s returns %d values, but must return one", region,
		len(results)) &&
		c.require(SameType(results[0].Type(), Tensor(dtype.Bool)), constraint,
			"%s returns %s, but must return tensor<i1>",
			region, results[0].Type())
}

func checkSort(c *check) {
	inputs := c.tensors(c.Operands)
	if !c.require(len(inputs) > 0, "sort_c1", "needs at least one input") || !c.sameShapes("sort_c3", "input", inputs) {
		return
	}
	rank, dim := int64(inputs[0].Rank()), c.Int("dimension", -1)
	if !c.require(-rank <= dim && dim < rank, "sort_c4", "dimension is %d, but inputs have rank %d", dim, rank) {
		return
	}
	body, results, ok := c.body(0, "sort_c5")
	if !ok || !c.require(len(body.Args) == 2*len(inputs), "sort_c5",
		"the comparator takes %d arguments, but must take %d: two elements of each input", len(body.Args), 2*len(inputs)) {
		return
	}
	for i, arg := range body.Args {
		want := inputs[i/2].WithDims()
		if !c.require(SameType(arg.Type(), want), "sort_c5", "argument %d of the comparator is %s, but must be %s",
			i, arg.Type(), want) {
			return
		}
	}
	if !c.predicate("sort_c5", "the comparator", results) {
		return
	}
	types := make([]Type, len(inputs))
	for i, t := range inputs {
		types[i] = t
	}
	c.inferBy("sort_c2", types...)
}

// reductionOperands splits the operands into inputs and as many initial values;
// nil when the counts are wrong.
func (c *check) reductionOperands(constraint string) (inputs, inits []*TensorType) {
	n := len(c.Operands) / 2
	if !c.require(n > 0 && len(c.Operands) == 2*n, constraint,
		"has %d operands, but needs as many initial values as inputs, at least one", len(c.Operands)) {
		return nil, nil
	}
	inputs, inits = c.tensors(c.Operands[:n]), c.tensors(c.Operands[n:])
	if inits == nil {
		inputs = nil
	}
	return inputs, inits
}

// tensors returns the types of values; nil when one is not a ranked tensor.
func (c *check) tensors(values []*Value) []*TensorType {
	types := make([]*TensorType, len(values))
	for i, v := range values {
		if types[i] = v.Tensor(); types[i] == nil {
			c.fail("", "needs ranked tensors, but got %s", v.Type())
			return nil
		}
	}
	return types
}

// sameShapes requires that all types be compatible in shape with the first.
func (c *check) sameShapes(constraint, what string, types []*TensorType) bool {
	for i, t := range types {
		if !c.require(compatibleDims(types[0].Dims, t.Dims), constraint,
			"%s %d has type %s, but %s 0 has type %s: shapes must be equal", what, i, t, what, types[0]) {
			return false
		}
	}
	return true
}
