package stablehlo

import (
	"math"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// quantType reads !quant.uniform<i8<-128:127>:f32:1, {0.1:2, 0.2}>. Other forms (sub-channel quantisation, odd
// storage types) are kept as text.
func (p *parser) quantType() Type {
	start := p.tok
	p.advance()
	p.expect('<', "after !quant.uniform")
	if q := p.quantParts(); q != nil && p.is('>') {
		p.advance()
		return q
	}
	if p.failed() {
		return nil
	}
	p.seek(start.start)
	return p.opaqueType()
}

// quantParts reads the text between the angle brackets; it returns nil for another form.
func (p *parser) quantParts() *QuantType {
	storage, ok := quantStorage(p.text())
	if !p.is(tokIdent) || !ok {
		return nil
	}
	p.advance()
	q := &QuantType{Storage: storage, Axis: -1}
	q.Min, q.Max = intRange(storage)
	if p.accept('<') {
		q.Min = p.integer("the smallest stored integer")
		p.expect(':', "between the ends of the storage range")
		q.Max = p.integer("the largest stored integer")
		p.expect('>', "after the storage range")
	}
	p.expect(':', "after the storage type")
	expressed, ok := scalarTypes.Get(listScalars)[string(p.text())]
	if !ok || !expressed.IsFloat() {
		return nil
	}
	q.Expressed = expressed
	p.advance()
	if !p.accept(':') {
		p.expect(',', "before the scale")
		p.quantParam(q)
		return q
	}
	if !p.is(tokInt) {
		return nil
	}
	axis := p.integer("the quantised dimension")
	if axis > math.MaxInt32 {
		return nil
	}
	q.Axis = int(axis)
	p.expect(',', "before the scales")
	p.list('{', '}', "before the scales", func() { p.quantParam(q) })
	return q
}

// quantParam reads scale:zero_point, the zero point 0 when it is left out.
func (p *parser) quantParam(q *QuantType) {
	q.Scales = append(q.Scales, p.float("a scale"))
	zero := int64(0)
	if p.accept(':') {
		zero = p.integer("a zero point")
	}
	q.ZeroPoints = append(q.ZeroPoints, zero)
}

// quantStorage returns the type of i8, u8 and ui8.
func quantStorage(word []byte) (dtype.Type, bool) {
	name := string(word)
	if width, ok := strings.CutPrefix(name, "u"); ok && !strings.HasPrefix(width, "i") {
		name = "ui" + width
	}
	d, ok := scalarTypes.Get(listScalars)[name]
	return d, ok && d.IsInteger() && d.Bits() <= 32
}

// intRange returns the smallest and largest value of an integer type of at most
// 32 bits.
func intRange(d dtype.Type) (lo, hi int64) {
	if d.IsUnsigned() {
		return 0, 1<<d.Bits() - 1
	}
	return -1 << (d.Bits() - 1), 1<<(d.Bits()-1) - 1
}
