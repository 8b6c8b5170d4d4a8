package stablehlo

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/lazy"
)

// directives holds the pieces of syntax that the forms of format_table.go name,
// each with its printer.
var directives lazy.Value[map[string]directive]

func listDirectives() map[string]directive {
	return map[string]directive{
		"attrs":             {print: (*printer).optAttrs},
		"fn":                {print: (*printer).functionalType},
		"same":              {print: (*printer).sameType},
		"result":            {print: (*printer).resultType},
		"arrow":             {print: (*printer).arrowTypes},
		"top_k":             {print: (*printer).topKTypes},
		"complex":           {print: (*printer).complexTypes},
		"select":            {print: (*printer).selectTypes},
		"tuple":             {print: (*printer).tupleTypes},
		"operand":           {print: (*printer).operandType},
		"operands":          {print: (*printer).operandTypes},
		"const_operand":     {print: (*printer).constOperand},
		"const_result":      {print: (*printer).constResult},
		"barrier":           {print: (*printer).barrier, operands: true},
		"return":            {print: (*printer).returned, operands: true},
		"target":            {print: (*printer).target, covers: []string{"call_target_name"}},
		"ranges":            {print: (*printer).ranges, covers: []string{"limit_indices", "start_indices", "strides"}},
		"exponent_mantissa": {print: (*printer).exponentMantissa, covers: []string{"exponent_bits", "mantissa_bits"}},
		"precision":         {print: (*printer).precision, covers: []string{"precision_config"}},
		"algorithm":         {print: (*printer).algorithm, covers: []string{"algorithm"}},
		"dot_dims":          {print: (*printer).dotDims, covers: []string{"dot_dimension_numbers"}},
		"conv_dims":         {print: (*printer).convDimsAttr, covers: []string{"dimension_numbers"}},
		"window": {print: (*printer).window,
			covers: []string{"lhs_dilation", "padding", "rhs_dilation", "window_reversal", "window_strides"}},
		"constant": {print: (*printer).constant, covers: []string{"value"}},
		"regions":  {regions: true, print: (*printer).compositeRegions},
		"reduce":   {regions: true, print: (*printer).reduce, covers: []string{"dimensions"}, operands: true},
		"while":    {regions: true, print: (*printer).while, operands: true},
		"scan": {regions: true, print: (*printer).scan,
			covers: []string{"dimension", "operandSegmentSizes", "resultSegmentSizes"}, operands: true},
		"module": {regions: true, print: (*printer).moduleOp,
			covers: []string{"sym_name", "sym_visibility"}},
		"func": {regions: true, print: (*printer).funcOp,
			covers: []string{"arg_attrs", "function_type", "res_attrs", "sym_name", "sym_visibility"}},
		"sdy_mesh":     {print: (*printer).sdyMesh, covers: []string{"mesh", "sym_name"}},
		"sdy_sharding": {print: (*printer).sdySharding, covers: []string{"sharding"}},
		"sdy_manual": {regions: true, print: (*printer).sdyManual,
			covers: []string{"in_shardings", "manual_axes", "out_shardings"}, operands: true},
	}
}

// parsers are their parsers, apart from the table, so that programs that only print have none.
var parsers lazy.Value[map[string]func(*parser, *opParts)]

func listParsers() map[string]func(*parser, *opParts) {
	return map[string]func(*parser, *opParts){
		"attrs":             (*parser).optAttrs,
		"fn":                (*parser).functionalType,
		"same":              (*parser).sameType,
		"result":            (*parser).resultType,
		"arrow":             (*parser).arrowTypes,
		"top_k":             (*parser).topKTypes,
		"complex":           (*parser).complexTypes,
		"select":            (*parser).selectTypes,
		"tuple":             (*parser).tupleTypes,
		"operand":           (*parser).operandType,
		"operands":          (*parser).operandTypes,
		"const_operand":     (*parser).constOperand,
		"const_result":      (*parser).constResult,
		"barrier":           (*parser).barrier,
		"return":            (*parser).returned,
		"target":            (*parser).target,
		"ranges":            (*parser).ranges,
		"exponent_mantissa": (*parser).exponentMantissa,
		"precision":         (*parser).precision,
		"algorithm":         (*parser).algorithm,
		"dot_dims":          (*parser).dotDims,
		"conv_dims":         (*parser).convDimsAttr,
		"window":            (*parser).window,
		"constant":          (*parser).constant,
		"regions":           (*parser).compositeRegions,
		"reduce":            (*parser).reduce,
		"while":             (*parser).while,
		"scan":              (*parser).scan,
		"module":            (*parser).moduleOp,
		"func":              (*parser).funcOp,
		"sdy_mesh":          (*parser).sdyMesh,
		"sdy_sharding":      (*parser).sdySharding,
		"sdy_manual":        (*parser).sdyManual,
	}
}

