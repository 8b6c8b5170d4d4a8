package stablehlo

import (
	"bytes"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// attr reads an attribute, types used as attributes included.
func (p *parser) attr() Attr {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	switch p.tok.kind {
	case tokInt, tokFloat, '-':
		return p.numberAttr()
	case tokString:
		return p.stringAttr()
	case tokSymbol:
		return p.symbolAttr()
	case '[':
		list := ArrayAttr{}
		p.list('[', ']', "before the elements", func() { list = append(list, p.attr()) })
		return list
	case '{':
		return p.dictAttr()
	case tokHash:
		return p.hashAttr()
	case tokIdent:
		return p.wordAttr()
	case '(', tokBang:
		return TypeAttr{p.typ()}
	}
	p.fail("expected an attribute, found %s", p.shown())
	return nil
}

func (p *parser) wordAttr() Attr {
	switch string(p.text()) {
	case "true", "false":
		v := BoolAttr(p.isWord("true"))
		p.advance()
		return v
	case "unit":
		p.advance()
		return UnitAttr{}
	case "dense":
		return p.denseAttr()
	case "array":
		return p.arrayAttr()
	case "dense_resource":
		return p.resourceAttr()
	case "loc":
		return LocationAttr{p.location()}
	case "affine_map", "affine_set", "strided", "distinct":
		return p.opaqueWord()
	case "sparse", "opaque":
		p.fail("%s constants are not supported: write dense<…>", p.text())
		return nil
	}
	return TypeAttr{p.typ()}
}

// namedAttr reads name = value, or only a name, which is a unit attribute.
func (p *parser) namedAttr() NamedAttr {
	var name string
	switch p.tok.kind {
	case tokIdent:
		name = p.intern(p.text())
		p.advance()
	case tokString:
		at := p.pos()
		if name = p.stringLit("the name of an attribute"); name == "" {
			p.failAt(at, "an attribute needs a name")
		}
	default:
		p.fail("expected the name of an attribute, found %s", p.shown())
	}
	if !p.accept('=') {
		return NamedAttr{name, UnitAttr{}}
	}
	return NamedAttr{name, p.attr()}
}

// dictAttr reads {a = 1, b}.
func (p *parser) dictAttr() DictAttr {
	at := p.pos()
	var attrs []NamedAttr
	p.list('{', '}', "before attributes", func() { attrs = append(attrs, p.namedAttr()) })
	return p.sorted(attrs, at, DictAttr{})
}

// colonType reads the optional : type behind a literal.
func (p *parser) colonType(def Type) (Type, bool) {
	if !p.accept(':') {
		return def, false
	}
	return p.typ(), true
}

// numberAttr reads 1 : i32, -1.5, 0x7FC00000 : f32.
func (p *parser) numberAttr() Attr {
	at, neg := p.pos(), p.accept('-')
	lit, kind := p.text(), p.tok.kind
	if kind != tokInt && kind != tokFloat {
		p.fail("expected a number after \"-\", found %s", p.shown())
		return nil
	}
	p.advance()
	var t Type = Scalar(dtype.S64)
	if kind == tokFloat {
		t = Scalar(dtype.F64)
	}
	t, _ = p.colonType(t)
	if p.failed() {
		return nil
	}
	d := DType(t)
	if _, tensor := t.(*TensorType); tensor {
		d = dtype.Invalid
	}
	if d.IsFloat() {
		v, msg := floatLiteral(lit, neg, d)
		if msg != "" {
			p.failAt(at, "%s for type %s", msg, t)
		}
		return FloatAttr{v, t}
	}
	if other, ok := t.(OtherType); !ok && !d.IsInteger() && d != dtype.Bool || ok &&
		!isOtherScalar([]byte(other.Text)) {
		p.failAt(at, "a number cannot have type %s", t)
		return nil
	}
	if kind == tokFloat {
		p.failAt(at, "number %s has a point but its type is %s", lit, t)
		return nil
	}
	v, msg := intLiteral(lit, neg, t)
	if msg != "" {
		p.failAt(at, "%s for type %s", msg, t)
	}
	if d == dtype.Bool {
		return BoolAttr(v != 0)
	}
	return IntAttr{v, t}
}

// intLiteral returns the value of an integer literal of type t in two's complement. A signless type accepts
// the values of the signed and of the unsigned type.
func intLiteral(lit []byte, neg bool, t Type) (v int64, msg string) {
	u, ok := parseUint(lit)
	if !ok {
		return 0, "integer does not fit in 64 bits"
	}
	d := DType(t)
	bits := d.Bits()
	if d == dtype.Invalid { // a type that StableHLO does not have
		bits = 64
	}
	_, index := t.(IndexType)
	switch {
	case neg && d.IsUnsigned() && u != 0:
		return 0, "negative integer"
	case neg && u > 1<<(bits-1), bits < 64 && u>>bits != 0, index && !neg && u>>63 != 0:
		return 0, "integer out of range"
	}
	if v = int64(u); neg {
		v = -v
	}
	if d.IsSigned() {
		v = v << (64 - bits) >> (64 - bits)
	}
	return v, ""
}

// floatLiteral returns the value of a literal rounded to the float type d. A
// hexadecimal literal is the bits of the number.
func floatLiteral(lit []byte, neg bool, d dtype.Type) (v float64, msg string) {
	if len(lit) > 2 && lit[1] == 'x' {
		u, ok := parseUint(lit)
		switch {
		case !ok || d.Bits() < 64 && u>>d.Bits() != 0:
			return 0, "hexadecimal number is too wide"
		case neg:
			return 0, "a hexadecimal number takes no minus"
		}
		return d.Float64(u), ""
	}
	if bytes.IndexByte(lit, '.') < 0 {
		return 0, "integer literal"
	}
	if v, ok := parseFloat(lit); ok {
		if neg {
			v = -v
		}
		return d.Float64(d.FromFloat64(v)), ""
	}
	return 0, "number out of range"
}

func (p *parser) stringAttr() Attr {
	s := StringAttr(p.stringLit("a string"))
	if p.is(':') {
		p.fail("a string attribute has no type")
	}
	return s
}

func (p *parser) symbolAttr() Attr {
	s := SymbolAttr{Name: p.symbol("a symbol")}
	for p.is(':') && p.at(p.tok.end) == ':' {
		p.advance()
		p.advance()
		s.Nested = append(s.Nested, p.symbol("a symbol after \"::\""))
	}
	return s
}

// arrayAttr reads array<i64: 1, 2>.
func (p *parser) arrayAttr() Attr {
	p.advance()
	p.expect('<', "after array")
	at := p.pos()
	elem := DType(p.typ())
	defer p.expect('>', "at the end of a dense array")
	if p.failed() {
		return nil
	}
	var item func()
	var result func() Attr
	switch elem {
	case dtype.Bool:
		vals := []int64{}
		item, result = func() { vals = append(vals, p.boolInt()) }, func() Attr { return IntsAttr{elem, vals} }
	case dtype.S8, dtype.S16, dtype.S32, dtype.S64:
		vals := []int64{}
		item, result = func() { vals = append(vals, p.intOf(elem)) }, func() Attr { return IntsAttr{elem, vals} }
	case dtype.F32, dtype.F64:
		vals := []float64{}
		item, result = func() { vals = append(vals, p.floatOf(elem)) }, func() Attr { return FloatsAttr{elem, vals} }
	default:
		p.failAt(at, "the elements of a dense array are i1, i8, i16, i32, i64, f32 or f64")
		return nil
	}
	if p.accept(':') {
		for item(); p.accept(','); {
			item()
		}
	}
	return result()
}

// boolInt reads true, false, 1 or 0 as 1 or 0.
func (p *parser) boolInt() int64 {
	switch {
	case p.acceptWord("true"):
		return 1
	case p.acceptWord("false"):
		return 0
	}
	at, v := p.pos(), p.integer("true or false")
	if v&^1 != 0 {
		p.failAt(at, "expected true or false")
	}
	return v
}

// intOf reads a literal of an integer type.
func (p *parser) intOf(d dtype.Type) int64 {
	at, neg := p.pos(), p.accept('-')
	if !p.is(tokInt) {
		p.fail("expected an integer, found %s", p.shown())
		return 0
	}
	v, msg := intLiteral(p.text(), neg, Scalar(d))
	if msg != "" {
		p.failAt(at, "%s for type %s", msg, Scalar(d))
	}
	p.advance()
	return v
}

// floatOf reads a literal of a float type.
func (p *parser) floatOf(d dtype.Type) float64 {
	at, neg := p.pos(), p.accept('-')
	if !p.is(tokFloat) && !p.is(tokInt) {
		p.fail("expected a number, found %s", p.shown())
		return 0
	}
	v, msg := floatLiteral(p.text(), neg, d)
	if msg != "" {
		p.failAt(at, "%s for type %s", msg, Scalar(d))
	}
	p.advance()
	return v
}

// hashAttr reads an alias (#name) or an attribute of a dialect:
// #stablehlo.dot<…>, #stablehlo<precision HIGH>, #sdy.sharding<…>.
func (p *parser) hashAttr() Attr {
	name := string(p.text()[1:])
	dialect, kind, dotted := strings.Cut(name, ".")
	switch {
	case dialect == "vhlo":
		p.fail("#%s: the serialised form of StableHLO (VHLO) is not read: convert it to StableHLO first", name)
		return nil
	case !dotted && p.at(p.tok.end) != '<':
		a, ok := p.attrAliases[name]
		if !ok {
			p.fail("attribute alias #%s is not defined above", name)
			return nil
		}
		p.spend(a.size, p.pos())
		p.advance()
		return a.val
	case kind == "bounds" || kind == "type_extensions": // they are for tensor types, which parse them
		return p.opaqueAttr()
	case dialect == "stablehlo" || dialect == "chlo":
		return p.dialectAttr(dialect, kind, dotted)
	case dialect == "mhlo" && p.isMHLOOp(kind, dotted):
		return p.dialectAttr("stablehlo", kind, dotted)
	}
	return p.opaqueAttr()
}

// dialectAttr reads an attribute of StableHLO or CHLO.
func (p *parser) dialectAttr(dialect, kind string, dotted bool) Attr {
	structured := newStructAttr(dialect, kind)
	accuracy := kind == "result_accuracy_mode" // an enumeration with its own name
	if dotted && structured == nil && !accuracy {
		p.fail("unknown attribute #%s.%s", dialect, kind)
		return nil
	}
	p.advance()
	if structured != nil {
		p.structAttr(structured)
		return structured
	}
	p.expect('<', "after #"+dialect)
	if !accuracy {
		kind = p.word("the kind of the attribute")
	}
	e := p.keyword(dialect, kind)
	p.expect('>', "after the keyword")
	return e
}

// dimSizes reads sizes between brackets, "?" for an unknown one.
func (p *parser) dimSizes(open, close tokenKind) []int64 {
	out := []int64{}
	p.list(open, close, "before sizes", func() {
		if p.accept('?') {
			out = append(out, Dynamic)
		} else {
			out = append(out, p.integer("a size or \"?\""))
		}
	})
	return out
}
