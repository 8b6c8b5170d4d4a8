package stablehlo

import (
	"fmt"
	"slices"
)

// customChecks are the checks of ops whose meaning is defined outside of the module.
var customChecks = checkRows{
	{OpComposite, checkComposite},
	{OpCustomCall, checkCustomCall},
}

func checkComposite(c *check) {
	name := c.Str("name")
	if !c.require(isNamespaced(name), "composite_c1",
		"name %q must be a namespace and a name of letters, digits, _ and $: \"my_namespace.my_op\"", name) {
		return
	}
	f, ok := c.function("composite_c2", c.Str("decomposition"))
	if !ok {
		return
	}
	t := f.Type()
	if c.matches("composite_c3", "operand", c.Operands, t.Ins) &&
		(c.building() || c.matches("composite_c4", "result", c.Results, t.Outs)) {
		c.infer(t.Outs...)
	}
}

// matches requires that values have exactly the types of a function's arguments or results.
func (c *check) matches(constraint, what string, values []*Value, types []Type) bool {
	if !c.require(len(values) == len(types), constraint, "has %d %ss, but its decomposition has %d",
		len(values), what, len(types)) {
		return false
	}
	for i, v := range values {
		if !c.require(SameType(v.Type(), types[i]), constraint, "%s %d is %s, but that of its decomposition %s",
			what, i, v.Type(), types[i]) {
			return false
		}
	}
	return true
}

// isNamespaced reports whether s is a namespace that starts with a letter and
// one or more names, all joined by dots.
func isNamespaced(s string) bool {
	dots, last := 0, byte('.')
	for i := range len(s) {
		b := s[i]
		letter := 'a' <= b|0x20 && b|0x20 <= 'z'
		switch {
		case letter:
		case i == 0 || b == '.' && last == '.':
			return false
		case b == '.':
			dots++
		case '0' <= b && b <= '9' || b == '_':
		case b != '$' || dots == 0:
			return false
		}
		last = b
	}
	return dots > 0 && last != '.'
}

func checkCustomCall(c *check) {
	if c.layouts() && c.backendConfig() {
		switch target := c.Str("call_target_name"); target {
		case "CreateBuffer", "Pin", "Unpin":
			if _, ok := c.aliases(); ok {
				c.bufferCall(target)
			}
		default:
			c.bufferAliases()
		}
	}
}

// backendConfig checks that the configuration is a dictionary for the typed
// API, else a string.
func (c *check) backendConfig() bool {
	const typedFFI = 4
	version := c.Int("api_version", 1)
	switch c.Attr("backend_config").(type) {
	case nil:
		return true
	case DictAttr:
		return c.require(version == typedFFI, "", "backend_config must be a string for api_version %d", version)
	}
	return c.require(version != typedFFI, "", "backend_config must be a dictionary for api_version %d", version)
}

// layouts checks operand_layouts and result_layouts.
func (c *check) layouts() bool {
	ins, isIn := c.Attr("operand_layouts").(ArrayAttr)
	outs, isOut := c.Attr("result_layouts").(ArrayAttr)
	if !c.require(isIn == isOut, "", "operand_layouts and result_layouts must be given together") || !isIn {
		return !c.failed
	}
	results := valueTypes(c.Results)
	if len(results) == 1 {
		if t, ok := results[0].(*TupleType); ok {
			results = t.Elems
		}
	}
	return c.layoutList("operand", valueTypes(c.Operands), ins) && c.layoutList("result", results, outs)
}

func valueTypes(values []*Value) []Type {
	types := make([]Type, len(values))
	for i, v := range values {
		types[i] = v.Type()
	}
	return types
}

// layoutList checks a list of layouts: a permutation of the dimensions for each tensor, an empty list for
// other types.
func (c *check) layoutList(what string, types []Type, layouts ArrayAttr) bool {
	if !c.require(len(types) == len(layouts), "", "has %d %ss, but %s_layouts has %d", len(types),
		what, what, len(layouts)) {
		return false
	}
	for i, t := range types {
		rank := 0
		switch t := t.(type) {
		case *TensorType:
			rank = t.Rank()
		case *BufferType:
			rank = len(t.Dims)
		case *UnrankedTensorType:
			continue
		case *TupleType:
			c.fail("", "%s %d is %s, but a tuple inside operands or results cannot have a layout", what, i, t)
			return false
		}
		if !c.require(isLayout(layouts[i], rank), "",
			"%s %d of type %s has layout %s, which is not a permutation of its %d dimensions", what, i, t, layouts[i], rank) {
			return false
		}
	}
	return true
}

// isLayout reports whether an attribute holds each of the numbers below rank once.
func isLayout(a Attr, rank int) bool {
	e, ok := a.(*ElementsAttr)
	if !ok || e.Type == nil {
		return false
	}
	if n, ok := e.Type.NumElems(); !ok || n != int64(rank) {
		return false
	}
	list := slices.Clone(e.Int64s())
	slices.Sort(list)
	for i, n := range list {
		if n != int64(i) {
			return false
		}
	}
	return len(list) == rank
}

