package stablehlo

import (
	"bytes"
	"encoding/hex"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"github.com/go-nx/nx/dtype"
)

// denseAttr reads dense<literal> : tensor<…>. The type follows the literal, so the literal is skipped first
// and then read straight into a buffer of its size.
func (p *parser) denseAttr() Attr {
	at := p.pos()
	p.advance()
	if !p.is('<') {
		p.fail("expected \"<\" after dense, found %s", p.shown())
		return nil
	}
	start := p.skip(p.tok.end)
	end := p.skipLiteral(start)
	p.seek(end)
	p.expect('>', "at the end of a dense constant")
	a := p.elements()
	if a == nil {
		return nil
	}
	d := denseReader{p: p, off: start, end: end, out: a, elem: a.Type.DType()}
	switch p.at(start) {
	case '"':
		d.hex()
	case '[':
		d.list()
	case '>':
		if n, _ := a.Type.NumElems(); n != 0 {
			p.failAt(at, "dense<> has no elements but its type %s has %d", a.Type, n)
		}
	default:
		d.splat()
	}
	if p.failed() {
		return nil
	}
	a.normalise()
	return a
}

// elements reads : tensor<…>, and returns an empty constant of the type, which must be a static tensor of elements that
// have a dense form.
func (p *parser) elements() *ElementsAttr {
	p.expect(':', "before the type of a dense constant")
	at := p.pos()
	t := p.typ()
	if p.failed() {
		return nil
	}
	tensor, ok := t.(*TensorType)
	if !ok || tensor.DType() == dtype.Invalid {
		p.failAt(at, "the type of a dense constant is a tensor of integers, floats or complex numbers, not %s", t)
		return nil
	}
	if _, ok := tensor.NumElems(); !ok {
		p.failAt(at, "the type of a dense constant has a static shape, unlike %s", t)
		return nil
	}
	return &ElementsAttr{Type: tensor}
}

// skipLiteral returns the offset of the ">" that ends the literal at off.
func (p *parser) skipLiteral(off int) int {
	if p.failed() {
		return off
	}
	if p.at(off) == '"' { // no "<" or ">" to be found in hexadecimal digits
		if t := p.str(off); t.kind == tokString {
			return p.skip(t.end)
		}
		p.failAt(Pos(off+1), "string without closing quote")
		return off
	}
	n := bytes.IndexByte(p.src[off:], '>')
	if n >= 0 && !bytes.Contains(p.src[off:off+n], []byte("//")) {
		return off + n
	}
	for off < len(p.src) && p.src[off] != '>' { // a comment may hold ">"
		off = p.skip(off + 1)
	}
	if off >= len(p.src) {
		p.fail("expected \">\" at the end of a dense constant, found the end of the text")
	}
	return off
}

// denseReader reads the literal src[off:end] into out.
type denseReader struct {
	p        *parser
	off, end int
	out      *ElementsAttr
	elem     dtype.Type
}

func (d *denseReader) fail(format string, args ...any) {
	d.p.failAt(Pos(d.off+1), format, args...)
}

// hex reads the bytes of the elements, little-endian; the bytes of one element are a splat. Bools are packed
// eight to a byte; integers below a byte take one.
func (d *denseReader) hex() {
	lit := d.p.src[d.off+1 : d.end]
	lit = lit[:bytes.LastIndexByte(lit, '"')]
	if len(lit) < 2 || lit[0] != '0' || lit[1] != 'x' || len(lit)%2 != 0 {
		d.fail("expected a string of hexadecimal bytes, \"0x…\"")
		return
	}
	lit = lit[2:]
	n, _ := d.out.Type.NumElems()
	size, got := int64(d.elem.Size()), int64(len(lit)/2)
	packed := d.elem == dtype.Bool && n != got
	switch {
	case packed && got == 1 && n > 8 || !packed && got == size && n != 1:
		d.out.Splat = true
	case packed && got == (n-1)/8+1 && n > 0:
	case !packed && n <= math.MaxInt64/size && got == n*size:
	default:
		d.fail("%d hexadecimal bytes do not fill %s", got, d.out.Type)
		return
	}
	data := make([]byte, got)
	if i, err := hex.Decode(data, lit); err != nil {
		d.p.failAt(Pos(d.off+4+2*i), "expected hexadecimal digits")
		return
	}
	switch {
	case packed && d.out.Splat:
		d.splatBool(data[0])
	case packed:
		data = unpackBools(data, int(n))
	}
	d.out.Data = data
	d.canonical()
}

