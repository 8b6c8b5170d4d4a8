package stablehlo

import (
	"math"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/lazy"
)

// scalarTypes are the element types by their name in the text.
var scalarTypes lazy.Value[map[string]dtype.Type]

func listScalars() map[string]dtype.Type {
	return map[string]dtype.Type{
		"i1": dtype.Bool, "i2": dtype.S2, "i4": dtype.S4, "i8": dtype.S8, "i16": dtype.S16, "i32": dtype.S32,
		"i64": dtype.S64,
		"ui2": dtype.U2, "ui4": dtype.U4, "ui8": dtype.U8, "ui16": dtype.U16, "ui32": dtype.U32, "ui64": dtype.U64,
		"f4E2M1FN": dtype.F4E2M1FN, "f6E2M3FN": dtype.F6E2M3FN, "f6E3M2FN": dtype.F6E3M2FN,
		"f8E3M4": dtype.F8E3M4, "f8E4M3": dtype.F8E4M3, "f8E4M3FN": dtype.F8E4M3FN, "f8E4M3FNUZ": dtype.F8E4M3FNUZ,
		"f8E4M3B11FNUZ": dtype.F8E4M3B11FNUZ, "f8E5M2": dtype.F8E5M2, "f8E5M2FNUZ": dtype.F8E5M2FNUZ,
		"f8E8M0FNU": dtype.F8E8M0FNU,
		"bf16":      dtype.BF16, "f16": dtype.F16, "f32": dtype.F32, "f64": dtype.F64,
	}
}

// scalarNames is the inverse of scalarTypes.
var scalarNames lazy.Value[map[dtype.Type]string]

func nameScalars() map[dtype.Type]string {
	m := map[dtype.Type]string{dtype.C64: "complex<f32>", dtype.C128: "complex<f64>"}
	for name, d := range scalarTypes.Get(listScalars) {
		m[d] = name
	}
	return m
}

// typ reads a type.
func (p *parser) typ() Type {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	switch p.tok.kind {
	case '(':
		f := &FuncType{Ins: p.typeList(nil, "before the argument types")}
		p.expect(tokArrow, "in a function type")
		f.Outs = p.resultTypes(nil)
		return f
	case tokBang:
		return p.bangType()
	case tokIdent:
		return p.namedType()
	}
	p.fail("expected a type, found %s", p.shown())
	return nil
}

// typeList appends the types of (a, b) to dst.
func (p *parser) typeList(dst []Type, where string) []Type {
	p.list('(', ')', where, func() { dst = append(dst, p.typ()) })
	return dst
}

// resultTypes appends the types after an arrow to dst: one type or (a, b).
func (p *parser) resultTypes(dst []Type) []Type {
	if !p.is('(') {
		return append(dst, p.typ())
	}
	// A function type as the only result needs the parentheses of a list.
	return p.typeList(dst, "before the result types")
}

func (p *parser) namedType() Type {
	word := p.text()
	switch string(word) {
	case "tensor":
		return p.cached(p.tensorType)
	case "index":
		p.advance()
		return IndexType{}
	case "none":
		p.advance()
		return NoneType{}
	case "tuple":
		p.advance()
		return &TupleType{p.typesIn('<', '>', "of a tuple type")}
	case "complex":
		return p.complexType()
	case "memref":
		return p.bufferType()
	case "vector":
		return p.opaqueType()
	}
	if d, ok := scalarTypes.Get(listScalars)[string(word)]; ok {
		p.advance()
		return Scalar(d)
	}
	if isOtherScalar(word) {
		t := OtherType{p.intern(word)}
		p.advance()
		return t
	}
	p.fail("expected a type, found %s", p.shown())
	return nil
}

// isOtherScalar reports whether a word is a scalar type of MLIR that StableHLO
// does not have: i17, si8, f80, tf32.
func isOtherScalar(w []byte) bool {
	if string(w) == "tf32" {
		return true
	}
	rest := w[1:]
	switch {
	case (w[0] == 's' || w[0] == 'u') && len(rest) > 0 && rest[0] == 'i':
		rest = rest[1:]
	case w[0] != 'i' && w[0] != 'f':
		return false
	}
	for _, c := range rest {
		if byteClass[c]&clsDigit == 0 {
			return false
		}
	}
	return len(rest) > 0
}

// cached reads a type through read, or reuses the type of an earlier occurrence of the same text. Long texts
// and those with comments, strings or arrows are not cached.
func (p *parser) cached(read func() Type) Type {
	start, depth := p.tok.start, 0
	end := -1
scan:
	for i := p.tok.end; i < len(p.src) && i < start+200; i++ {
		switch p.src[i] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				end = i + 1
				break scan
			}
		case '/', '"', '(', '{', '-':
			break scan
		}
	}
	if end < 0 {
		return read()
	}
	if a, ok := p.types[string(p.src[start:end])]; ok {
		p.spend(a.size, p.pos())
		p.seek(end)
		return a.val
	}
	before := p.expanded
	t := read()
	if !p.failed() {
		p.types[string(p.src[start:end])] = alias[Type]{t, p.expanded - before}
	}
	return t
}

// openRaw skips the name of a type and the "<" after it, and returns the offset of the next relevant byte.
func (p *parser) openRaw(name string) int {
	p.advance()
	if !p.is('<') {
		p.fail("expected \"<\" after %s, found %s", name, p.shown())
	}
	return p.skip(p.tok.end)
}