// $fn is the type of a function from the operands to the results: (a, b) -> c.

func (w *printer) functionalType(op *Op) bool {
	w.typesOf(op.Operands)
	w.text(" -> ")
	if len(op.Results) == 1 && !isFuncType(op.Results[0].typ) {
		w.typ(op.Results[0].typ)
		return true
	}
	w.typesOf(op.Results)
	return true
}

func isFuncType(t Type) bool { _, ok := t.(*FuncType); return ok }

// typesOf appends the types of values in parentheses.
func (w *printer) typesOf(vals []*Value) {
	w.text("(")
	w.typeList(vals)
	w.text(")")
}

// typeList appends the types of values, separated by commas.
func (w *printer) typeList(vals []*Value) {
	for i, v := range vals {
		if i > 0 {
			w.text(", ")
		}
		w.typ(v.typ)
	}
}

// fromFunction takes the types of the op from a function type, which must fit
// the number of operands and have one result.
func (p *parser) fromFunction(s *opParts, f *FuncType, at Pos) {
	switch {
	case len(f.Ins) != len(s.operands):
		p.failAt(at, "%s has %d operands but its type has %d", s.op.Name(), len(s.operands), len(f.Ins))
	case len(f.Outs) != 1:
		p.failAt(at, "%s has one result but its type has %d", s.op.Name(), len(f.Outs))
	}
	s.types = append(s.types, f.Ins...)
	s.results = append(s.results, f.Outs...)
}

// allOf returns every operand the type.
func (s *opParts) allOf(t Type) {
	for range s.operands {
		s.types = append(s.types, t)
	}
}

// sameTyped reports whether all values have the type t.
func sameTyped(vals []*Value, t Type) bool {
	return !slices.ContainsFunc(vals, func(v *Value) bool { return !SameType(v.typ, t) })
}

// $same is one type for all operands and the result; a function type when they
// differ.

func (p *parser) sameType(s *opParts) {
	at, t := p.pos(), p.typ()
	if f, ok := t.(*FuncType); ok {
		p.fromFunction(s, f, at)
		return
	}
	s.allOf(t)
	s.results = append(s.results, t)
}

func (w *printer) sameType(op *Op) bool {
	if len(op.Results) != 1 {
		return false
	}
	t := op.Results[0].typ
	if !sameTyped(op.Operands, t) {
		return w.functionalType(op)
	}
	w.typ(t)
	return !isFuncType(t)
}

// $result is the type of the only result.

func (p *parser) resultType(s *opParts) { s.results = append(s.results, p.typ()) }

func (w *printer) resultType(op *Op) bool {
	if len(op.Results) != 1 {
		return false
	}
	w.typ(op.Results[0].typ)
	return true
}

// $arrow is a, b -> c.

func (p *parser) arrowTypes(s *opParts) {
	s.types = p.types1(s.types)
	p.expect(tokArrow, "between the types of operands and result")
	s.results = append(s.results, p.typ())
}

// types1 appends one type or more, separated by commas.
func (p *parser) types1(dst []Type) []Type {
	dst = append(dst, p.typ())
	for p.accept(',') {
		dst = append(dst, p.typ())
	}
	return dst
}

func (w *printer) arrowTypes(op *Op) bool {
	w.typeList(op.Operands)
	w.text(" -> ")
	return len(op.Operands) > 0 && w.resultType(op)
}

// $top_k is a -> (b, c).

func (p *parser) topKTypes(s *opParts) {
	s.types = append(s.types, p.typ())
	p.expect(tokArrow, "between the types of operand and results")
	s.results = p.typeList(s.results, "before the result types")
}

func (w *printer) topKTypes(op *Op) bool {
	w.typeList(op.Operands)
	w.text(" -> ")
	w.typesOf(op.Results)
	return len(op.Operands) == 1
}

// $complex is the complex type of the result if the operands have its real type, else a function type.

func (p *parser) complexTypes(s *opParts) {
	at, t := p.pos(), p.typ()
	switch t := t.(type) {
	case *FuncType:
		p.fromFunction(s, t, at)
		return
	case *TensorType:
		if part := realPart(t); part != nil {
			s.allOf(part)
			s.results = append(s.results, t)
			return
		}
	}
	p.failAt(at, "expected a tensor type of complex elements or a function type")
}

// realPart returns the type of the parts of a complex tensor, or nil.
func realPart(t *TensorType) Type {
	d := t.DType()
	if s, ok := t.Elem.(Scalar); !ok || !dtype.Type(s).IsComplex() {
		return nil
	}
	return t.WithElem(Scalar(d.Real()))
}

func (w *printer) complexTypes(op *Op) bool {
	if len(op.Results) != 1 {
		return false
	}
	t := op.Results[0].Tensor()
	if t == nil || realPart(t) == nil || !sameTyped(op.Operands, realPart(t)) {
		return w.functionalType(op)
	}
	w.typ(t)
	return true
}