// splatBool reads the packed form of a splat: all bits or one.
func (d *denseReader) splatBool(b byte) {
	if b != 0 && b != 1 && b != 0xFF {
		d.fail("the packed form of a splat of bools is 00 or FF")
	}
}

func unpackBools(packed []byte, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = packed[i/8] >> (i % 8) & 1
	}
	return out
}

// canonical brings raw bytes into the form of package dtype: bools 0 or 1,
// integers below a byte sign- or zero-extended.
func (d *denseReader) canonical() {
	switch e := d.elem; {
	case e == dtype.Bool || e.IsInteger() && e.Bits() < 8:
		for i, b := range d.out.Data {
			e.StoreInt(d.out.Data, i, int64(b))
		}
	}
}

// splat reads the one element that stands for all.
func (d *denseReader) splat() {
	d.out.Splat = true
	d.out.Data = make([]byte, d.elem.Size())
	d.element(0)
	if d.off = d.p.skip(d.off); d.off != d.end {
		d.fail("expected \">\" after the element")
	}
}

// list reads nested lists whose lengths are the sizes of the type.
func (d *denseReader) list() {
	dims := d.out.Type.Dims
	n, _ := d.out.Type.NumElems()
	// Every element takes a byte and every element but the last a comma, so that a shape too large for the
	// text is found before its buffer is allocated.
	if n > int64(d.end-d.off) {
		d.fail("a list of %d bytes cannot hold the %d elements of %s", d.end-d.off, n, d.out.Type)
		return
	}
	d.out.Data = make([]byte, int(n)*d.elem.Size())
	var buf [16]int64
	count := append(buf[:0], make([]int64, len(dims))...) // items read at each level
	level, i := 0, 0
	for {
		d.off = d.p.skip(d.off)
		switch {
		case level < len(dims) && d.p.at(d.off) == '[':
			d.off++
			count[level] = 0
			level++
			if dims[level-1] == 0 { // []
				break
			}
			continue
		case level == len(dims) && d.p.at(d.off) != '[':
			if int64(i) >= n { // a list is too long; close reports it
				d.fail("list of more than %d items in a constant of type %s", dims[level-1], d.out.Type)
				return
			}
			d.element(i)
			i++
			count[level-1]++
		default:
			d.fail("the lists must be nested as deep as the rank of %s", d.out.Type)
			return
		}
		if d.p.failed() || d.close(dims, count, &level) {
			return
		}
	}
}

// close reads the ends of lists and the comma to the next item, and reports
// whether the outermost list ended.
func (d *denseReader) close(dims, count []int64, level *int) bool {
	for {
		d.off = d.p.skip(d.off)
		switch d.p.at(d.off) {
		case ',':
			d.off++
			return false
		case ']':
			if l := *level - 1; count[l] != dims[l] {
				d.fail("list of %d items where dimension %d of %s has %d", count[l], l, d.out.Type, dims[l])
				return true
			}
			d.off++
			*level--
			if *level == 0 {
				if d.off = d.p.skip(d.off); d.off != d.end {
					d.fail("expected \">\" after the list")
				}
				return true
			}
			count[*level-1]++
		default:
			d.fail("expected \",\" or \"]\" in a dense constant")
			return true
		}
	}
}

// element reads element i.
func (d *denseReader) element(i int) {
	if !d.elem.IsComplex() {
		d.number(d.elem, i)
		return
	}
	if d.p.at(d.off) != '(' {
		d.fail("expected a complex number, (1.0, 2.0)")
		return
	}
	part := d.elem.Real()
	d.off = d.p.skip(d.off + 1)
	d.number(part, 2*i)
	if d.off = d.p.skip(d.off); d.p.at(d.off) != ',' {
		d.fail("expected \",\" in a complex number")
		return
	}
	d.off = d.p.skip(d.off + 1)
	d.number(part, 2*i+1)
	if d.off = d.p.skip(d.off); d.p.at(d.off) != ')' {
		d.fail("expected \")\" after a complex number")
		return
	}
	d.off++
}

