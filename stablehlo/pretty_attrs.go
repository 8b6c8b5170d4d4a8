package stablehlo

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// $attrs is the dictionary of the remaining attributes, {a = 1, b}.

func (p *parser) optAttrs(s *opParts) {
	if p.is('{') {
		p.attrDict(s)
	}
}

func (w *printer) optAttrs(op *Op) bool {
	w.attrDict(op, formOf(op.Code).covers)
	return true
}

// bareAttr reads an attribute without the parts that the table fixes. An alias
// may stand for all of it.
func (p *parser) bareAttr(spec *AttrSpec) Attr {
	if p.is(tokHash) {
		return p.attr()
	}
	switch spec.Kind {
	case AttrI32, AttrI64, AttrU32, AttrU64:
		d, _ := intAttrType(spec.Kind)
		return IntAttr{p.intOf(d), Scalar(d)}
	case AttrF32:
		return FloatAttr{p.floatOf(dtype.F32), Scalar(dtype.F32)}
	case AttrF64:
		return FloatAttr{p.floatOf(dtype.F64), Scalar(dtype.F64)}
	case AttrBool:
		return BoolAttr(p.boolInt() != 0)
	case AttrString:
		return StringAttr(p.stringLit("a string"))
	case AttrSymbol:
		return p.symbolAttr()
	case AttrInts:
		return IntsAttr{dtype.S64, p.ints("before integers")}
	case AttrEnum:
		return p.keyword("stablehlo", spec.Enum)
	}
	return p.attr()
}

// intAttrType returns the element type of a kind of integer attributes; ok is false for other kinds.
func intAttrType(kind AttrKind) (d dtype.Type, ok bool) {
	switch kind {
	case AttrI32:
		return dtype.S32, true
	case AttrI64:
		return dtype.S64, true
	case AttrU32:
		return dtype.U32, true
	case AttrU64:
		return dtype.U64, true
	}
	return d, false
}

// keyword reads a keyword of an enumeration.
func (p *parser) keyword(dialect, kind string) EnumAttr {
	at := p.pos()
	e := EnumAttr{dialect, kind, p.word("a keyword")}
	p.checkKeyword(e, at)
	return e
}

// checkKeyword fails when an enumeration of the specification does not have the keyword.
func (p *parser) checkKeyword(e EnumAttr, at Pos) {
	if words := EnumKeywords(e.Kind); words != nil && !slices.Contains(words, e.Value) {
		p.failAt(at, "%s is not a %s: expected %s", e.Value, e.Kind, strings.Join(words, ", "))
	}
}

// bareAttr appends an attribute without the parts that the table defines, and reports whether it has the form
// of the table.
func (w *printer) bareAttr(spec *AttrSpec, a Attr) bool {
	switch a := a.(type) {
	case IntAttr:
		d, ok := intAttrType(spec.Kind)
		w.buf = appendInt(w.buf, a.Value, a.Type)
		return ok && a.Type == Type(Scalar(d))
	case FloatAttr:
		d := DType(a.Type)
		w.buf = appendFloat(w.buf, d, d.FromFloat64(a.Value))
		return spec.Kind == AttrF64 && d == dtype.F64 || spec.Kind == AttrF32 && d == dtype.F32
	case EnumAttr:
		w.text(a.Value)
		return spec.Kind == AttrEnum && a.Kind == spec.Enum && a.Dialect == "stablehlo"
	case IntsAttr:
		w.ints(a.Values)
		return spec.Kind == AttrInts && a.Elem == dtype.S64
	case nil:
		return false
	}
	w.attr(a)
	switch a.(type) {
	case BoolAttr:
		return spec.Kind == AttrBool
	case StringAttr:
		return spec.Kind == AttrString
	case SymbolAttr:
		return spec.Kind == AttrSymbol
	case *ElementsAttr:
		return spec.Kind == AttrElems
	}
	return false
}

// ints appends [1, 2].
func (w *printer) ints(vals []int64) { w.buf = appendInts(w.buf, vals) }

// $target is the name that a custom call calls, written like a symbol.

func (p *parser) target(s *opParts) {
	s.attr("call_target_name", StringAttr(p.symbol("the target of the call")))
}

func (w *printer) target(op *Op) bool {
	a, ok := op.Attr("call_target_name").(StringAttr)
	w.buf = appendSymbol(w.buf, string(a))
	return ok
}

// $ranges is [start:limit:stride, …] with a stride of 1 left out.

func (p *parser) ranges(s *opParts) {
	start, limit, stride := []int64{}, []int64{}, []int64{}
	p.list('[', ']', "before the ranges", func() {
		start = append(start, p.integer("a start index"))
		p.expect(':', "between start and limit")
		limit = append(limit, p.integer("a limit index"))
		by := int64(1)
		if p.accept(':') {
			by = p.integer("a stride")
		}
		stride = append(stride, by)
	})
	s.attr("start_indices", I64s(start...))
	s.attr("limit_indices", I64s(limit...))
	s.attr("strides", I64s(stride...))
}

