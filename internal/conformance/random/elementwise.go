package random

import (
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// Ops on floats with the same bits everywhere; discontinuous ones, which need exact operands; and inexact
// ones, the continuous ones of which also accept inexact operands.
var (
	exactUnary         = []stablehlo.OpCode{stablehlo.OpAbs, stablehlo.OpNegate, stablehlo.OpSqrt}
	discontinuousUnary = []stablehlo.OpCode{stablehlo.OpFloor, stablehlo.OpCeil, stablehlo.OpSign,
		stablehlo.OpRoundNearestEven, stablehlo.OpRoundNearestAfz}
	roundedUnary = []stablehlo.OpCode{stablehlo.OpSine, stablehlo.OpCosine, stablehlo.OpTan, stablehlo.OpLog,
		stablehlo.OpLogPlusOne, stablehlo.OpRsqrt,
		stablehlo.OpChloAcos, stablehlo.OpChloAsin, stablehlo.OpChloAcosh, stablehlo.OpChloAtanh, stablehlo.OpChloSinh,
		stablehlo.OpChloCosh,
		stablehlo.OpChloErfInv, stablehlo.OpChloLgamma, stablehlo.OpChloDigamma, stablehlo.OpChloBesselI1e}
	complexUnary = []stablehlo.OpCode{stablehlo.OpAbs, stablehlo.OpExponential, stablehlo.OpLog,
		stablehlo.OpSqrt, stablehlo.OpTanh,
		stablehlo.OpSine, stablehlo.OpCosine, stablehlo.OpSign, stablehlo.OpRsqrt, stablehlo.OpLogistic,
		stablehlo.OpChloSquare}
	intUnary = []stablehlo.OpCode{stablehlo.OpAbs, stablehlo.OpNegate, stablehlo.OpNot, stablehlo.OpPopcnt,
		stablehlo.OpCountLeadingZeros, stablehlo.OpSign}

	floatBinary = []stablehlo.OpCode{stablehlo.OpAdd, stablehlo.OpSubtract, stablehlo.OpMultiply, stablehlo.OpMaximum,
		stablehlo.OpMinimum, stablehlo.OpDivide}
	intBinary = []stablehlo.OpCode{stablehlo.OpAdd, stablehlo.OpSubtract, stablehlo.OpMultiply, stablehlo.OpMaximum,
		stablehlo.OpMinimum,
		stablehlo.OpDivide, stablehlo.OpRemainder, stablehlo.OpPower, stablehlo.OpAnd, stablehlo.OpOr, stablehlo.OpXor,
		stablehlo.OpShiftLeft, stablehlo.OpShiftRightLogical, stablehlo.OpShiftRightArithmetic}
	boolBinary = []stablehlo.OpCode{stablehlo.OpAnd, stablehlo.OpOr, stablehlo.OpXor, stablehlo.OpMaximum,
		stablehlo.OpMinimum, stablehlo.OpAdd, stablehlo.OpMultiply}
	complexBinary = []stablehlo.OpCode{stablehlo.OpAdd, stablehlo.OpSubtract, stablehlo.OpMultiply, stablehlo.OpDivide}
)

// isNarrow reports whether a type is a float so short that results which are
// rounded in different ways have no digits in common.
func isNarrow(d dtype.Type) bool { return d.IsFloat() && d.Bits() < 16 }

func (m *maker) unary() {
	v := m.recent()
	switch d := v.dtype(); {
	case d == dtype.Bool:
		m.emit(stablehlo.OpNot, []value{v})
	case d.IsInteger():
		c := pick(m.r, intUnary)
		if d.IsUnsigned() && (c == stablehlo.OpAbs || c == stablehlo.OpNegate || c == stablehlo.OpSign) {
			c = stablehlo.OpNot
		}
		m.emit(c, []value{v})
	case d.IsComplex() && v.exact && m.r.IntN(2) == 0:
		m.emit(pick(m.r, complexUnary), []value{v})
	case d.IsComplex():
		m.emit(stablehlo.OpNegate, []value{v})
	case v.exact && m.r.IntN(4) == 0:
		m.emit(pick(m.r, discontinuousUnary), []value{v})
	case isNarrow(d) || m.r.IntN(2) == 0:
		m.emit(pick(m.r, exactUnary), []value{v})
	case v.exact && m.r.IntN(2) == 0:
		m.emit(pick(m.r, roundedUnary), []value{v})
	default:
		m.emit(pick(m.r, smoothUnary), []value{v})
	}
}

func (m *maker) binary() {
	x := m.recent()
	y := m.like(x)
	switch d := x.dtype(); {
	case d == dtype.Bool:
		m.emit(pick(m.r, boolBinary), []value{x, y})
	case d.IsInteger():
		m.emit(pick(m.r, intBinary), []value{x, y})
	case d.IsComplex():
		c := pick(m.r, complexBinary)
		m.emit(c, []value{x, y})
	case x.exact && y.exact && !isNarrow(d) && m.r.IntN(8) == 0:
		c := pick(m.r,
			[]stablehlo.OpCode{stablehlo.OpPower, stablehlo.OpAtan2, stablehlo.OpRemainder, stablehlo.OpChloNextAfter})
		m.emit(c, []value{x, y})
	default:
		m.emit(pick(m.r, floatBinary), []value{x, y})
	}
}

func (m *maker) compare() {
	x, ok := m.find(func(v value) bool { return v.exact && !v.dtype().IsComplex() })
	if !ok {
		return
	}
	y := m.like(x)
	if !y.exact {
		y = x
	}
	m.emit(stablehlo.OpCompare, []value{x, y}, direction(pick(m.r, []string{"EQ", "NE", "LT", "LE", "GT", "GE"})))
}

func direction(d string) stablehlo.NamedAttr { return enum("comparison_direction", d) }

// enum is an attribute whose enumeration has the same name.
func enum(name, keyword string) stablehlo.NamedAttr {
	return stablehlo.Named(name, stablehlo.EnumAttr{Dialect: "stablehlo", Kind: name, Value: keyword})
}

func (m *maker) choose() {
	p, ok := m.find(func(v value) bool { return v.dtype() == dtype.Bool && v.exact })
	if !ok {
		return
	}
	x, ok := m.find(func(v value) bool { return p.rank() == 0 || slices.Equal(v.dims(), p.dims()) })
	if !ok {
		return
	}
	m.emit(stablehlo.OpSelect, []value{p, x, m.like(x)})
}

func (m *maker) convert() {
	v := m.recent()
	to := pick(m.r, dtypes)
	from := v.dtype()
	if from.IsComplex() && !to.IsComplex() || from == to || !v.exact &&
		(to.IsInteger() || to == dtype.Bool || isNarrow(to)) {
		return
	}
	m.emit(stablehlo.OpConvert, []value{v}, stablehlo.Results{stablehlo.Tensor(to, v.dims()...)})
}

// bitcast reads bits as another type, of the same width, half or double of it.
func (m *maker) bitcast() {
	v, ok := m.find(func(v value) bool { return v.exact && v.dtype() != dtype.Bool && !v.dtype().IsComplex() })
	if !ok {
		return
	}
	var to []dtype.Type
	from := v.dtype()
	last := int64(0)
	if v.rank() > 0 {
		last = v.dims()[v.rank()-1]
	}
	for _, d := range dtypes {
		if d != dtype.Bool && !d.IsComplex() &&
			(d.Bits() == from.Bits() || 2*d.Bits() == from.Bits() || d.Bits() == 2*from.Bits() && last == 2) {
			to = append(to, d)
		}
	}
	// The bits of a NaN are not its value: executors may have different ones.
	if from.IsFloat() {
		to = slices.DeleteFunc(to, func(d dtype.Type) bool { return d.Bits() != from.Bits() || d.IsFloat() })
		if len(to) == 0 {
			return
		}
		zero := m.number(v.Tensor(), 0)
		isNumber := m.emit(stablehlo.OpCompare, []value{v, v}, direction("EQ"))
		v = m.emit(stablehlo.OpSelect, []value{isNumber, v, zero})
	}
	d := pick(m.r, to)
	dims := slices.Clone(v.dims())
	switch {
	case d.Bits() < from.Bits():
		dims = append(dims, 2)
	case d.Bits() > from.Bits():
		dims = dims[:len(dims)-1]
	}
	m.emit(stablehlo.OpBitcastConvert, []value{v}, stablehlo.Results{stablehlo.Tensor(d, dims...)})
}

func (m *maker) reducePrecision() {
	x, ok := m.find(func(v value) bool { return v.exact && v.dtype().IsFloat() && !isNarrow(v.dtype()) })
	if !ok {
		return
	}
	m.emit(stablehlo.OpReducePrecision, []value{x},
		stablehlo.Named("exponent_bits", stablehlo.I32(int32(1+m.r.IntN(9)))),
		stablehlo.Named("mantissa_bits", stablehlo.I32(int32(m.r.IntN(26)))))
}

// complexParts splits a complex number or makes one.
func (m *maker) complexParts() {
	if v, ok := m.find(func(v value) bool { return v.dtype().IsComplex() }); ok && m.r.IntN(2) == 0 {
		m.emit(pick(m.r, []stablehlo.OpCode{stablehlo.OpReal, stablehlo.OpImag}), []value{v})
		return
	}
	if v, ok := m.find(func(v value) bool { return v.dtype() == dtype.F32 || v.dtype() == dtype.F64 }); ok {
		m.emit(stablehlo.OpComplex, []value{v, m.like(v)})
	}
}

func (m *maker) clamp() {
	x := m.recent()
	if x.dtype().IsComplex() {
		return
	}
	scalar := stablehlo.Tensor(x.dtype())
	m.emit(stablehlo.OpClamp, []value{m.constant(scalar), x, m.constant(scalar)})
}

// mapped applies a region to each element, which may use a scalar from outside.
func (m *maker) mapped() {
	x := m.recent()
	if x.dtype().IsComplex() || x.dtype() == dtype.Bool {
		return
	}
	dims := make([]int64, x.rank())
	for d := range dims {
		dims[d] = int64(d)
	}
	y := m.like(x)
	scalar := stablehlo.Tensor(x.dtype())
	outside := m.of(scalar, x.exact && y.exact)
	c, d := pick(m.r, floatBinary[:5]), pick(m.r, floatBinary[:5])
	body := stablehlo.Body{Args: []stablehlo.Type{scalar, scalar},
		Build: func(b *stablehlo.Builder, a []*stablehlo.Value) ([]*stablehlo.Value, error) {
			in := &maker{b: b}
			return []*stablehlo.Value{in.op(d, outside.Value, in.op(c, a...))}, nil
		}}
	m.emit(stablehlo.OpMap, []value{x, y}, ints("dimensions", dims...), body)
}