// number reads a literal and stores it as element i of type e.
func (d *denseReader) number(e dtype.Type, i int) {
	src, start := d.p.src, d.off
	if byteClass[d.p.at(start)]&clsLetter != 0 {
		d.word(e, i)
		return
	}
	neg := src[start] == '-'
	if neg {
		d.off = d.p.skip(d.off + 1)
	}
	if byteClass[d.p.at(d.off)]&clsDigit == 0 {
		d.fail("expected an element")
		return
	}
	tok := d.p.number(d.off)
	lit := src[tok.start:tok.end]
	hexadecimal := len(lit) > 2 && lit[1] == 'x'
	switch {
	case e == dtype.Bool:
		if len(lit) != 1 || lit[0] > '1' || neg {
			d.fail("expected true or false")
		}
		d.out.Data[i] = lit[0] & 1
	case e.IsFloat() && hexadecimal:
		d.floatBits(e, i, lit, neg)
	case e.IsFloat():
		if tok.kind == tokInt {
			d.fail("integer among the elements of %s: write %s.0", d.out.Type, lit)
		}
		v, ok := parseFloat(lit)
		if !ok {
			d.fail("number %s is out of range", clip(string(lit), 40))
		}
		if neg {
			v = -v
		}
		e.StoreFloat(d.out.Data, i, v)
	case tok.kind == tokFloat:
		d.fail("number with a point among the elements of %s", d.out.Type)
	default:
		v, msg := intLiteral(lit, neg, elemType(d.out.Type.Elem))
		if msg != "" {
			d.fail("%s for the elements of %s", msg, d.out.Type)
		}
		e.StoreInt(d.out.Data, i, v)
	}
	d.off = tok.end
}

// elemType returns the type whose range the integers of a constant have.
func elemType(t Type) Type {
	if q, ok := t.(*QuantType); ok {
		return Scalar(q.Storage)
	}
	return t
}

// floatBits stores a hexadecimal literal as the bits of an element.
func (d *denseReader) floatBits(e dtype.Type, i int, lit []byte, neg bool) {
	u, ok := parseUint(lit)
	if !ok || bits.Len64(u) > e.Bits() || neg {
		d.fail("hexadecimal number %s does not fill the %d bits of an element", clip(string(lit), 40), e.Bits())
	}
	e.StoreBits(d.out.Data, i, u)
}

// word reads true and false.
func (d *denseReader) word(e dtype.Type, i int) {
	end := d.p.run(d.off, clsLetter|clsDigit)
	w := string(d.p.src[d.off:end])
	if w != "true" && w != "false" {
		d.fail("expected an element, found %q", clip(w, 40))
		return
	}
	if e != dtype.Bool && !(e.IsInteger() && e.Bits() == 1) {
		d.fail("%s among the elements of %s", w, d.out.Type)
		return
	}
	if w == "true" {
		d.out.Data[i] = 1
	}
	d.off = end
}

// normalise makes constants of equal elements splats, so that every value has
// one form.
func (a *ElementsAttr) normalise() {
	n, _ := a.Type.NumElems()
	switch size := a.Type.DType().Size(); {
	case n == 0:
		a.Data, a.Splat = nil, false
	case !a.Splat && allEqual(a.Data, size):
		a.Data, a.Splat = slices.Clone(a.Data[:size]), true
	}
}

// allEqual reports whether all elements of the size are the same bytes.
func allEqual(data []byte, size int) bool {
	return bytes.Equal(data[size:], data[:len(data)-size])
}

// pow10 holds the powers of ten that a float64 holds exactly.
var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// parseFloat reads a decimal literal. Up to 15 digits and small powers of ten are
// exact in float64 arithmetic, so one multiplication or division rounds
// correctly (W. D. Clinger, "How to read floating point numbers accurately", 1990).
func parseFloat(lit []byte) (v float64, ok bool) {
	var mant uint64
	exp, digits := 0, 0
	i := 0
	for point := false; i < len(lit); i++ {
		c := lit[i]
		switch {
		case c == '.':
			point = true
			continue
		case c-'0' > 9:
			goto exponent
		}
		mant = mant*10 + uint64(c-'0')
		if mant > 0 {
			digits++
		}
		if point {
			exp--
		}
	}
exponent:
	if i < len(lit) {
		e, err := strconv.Atoi(string(lit[i+1:]))
		if err != nil {
			e = math.MaxInt32
		}
		exp += e
	}
	if digits <= 15 && -22 <= exp && exp <= 22 {
		if exp < 0 {
			return float64(mant) / pow10[-exp], true
		}
		return float64(mant) * pow10[exp], true
	}
	v, err := strconv.ParseFloat(string(lit), 64)
	return v, err == nil
}