// $select is the types of the predicate and of the other operands; a function type when these differ.

func (p *parser) selectTypes(s *opParts) {
	at := p.pos()
	types := p.types1(nil)
	if len(types) == 1 {
		if f, ok := types[0].(*FuncType); ok {
			p.fromFunction(s, f, at)
			return
		}
	}
	if len(types) != 2 {
		p.failAt(at, "expected a function type or the two types of the predicate and the result")
		return
	}
	s.types = append(s.types, types[0], types[1], types[1])
	s.results = append(s.results, types[1])
}

func (w *printer) selectTypes(op *Op) bool {
	if len(op.Results) != 1 || len(op.Operands) != 3 {
		return false
	}
	t := op.Results[0].typ
	if !sameTyped(op.Operands[1:], t) {
		return w.functionalType(op)
	}
	w.typ(op.Operands[0].typ)
	w.text(", ")
	w.typ(t)
	return true
}

// $tuple is the type of the result if it is the tuple of the operands' types.

func (p *parser) tupleTypes(s *opParts) {
	at, t := p.pos(), p.typ()
	tuple, ok := t.(*TupleType)
	if !ok {
		p.failAt(at, "expected a tuple type")
		return
	}
	s.types = append(s.types, tuple.Elems...)
	s.results = append(s.results, t)
}

func (w *printer) tupleTypes(op *Op) bool {
	if len(op.Results) != 1 {
		return false
	}
	t, ok := op.Results[0].typ.(*TupleType)
	if !ok || !slices.EqualFunc(op.Operands, t.Elems, func(v *Value, t Type) bool { return SameType(v.typ, t) }) {
		return false
	}
	w.typ(t)
	return true
}

// $operand is the one type of all operands of an op without results.

func (p *parser) operandType(s *opParts) { s.allOf(p.typ()) }

func (w *printer) operandType(op *Op) bool {
	if len(op.Operands) == 0 || len(op.Results) != 0 || !sameTyped(op.Operands, op.Operands[0].typ) {
		return false
	}
	w.typ(op.Operands[0].typ)
	return true
}

// $operands is the types of the operands of an op without results.

func (p *parser) operandTypes(s *opParts) { s.types = p.types1(s.types) }

func (w *printer) operandTypes(op *Op) bool {
	w.typeList(op.Operands)
	return len(op.Operands) > 0 && len(op.Results) == 0
}

// $const_operand is empty: the operand has the type of the constant. $const_result is empty likewise.

func (p *parser) constOperand(s *opParts) { s.allOf(p.constType(s)) }

func (p *parser) constResult(s *opParts) { s.results = append(s.results, p.constType(s)) }

// constType returns the type of the attribute value.
func (p *parser) constType(s *opParts) Type {
	for _, a := range s.attrs {
		if e, ok := a.Value.(*ElementsAttr); ok && a.Name == "value" {
			return e.Type
		}
	}
	p.fail("%s needs a dense constant", s.op.Name())
	return nil
}

func (w *printer) constOperand(op *Op) bool {
	e, ok := op.Attr("value").(*ElementsAttr)
	return ok && sameTyped(op.Operands, e.Type) && len(op.Results) == 0
}

func (w *printer) constResult(op *Op) bool {
	e, ok := op.Attr("value").(*ElementsAttr)
	return ok && len(op.Results) == 1 && sameTyped(op.Results, e.Type)
}

// $barrier is the operands and their types, which are those of the results; () for an empty list.

func (p *parser) barrier(s *opParts) {
	if p.accept('(') {
		p.expect(')', "since there are no operands")
		return
	}
	p.operands(s)
	if len(s.operands) == 0 {
		return
	}
	p.expect(':', "before the types of the operands")
	s.types = p.types1(s.types)
	s.results = append(s.results, s.types...)
}

func (w *printer) barrier(op *Op) bool {
	if len(op.Operands) == 0 {
		w.text("()")
		return len(op.Results) == 0
	}
	w.text(" ")
	w.values(op.Operands)
	w.text(" : ")
	w.typeList(op.Operands)
	return slices.EqualFunc(op.Operands, op.Results, func(a, b *Value) bool { return SameType(a.typ, b.typ) })
}

// $return is the operands with their types, or empty.

func (p *parser) returned(s *opParts) {
	p.operands(s)
	p.optAttrs(s)
	if p.accept(':') {
		s.types = p.types1(s.types)
	}
}

func (w *printer) returned(op *Op) bool {
	if len(op.Operands) > 0 {
		w.text(" ")
		w.values(op.Operands)
	}
	w.optAttrs(op)
	if len(op.Operands) > 0 {
		w.text(" : ")
		w.typeList(op.Operands)
	}
	return len(op.Results) == 0
}
