package stablehlo

import (
	"slices"

	"github.com/go-nx/nx/dtype"
)

// chloChecks are the checks of CHLO ops that are not elementwise.
var chloChecks = checkRows{
	{OpChloConstant, checkChloConstant},
	{OpChloConstantLike, checkChloConstantLike},
	{OpChloRaggedDot, checkRaggedDot},
	{OpChloScan, checkChloScan},
	{OpChloTopK, checkChloTopK},
}

func checkChloConstant(c *check) {
	if a, ok := c.Attr("value").(*ElementsAttr); ok && a.Type != nil {
		c.infer(a.Type)
	}
}

func checkChloConstantLike(c *check) {
	elem := attrType(c.Attr("value"))
	switch t := c.Operands[0].Type().(type) {
	case *TensorType:
		if elem != nil {
			c.infer(t.WithElem(elem))
		}
	case *UnrankedTensorType:
		if elem != nil {
			c.infer(&UnrankedTensorType{Elem: elem})
		}
	}
}

// attrType returns the type that a constant attribute carries, nil when it is
// not known.
func attrType(a Attr) Type {
	switch a := a.(type) {
	case IntAttr:
		return a.Type
	case FloatAttr:
		return a.Type
	case BoolAttr:
		return Scalar(dtype.Bool)
	}
	return nil
}

func checkChloTopK(c *check) {
	k := c.Int("k", 0)
	t := c.arg(0)
	if t == nil || !c.require(k >= 0, "", "k is %d, but must not be negative", k) ||
		!c.require(t.Rank() > 0, "", "operand %s must have at least one dimension", t) {
		return // an operand of unknown rank determines no result type
	}
	last := t.Rank() - 1
	if !c.require(t.Dims[last] == Dynamic || t.Dims[last] >= k, "",
		"the last dimension of operand %s has fewer than k = %d elements", t, k) {
		return
	}
	sizes := sizesOf(t)
	sizes[last] = size{k, Dynamic}
	c.infer(tensorOf(t.Elem, sizes), tensorOf(Scalar(dtype.S32), sizes))
}

func checkChloScan(c *check) {
	inputs, inits := c.OperandGroup(0), c.OperandGroup(1)
	dim := c.Int("dimension", 0)
	types := c.tensors(c.Operands)
	if types == nil || !c.require(len(inputs)+len(inits) == len(c.Operands), "",
		"operandSegmentSizes must split the operands into inputs and initial values") ||
		!c.require(dim >= 0, "", "dimension is %d, but must not be negative", dim) {
		return
	}
	body, results, ok := c.body(0, "")
	if !ok ||
		!c.require(len(results) >= len(inits), "", "the body returns %d values, but there are %d carries",
			len(results), len(inits)) ||
		!c.require(len(inputs) > 0 || len(results) > len(inits), "", "needs at least one input or output") {
		return
	}
	size, ok := c.scanSize(types[:len(inputs)], dim)
	if !ok || !c.require(len(body.Args) == len(types), "", "the body takes %d arguments, but there are %d operands",
		len(body.Args), len(types)) {
		return
	}
	for i, t := range types {
		if i < len(inputs) {
			t = t.WithDims(slices.Delete(slices.Clone(t.Dims), int(dim), int(dim)+1)...)
		}
		arg := body.Args[i].Tensor()
		if !c.require(arg != nil && compatibleDims(arg.Dims, t.Dims) && SameType(arg.Elem, t.Elem), "",
			"argument %d of the body is %s, but operand %d has slices %s", i, body.Args[i].Type(), i, t) {
			return
		}
	}
	c.inferScan(results, len(results)-len(inits), dim, size)
}

// scanSize returns how many steps a scan takes, Dynamic when that is not known.
func (c *check) scanSize(inputs []*TensorType, dim int64) (int64, bool) {
	size := Dynamic
	if c.Attr("scan_dim_size") != nil {
		if size = c.Int("scan_dim_size", 0); !c.require(size >= 0, "", "scan_dim_size is %d, but must not be negative",
			size) {
			return 0, false
		}
	}
	for i, t := range inputs {
		if !c.axis("", "dimension", dim, t) ||
			!c.require(compatibleSize(size, t.Dims[dim]), "",
				"input %d has size %s in dimension %d, but the scan takes %s steps", i, dimText(t.Dims[dim]), dim,
				dimText(size)) {
			return 0, false
		}
		if size == Dynamic {
			size = t.Dims[dim]
		}
	}
	return size, true
}

// inferScan stacks the first outputs of the body along dim; the others are carries.
func (c *check) inferScan(results []*Value, outputs int, dim, size int64) {
	types := make([]Type, len(results))
	for i, t := range c.tensors(results) {
		types[i] = t
		if i < outputs {
			if !c.require(dim <= int64(t.Rank()), "", "output %d has slices %s, which cannot be stacked along dimension %d",
				i, t, dim) {
				return
			}
			types[i] = t.WithDims(slices.Insert(slices.Clone(t.Dims), int(dim), size)...)
		}
	}
	if !c.failed {
		c.infer(types...)
	}
}
