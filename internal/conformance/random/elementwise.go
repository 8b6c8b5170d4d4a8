package random

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Ops on floats whose result is the same bits everywhere, and those whose is not.
var (
	exactUnary   = []stablehlo.OpCode{stablehlo.OpAbs, stablehlo.OpNegate, stablehlo.OpSqrt}
	jumpingUnary = []stablehlo.OpCode{stablehlo.OpFloor, stablehlo.OpCeil, stablehlo.OpSign, stablehlo.OpRoundNearestEven, stablehlo.OpRoundNearestAfz}
	roundedUnary = []stablehlo.OpCode{stablehlo.OpTanh, stablehlo.OpLogistic, stablehlo.OpSine, stablehlo.OpCosine, stablehlo.OpExponential, stablehlo.OpChloErf}
	intUnary     = []stablehlo.OpCode{stablehlo.OpAbs, stablehlo.OpNegate, stablehlo.OpNot, stablehlo.OpPopcnt, stablehlo.OpCountLeadingZeros, stablehlo.OpSign}

	floatBinary = []stablehlo.OpCode{stablehlo.OpAdd, stablehlo.OpSubtract, stablehlo.OpMultiply, stablehlo.OpMaximum, stablehlo.OpMinimum, stablehlo.OpDivide}
	intBinary   = []stablehlo.OpCode{stablehlo.OpAdd, stablehlo.OpSubtract, stablehlo.OpMultiply, stablehlo.OpMaximum, stablehlo.OpMinimum,
		stablehlo.OpDivide, stablehlo.OpRemainder, stablehlo.OpAnd, stablehlo.OpOr, stablehlo.OpXor,
		stablehlo.OpShiftLeft, stablehlo.OpShiftRightLogical, stablehlo.OpShiftRightArithmetic}
	boolBinary = []stablehlo.OpCode{stablehlo.OpAnd, stablehlo.OpOr, stablehlo.OpXor, stablehlo.OpMaximum, stablehlo.OpMinimum, stablehlo.OpAdd, stablehlo.OpMultiply}
)

func (m *maker) unary() {
	v := m.recent()
	switch d := v.dtype(); {
	case d == dtype.Bool:
		m.emit(true, stablehlo.OpNot, []value{v})
	case d.IsInteger():
		c := pick(m.r, intUnary)
		if d.IsUnsigned() && (c == stablehlo.OpAbs || c == stablehlo.OpNegate || c == stablehlo.OpSign) {
			c = stablehlo.OpNot
		}
		m.emit(true, c, []value{v})
	case d.IsComplex():
		m.emit(true, pick(m.r, []stablehlo.OpCode{stablehlo.OpNegate, stablehlo.OpReal, stablehlo.OpImag}), []value{v})
	case v.exact && m.r.IntN(3) == 0:
		m.emit(true, pick(m.r, jumpingUnary), []value{v})
	case m.r.IntN(2) == 0:
		m.emit(true, pick(m.r, exactUnary), []value{v})
	default:
		m.emit(false, pick(m.r, roundedUnary), []value{v})
	}
}

func (m *maker) binary() {
	x := m.recent()
	y := m.like(x)
	switch d := x.dtype(); {
	case d == dtype.Bool:
		m.emit(true, pick(m.r, boolBinary), []value{x, y})
	case d.IsInteger():
		m.emit(true, pick(m.r, intBinary), []value{x, y})
	case d.IsComplex():
		c := pick(m.r, []stablehlo.OpCode{stablehlo.OpAdd, stablehlo.OpSubtract, stablehlo.OpMultiply})
		m.emit(c != stablehlo.OpMultiply, c, []value{x, y})
	default:
		m.emit(true, pick(m.r, floatBinary), []value{x, y})
	}
}

// orderable returns a value that may be compared: exact and not complex.
func (m *maker) orderable() (value, bool) {
	return m.find(func(v value) bool { return v.exact && !v.dtype().IsComplex() })
}

func (m *maker) compare() {
	x, ok := m.orderable()
	if !ok {
		return
	}
	y := m.like(x)
	if !y.exact {
		y = x
	}
	m.emit(true, stablehlo.OpCompare, []value{x, y}, direction(pick(m.r, []string{"EQ", "NE", "LT", "LE", "GT", "GE"})))
}

func direction(d string) stablehlo.NamedAttr {
	return stablehlo.Named("comparison_direction", stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_direction", Value: d})
}

func (m *maker) choose() {
	p, ok := m.find(func(v value) bool { return v.dtype() == dtype.Bool && v.exact })
	if !ok {
		return
	}
	x, ok := m.find(func(v value) bool { return len(p.dims()) == 0 || equal(v.dims(), p.dims()) })
	if !ok {
		return
	}
	m.emit(true, stablehlo.OpSelect, []value{p, x, m.like(x)})
}

func equal(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (m *maker) convert() {
	v := m.recent()
	to := pick(m.r, dtypes)
	if v.dtype().IsComplex() || v.dtype() == to || !v.exact && (to.IsInteger() || to == dtype.Bool) {
		return
	}
	m.emit(true, stablehlo.OpConvert, []value{v}, stablehlo.Results{stablehlo.Tensor(to, v.dims()...)})
}

func (m *maker) clamp() {
	x := m.recent()
	if x.dtype().IsComplex() {
		return
	}
	scalar := stablehlo.Tensor(x.dtype())
	lo, hi := value{m.constant(scalar), true}, value{m.constant(scalar), true}
	m.emit(true, stablehlo.OpClamp, []value{lo, x, hi})
}