func (w *printer) ranges(op *Op) bool {
	start, ok1 := op.Attr("start_indices").(IntsAttr)
	limit, ok2 := op.Attr("limit_indices").(IntsAttr)
	stride, ok3 := op.Attr("strides").(IntsAttr)
	n := len(start.Values)
	if !ok1 || !ok2 || !ok3 || len(limit.Values) != n || len(stride.Values) != n ||
		start.Elem != dtype.S64 || limit.Elem != dtype.S64 || stride.Elem != dtype.S64 {
		return false
	}
	w.text("[")
	for i := range n {
		if i > 0 {
			w.text(", ")
		}
		w.buf = strconv.AppendInt(w.buf, start.Values[i], 10)
		w.text(":")
		w.buf = strconv.AppendInt(w.buf, limit.Values[i], 10)
		if by := stride.Values[i]; by != 1 {
			w.text(":")
			w.buf = strconv.AppendInt(w.buf, by, 10)
		}
	}
	w.text("]")
	return true
}

// $exponent_mantissa is e5m10, the bits of a format.

func (p *parser) exponentMantissa(s *opParts) {
	at := p.pos()
	word := p.word("a format (e5m10)")
	e, m, ok := strings.Cut(strings.TrimPrefix(word, "e"), "m")
	exp, err1 := strconv.ParseUint(e, 10, 31)
	man, err2 := strconv.ParseUint(m, 10, 31)
	if !ok || word[:min(1, len(word))] != "e" || err1 != nil || err2 != nil {
		p.failAt(at, "expected the bits of exponent and mantissa in the form e5m10, found %s", word)
	}
	s.attr("exponent_bits", I32(int32(exp)))
	s.attr("mantissa_bits", I32(int32(man)))
}

func (w *printer) exponentMantissa(op *Op) bool {
	e, ok1 := op.Attr("exponent_bits").(IntAttr)
	m, ok2 := op.Attr("mantissa_bits").(IntAttr)
	w.text("e")
	w.buf = strconv.AppendInt(w.buf, e.Value, 10)
	w.text("m")
	w.buf = strconv.AppendInt(w.buf, m.Value, 10)
	i32 := Type(Scalar(dtype.S32))
	return ok1 && ok2 && e.Type == i32 && m.Type == i32 && e.Value >= 0 && m.Value >= 0
}

// $precision is an optional list of keywords: , precision = [HIGH, DEFAULT].

func (p *parser) precision(s *opParts) {
	if !p.is(',') || p.peekWord("algorithm") {
		return
	}
	p.advance()
	p.expectWord("precision", "after \",\"")
	p.expect('=', "after precision")
	list := ArrayAttr{}
	p.list('[', ']', "before precisions", func() { list = append(list, p.keyword("stablehlo", "precision")) })
	s.attr("precision_config", list)
}

// peekWord reports whether the token after the current one is the word.
func (p *parser) peekWord(w string) bool {
	l := p.lexer
	t := l.next()
	return t.kind == tokIdent && string(p.src[t.start:t.end]) == w
}

func (w *printer) precision(op *Op) bool {
	a := op.Attr("precision_config")
	if a == nil {
		return true
	}
	list, ok := a.(ArrayAttr)
	w.text(", precision = [")
	for i, a := range list {
		e, isEnum := a.(EnumAttr)
		ok = ok && isEnum && e.Dialect == "stablehlo" && e.Kind == "precision"
		if i > 0 {
			w.text(", ")
		}
		w.text(e.Value)
	}
	w.text("]")
	return ok
}

// $algorithm is an optional description of how to compute: , algorithm = <…>.

func (p *parser) algorithm(s *opParts) {
	if !p.accept(',') {
		return
	}
	p.expectWord("algorithm", "after \",\"")
	p.expect('=', "after algorithm")
	a := &DotAlgorithm{}
	p.structAttr(a)
	s.attr("algorithm", a)
}

func (w *printer) algorithm(op *Op) bool {
	a := op.Attr("algorithm")
	if a == nil {
		return true
	}
	d, ok := a.(*DotAlgorithm)
	if ok {
		w.text(", algorithm = ")
		w.buf = appendFields(w.buf, d)
	}
	return ok
}

// $dot_dims is batching_dims = [0] x [0], contracting_dims = [2] x [1]; empty batching_dims are omitted.

func (p *parser) dotDims(s *opParts) {
	d := &DotDims{LHSBatching: []int64{}, RHSBatching: []int64{}}
	if p.acceptWord("batching_dims") {
		p.expect('=', "after batching_dims")
		d.LHSBatching, d.RHSBatching = p.dimPair()
		p.expect(',', "after batching_dims")
	}
	p.expectWord("contracting_dims", "after the operands")
	p.expect('=', "after contracting_dims")
	d.LHSContracting, d.RHSContracting = p.dimPair()
	s.attr("dot_dimension_numbers", d)
}

func (p *parser) dimPair() (lhs, rhs []int64) {
	lhs = p.ints("before dimensions")
	p.expectWord("x", "between the dimensions of both sides")
	return lhs, p.ints("before dimensions")
}

func (w *printer) dotDims(op *Op) bool {
	d, ok := op.Attr("dot_dimension_numbers").(*DotDims)
	if !ok {
		return false
	}
	if len(d.LHSBatching)+len(d.RHSBatching) > 0 {
		w.text("batching_dims = ")
		w.ints(d.LHSBatching)
		w.text(" x ")
		w.ints(d.RHSBatching)
		w.text(", ")
	}
	w.text("contracting_dims = ")
	w.ints(d.LHSContracting)
	w.text(" x ")
	w.ints(d.RHSContracting)
	return true
}
