package stablehlo

import (
	"fmt"

	"github.com/go-nx/nx/dtype"
)

// controlChecks are control flow, tuples and what else passes values on.
var controlChecks = checkRows{
	{OpIf, checkIf},
	{OpCase, checkCase},
	{OpWhile, checkWhile},
	{OpMap, checkMap},
	{OpOptimizationBarrier, func(c *check) { c.inferBy("optimization_barrier_c1", valueTypes(c.Operands)...) }},
	{OpTuple, func(c *check) { c.inferBy("tuple_c1", &TupleType{Elems: valueTypes(c.Operands)}) }},
	{OpGetTupleElement, checkGetTupleElement},
	{OpTorchIndexSelect, checkTorchIndexSelect},

	{OpSdyShardingConstraint, func(c *check) { c.infer(c.Operands[0].typ) }},
}

// yield returns the types that a region returns.
func (r *Region) yield() []Type { return valueTypes(r.Block().Terminator().Operands) }

func checkIf(c *check) {
	if c.require(c.arg(0).Rank() == 0, "", "pred must be a scalar, not %s", c.arg(0)) {
		c.branches([3]string{"if_c1", "if_c2", "if_c3"})
	}
}

func checkCase(c *check) {
	if c.require(c.arg(0).Rank() == 0, "", "index must be a scalar, not %s", c.arg(0)) &&
		c.require(len(c.Regions) > 0, "case_c1", "needs a branch") {
		c.branches([3]string{"case_c2", "case_c3", "case_c4"})
	}
}

// branches checks that the regions take no arguments and return the same types, and infers the types of the
// results. The ids belong to these three constraints.
func (c *check) branches(ids [3]string) {
	first := c.Regions[0].yield()
	outs := make([][]Type, len(first)) // of each result, its type in each branch
	for i, r := range c.Regions {
		c.require(len(r.Block().Args) == 0, ids[0], "%s must have no arguments, but has %d",
			c.regionName(i), len(r.Block().Args))
		yield := r.yield()
		if !c.require(compatibleTypes(first, yield), ids[1], "%s returns %s, %s returns %s", c.regionName(0),
			typesText(first), c.regionName(i), typesText(yield)) {
			return
		}
		for k, t := range yield {
			outs[k] = append(outs[k], t)
		}
	}
	results := make([]Type, len(outs))
	for k, branchTypes := range outs {
		t, err := joinTypes(branchTypes...)
		if err != nil {
			c.fail(ids[1], "result %d of the branches: %v", k, err)
			return
		}
		results[k] = t
	}
	c.inferBy(ids[2], results...)
}

// typesText formats a list of types, (tensor<f32>, tensor<i32>), when a message is written. Long lists are
// truncated.
type typesText []Type

func (l typesText) String() string {
	const limit = 300
	text := []byte{'('}
	for i, t := range l {
		if i > 0 {
			text = append(text, ", "...)
		}
		if len(text) > limit {
			return fmt.Sprintf("%s… %d more)", text, len(l)-i)
		}
		text = fmt.Append(text, t)
	}
	return string(append(text, ')'))
}

func checkWhile(c *check) {
	state := valueTypes(c.Operands)
	cond, body := c.Regions[0], c.Regions[1]
	c.require(compatibleTypes(state, valueTypes(cond.Block().Args)), "while_c1", "cond takes %s, the operands are %s",
		typesText(valueTypes(cond.Block().Args)), typesText(state))
	c.require(compatibleTypes(state, valueTypes(body.Block().Args)), "while_c2", "body takes %s, the operands are %s",
		typesText(valueTypes(body.Block().Args)), typesText(state))
	c.require(compatibleTypes(state, body.yield()), "while_c2", "body returns %s, the operands are %s",
		typesText(body.yield()), typesText(state))
	test := cond.yield()
	c.require(len(test) == 1 && compatible(test[0], Tensor(dtype.Bool)), "while_c1",
		"cond must return a scalar of bool, not %s", typesText(test))
	c.inferBy("while_c3", state...)
}

func checkMap(c *check) {
	if !c.require(len(c.Operands) > 0, "map_c2", "needs an input") {
		return
	}
	shape, err := meetTypes(valueTypes(c.Operands)...)
	if !c.require(err == nil, "map_c1", "inputs must have one shape: %v", err) {
		return
	}
	dims := c.Ints("dimensions")
	inOrder := len(dims) == c.arg(0).Rank()
	for i, d := range dims {
		inOrder = inOrder && d == int64(i)
	}
	c.require(inOrder, "map_c3", "dimensions %s must be all dimensions of the inputs in order", listText(dims))

	block, yield := c.Regions[0].Block(), c.Regions[0].yield()
	c.require(len(block.Args) == len(c.Operands), "map_c4", "computation takes %d arguments for %d inputs",
		len(block.Args), len(c.Operands))
	for i, a := range block.Args {
		c.require(i >= len(c.Operands) || isScalarOf(a.typ, elemOf(c.Operands[i].typ)), "map_c4",
			"argument %d of computation must be a scalar of the elements of its input, not %s", i, a.typ)
	}
	out := elemOf(c.Operands[0].typ)
	if c.require(len(yield) == 1 && isScalar(yield[0]), "map_c4", "computation must return a scalar, not %s",
		typesText(yield)) {
		out = elemOf(yield[0])
	}
	c.inferBy("map_c4", withElem(shape, out))
}

func isScalar(t Type) bool {
	s, ok := t.(*TensorType)
	return ok && s.Rank() == 0
}

func isScalarOf(t, elem Type) bool { return isScalar(t) && compatibleElem(elemOf(t), elem) }

func checkGetTupleElement(c *check) {
	elems, i := c.Operands[0].typ.(*TupleType).Elems, c.Int("index", 0)
	if c.require(0 <= i && i < int64(len(elems)), "get_tuple_element_c1", "index %d is out of bounds of %s",
		i, c.Operands[0].typ) {
		c.inferBy("get_tuple_element_c2", elems[i])
	}
}

func checkTorchIndexSelect(c *check) {
	operand, index, result := c.arg(0), c.arg(1), c.res(0)
	dim, batch := c.Int("dim", 0), c.Int("batch_dims", 0)
	if dim < 0 {
		dim += int64(operand.Rank())
	}
	if batch < 0 {
		batch += int64(index.Rank())
	}
	if !c.require(0 <= batch && batch <= dim && dim < int64(operand.Rank()) && batch <= int64(index.Rank()), "",
		"dim %d and batch_dims %d do not fit operand %s and index %s", dim, batch, operand, index) {
		return
	}
	c.require(index.DType().IsInteger(), "", "index must hold integers, not %s", index)
	dims := append(append(append([]int64{}, operand.Dims[:dim]...), index.Dims[batch:]...), operand.Dims[dim+1:]...)
	c.require(compatibleDims(dims, result.Dims) && SameType(operand.Elem, result.Elem), "", "the result %s must be %s",
		result, operand.WithDims(dims...))
}