// aliasing is an entry of output_operand_aliases whose parts are known to exist.
type aliasing struct {
	*OutputOperandAlias
	part Type // the type of both parts
}

// aliases checks that each entry names parts of equal type.
func (c *check) aliases() ([]aliasing, bool) {
	list, _ := c.Attr("output_operand_aliases").(ArrayAttr)
	out := make([]aliasing, 0, len(list))
	for _, a := range list {
		alias, ok := a.(*OutputOperandAlias)
		if !c.require(ok, "", "output_operand_aliases must hold only #stablehlo.output_operand_alias<…>") ||
			!c.require(0 <= alias.OperandIndex && alias.OperandIndex < int64(len(c.Operands)), "",
				"output_operand_aliases: operand_index is %d, but there are %d operands", alias.OperandIndex, len(c.Operands)) {
			return nil, false
		}
		from, ok1 := tuplePart(c.Operands[alias.OperandIndex].Type(), alias.OperandTupleIndices)
		to, ok2 := tuplePart(c.output(), alias.OutputTupleIndices)
		if !c.require(ok1, "", "output_operand_aliases: operand %d has no part %s", alias.OperandIndex,
			dimsText(alias.OperandTupleIndices)) ||
			!c.require(ok2, "", "output_operand_aliases: the results have no part %s",
				dimsText(alias.OutputTupleIndices)) ||
			!c.require(SameType(from, to), "", "output_operand_aliases: the operand part is %s, the output part %s", from, to) {
			return nil, false
		}
		out = append(out, aliasing{alias, from})
	}
	return out, true
}

// output returns what output indices select from: the one result, or a tuple of all.
func (c *check) output() Type {
	if types := valueTypes(c.Results); len(types) != 1 {
		return &TupleType{Elems: types}
	}
	return c.Results[0].Type()
}

// tuplePart returns the part of a type at a path of tuple indices.
func tuplePart(t Type, path []int64) (Type, bool) {
	for _, i := range path {
		tuple, ok := t.(*TupleType)
		if !ok || i < 0 || i >= int64(len(tuple.Elems)) {
			return nil, false
		}
		t = tuple.Elems[i]
	}
	return t, true
}

// bufferAliases requires that each buffer result be aliased, and that no buffer
// be so twice.
func (c *check) bufferAliases() {
	list, ok := c.aliases()
	if !ok {
		return
	}
	outputs, operands := map[string]bool{}, map[string]bool{}
	for _, a := range list {
		if _, ok := a.part.(*BufferType); !ok {
			continue
		}
		to := dimsText(a.OutputTupleIndices).String()
		from := fmt.Sprint(a.OperandIndex, dimsText(a.OperandTupleIndices))
		if !c.require(!outputs[to], "", "output_operand_aliases: buffer output %s occurs twice", to) ||
			!c.require(!operands[from], "", "output_operand_aliases: buffer operand %s occurs twice", from) {
			return
		}
		outputs[to], operands[from] = true, true
	}
	c.aliasedBuffers(c.output(), nil, outputs)
}

// aliasedBuffers requires that the buffers in t, which stands at path, be aliased.
func (c *check) aliasedBuffers(t Type, path []int64, aliased map[string]bool) {
	switch t := t.(type) {
	case *BufferType:
		c.require(aliased[dimsText(path).String()], "", "buffer output %s has no entry in output_operand_aliases",
			dimsText(path))
	case *TupleType:
		for i, e := range t.Elems {
			if c.aliasedBuffers(e, append(path[:len(path):len(path)], int64(i)), aliased); c.failed {
				return
			}
		}
	}
}

// bufferCall checks the calls that create a buffer, or convert between a tensor and a buffer.
func (c *check) bufferCall(target string) {
	operands := 1
	if target == "CreateBuffer" {
		operands = 0
	}
	if !c.require(len(c.Operands) == operands && len(c.Results) == 1, "", "%s takes %d operands and has one result",
		target, operands) {
		return
	}
	out, toBuffer := c.Results[0].Type().(*BufferType)
	switch target {
	case "CreateBuffer":
		c.require(toBuffer, "", "CreateBuffer must result in a memref")
	case "Pin":
		t := c.arg(0)
		c.require(t != nil && toBuffer && compatibleDims(t.Dims, out.Dims) && SameType(t.Elem, out.Elem), "",
			"Pin must turn a tensor into a memref of equal shape and elements, but goes from %s to %s", c.Operands[0].Type(),
			c.Results[0].Type())
	case "Unpin":
		in, fromBuffer := c.Operands[0].Type().(*BufferType)
		t := c.res(0)
		c.require(t != nil && fromBuffer && compatibleDims(t.Dims, in.Dims) && SameType(t.Elem, in.Elem), "",
			"Unpin must turn a memref into a tensor of equal shape and elements, but goes from %s to %s", c.Operands[0].Type(),
			c.Results[0].Type())
	}
}