// dims reads sizes, 2x?x, at the offset and returns the offset behind the last
// "x". They are read from the bytes because the words in them ("x3xf32") are not
// identifiers.
func (p *parser) dims(off int) ([]int64, int) {
	dims := []int64{}
	for {
		c := p.at(off)
		if c != '?' && byteClass[c]&clsDigit == 0 {
			return dims, off
		}
		start := off
		if c == '?' {
			dims = append(dims, Dynamic)
			off++
		} else {
			off = p.run(off, clsDigit)
			n, ok := parseUint(p.src[start:off])
			if !ok || n > math.MaxInt64 {
				p.failAt(Pos(start+1), "size %s does not fit in 64 bits", clip(string(p.src[start:off]), 40))
				return dims, off
			}
			dims = append(dims, int64(n))
		}
		if off = p.skip(off); p.at(off) != 'x' {
			p.failAt(Pos(off+1), "expected \"x\" after a dimension size")
			return dims, off
		}
		off = p.skip(off + 1)
	}
}

// tensorType reads tensor<2x?xf32, encoding>.
func (p *parser) tensorType() Type {
	off := p.openRaw("tensor")
	if p.at(off) == '*' && !p.failed() {
		off = p.skip(off + 1)
		if p.at(off) != 'x' {
			p.failAt(Pos(off+1), "expected \"x\" after \"*\"")
		}
		p.seek(off + 1)
		t := &UnrankedTensorType{p.typ()}
		p.expect('>', "at the end of a tensor type")
		return t
	}
	dims, off := p.dims(off)
	p.seek(off)
	t := &TensorType{Dims: dims, Elem: p.typ()}
	if p.accept(',') {
		p.encoding(t)
	}
	p.expect('>', "at the end of a tensor type")
	return t
}

// encoding reads the second parameter of a tensor type: bounds, or any attribute.
func (p *parser) encoding(t *TensorType) {
	at := p.pos()
	a := p.attr()
	if o, ok := a.(OpaqueAttr); ok && !p.failed() {
		if b, ok := parseBounds(o.Text); ok {
			t.Bounds = b
			p.checkBounds(t, at)
			return
		}
	}
	t.Encoding = a
}

// checkBounds fails when bounds do not go with the sizes of a type.
func (p *parser) checkBounds(t *TensorType, at Pos) {
	if len(t.Bounds) != len(t.Dims) {
		p.failAt(at, "%d bounds for a tensor of rank %d", len(t.Bounds), len(t.Dims))
		return
	}
	for i, d := range t.Dims {
		if d != Dynamic && t.Bounds[i] != Dynamic {
			p.failAt(at, "dimension %d has the static size %d and so no bound: write \"?\"", i, d)
		}
	}
}

// parseBounds reads stablehlo.bounds<3, ?> or the older
// stablehlo.type_extensions<bounds = [3, ?]>.
func parseBounds(text string) ([]int64, bool) {
	p := newParser(&Source{Text: []byte(text)})
	var b []int64
	switch {
	case p.acceptWord("stablehlo.bounds"):
		b = p.dimSizes('<', '>')
	case p.acceptWord("stablehlo.type_extensions"):
		p.expect('<', "")
		p.expectWord("bounds", "")
		p.expect('=', "")
		b = p.dimSizes('[', ']')
		p.expect('>', "")
	default:
		return nil, false
	}
	p.end()
	return b, !p.failed()
}

func (p *parser) complexType() Type {
	p.advance()
	p.expect('<', "after complex")
	elem := p.typ()
	p.expect('>', "at the end of a complex type")
	if s, ok := elem.(Scalar); ok && dtype.Type(s).Complex() != dtype.Invalid {
		return Scalar(dtype.Type(s).Complex())
	}
	if p.failed() {
		return nil
	}
	return OtherType{"complex<" + elem.String() + ">"}
}

// bufferType reads memref<2x3xf32, rest>.
func (p *parser) bufferType() Type {
	start := p.tok.start
	off := p.openRaw("memref")
	if p.at(off) == '*' {
		p.seek(start)
		return p.opaqueType()
	}
	dims, off := p.dims(off)
	p.seek(off)
	t := &BufferType{Dims: dims, Elem: p.typ()}
	if p.is(',') {
		p.advance()
		t.Rest = p.balanced(p.tok.start, '>')
	}
	p.expect('>', "at the end of a memref type")
	return t
}

// typesIn reads the types between two brackets; the list may be empty.
func (p *parser) typesIn(open, close tokenKind, where string) []Type {
	types := []Type{}
	p.list(open, close, where, func() { types = append(types, p.typ()) })
	return types
}

func (p *parser) bangType() Type {
	name := string(p.text()[1:])
	switch {
	case name == "stablehlo.token" || name == "mhlo.token":
		p.advance()
		return TokenType{}
	case name == "stablehlo.future":
		p.advance()
		return &FutureType{p.typesIn('<', '>', "after !stablehlo.future")}
	case name == "quant.uniform":
		return p.quantType()
	case strings.HasPrefix(name, "vhlo."):
		p.fail("!%s: the serialised form of StableHLO (VHLO) is not read: convert it to StableHLO first", name)
		return nil
	case strings.HasPrefix(name, "stablehlo."):
		p.fail("unknown StableHLO type !%s", name)
		return nil
	case strings.IndexByte(name, '.') < 0 && p.at(p.tok.end) != '<':
		a, ok := p.typeAliases[name]
		if !ok {
			p.fail("type alias !%s is not defined above", name)
		}
		p.spend(a.size, p.pos())
		p.advance()
		return a.val
	}
	return p.opaqueType()
}
