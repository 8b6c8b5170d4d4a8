package amd64

import (
	"math/bits"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// intOp emits an integer operation. Results of types narrower than 4 bytes are wrapped if they can overflow.
func (s *selector) intOp(in *kernel.Instr, t dtype.Type, x, y []operand) []operand {
	e, n := elemBytes(t), s.numParts(t)
	part := func(f func(x, y operand) operand) []operand {
		return s.each(n, func(p int) operand {
			if len(y) == 0 {
				return f(x[p], operand{})
			}
			return f(x[p], y[p])
		})
	}
	simple := func(o ops) func(x, y operand) operand {
		return func(x, y operand) operand { return s.wrap(t, s.to(o.of(t), x, y)) }
	}
	zero := s.number(e, 0)
	switch in.Op {
	case kernel.Add:
		return part(simple(addOps))
	case kernel.Sub:
		return part(simple(subOps))
	case kernel.Mul:
		if e == 8 && !s.isWide() {
			return part(s.mul64)
		}
		return part(simple(mulOps))
	case kernel.Neg:
		return part(func(x, _ operand) operand { return s.wrap(t, s.to(subOps.of(t), zero, x)) })
	case kernel.Not:
		return part(func(x, _ operand) operand { return s.wrap(t, s.xor(x, s.number(e, 1<<(8*e-1)<<1-1))) })
	case kernel.And:
		return part(s.and)
	case kernel.Or:
		return part(s.or)
	case kernel.Xor:
		return part(s.xor)
	case kernel.Abs:
		if !t.IsSigned() {
			return x
		}
		return part(func(x, _ operand) operand {
			if e == 4 || s.isWide() {
				return s.wrap(t, s.to(bySize(e, asm.VPABSD, asm.VPABSQ), x))
			}
			sign := s.shiftRightArithmetic(e, x, 63)
			return s.to(asm.VPSUBQ, s.xor(x, sign), sign)
		})
	case kernel.Sign:
		one, minus := s.number(e, 1), s.number(e, 1<<(8*e-1)<<1-1)
		return part(func(x, _ operand) operand {
			r := s.blend(t, s.compareInts(kernel.EQ, t, x, zero), zero, one)
			if !t.IsSigned() {
				return r
			}
			return s.blend(t, s.compareInts(kernel.LT, t, x, zero), minus, r)
		})
	case kernel.Max, kernel.Min:
		return part(func(x, y operand) operand { return s.minMaxInt(in.Op, t, x, y) })
	case kernel.Shl, kernel.ShrL, kernel.ShrA:
		return part(func(x, y operand) operand { return s.shift(in, t, x, y) })
	case kernel.Div, kernel.Rem:
		if k, ok := s.powerOfTwo(t, in.Args[1]); ok {
			return part(func(x, _ operand) operand { return s.divideByPower(in.Op, t, x, k) })
		}
		if s.scalar {
			return []operand{s.divideScalar(in.Op, t, x[0], y[0], s.isSafeDivisor(t, in.Args[1]))}
		}
		if t.Size() <= 4 {
			return s.divide(in.Op, t, x, y)
		}
	}
	return s.unsupported("%s of %s", in.Op, t)
}

// wrap wraps an integer in a 4-byte lane to its type.
func (s *selector) wrap(t dtype.Type, x operand) operand {
	bits := t.Bits()
	switch {
	case bits >= 32:
		return x
	case t.IsSigned():
		return s.to(asm.VPSRAD, s.to(asm.VPSLLD, x, imm(int64(32-bits))), imm(int64(32-bits)))
	}
	return s.and(x, s.number(4, 1<<bits-1))
}

func (s *selector) minMaxInt(op kernel.Op, t dtype.Type, x, y operand) operand {
	e := elemBytes(t)
	if e == 8 && !s.isWide() {
		if op == kernel.Max {
			return s.blend(t, s.compareInts(kernel.LT, t, y, x), x, y)
		}
		return s.blend(t, s.compareInts(kernel.LT, t, x, y), x, y)
	}
	list := []asm.Op{asm.VPMAXUD, asm.VPMAXUQ, asm.VPMAXSD, asm.VPMAXSQ, asm.VPMINUD, asm.VPMINUQ,
		asm.VPMINSD, asm.VPMINSQ}
	i := 0
	if op == kernel.Min {
		i = 4
	}
	if t.IsSigned() {
		i += 2
	}
	return s.to(bySize(e, list[i], list[i+1]), x, y)
}

// mul64 multiplies 8-byte integers by 4-byte products.
func (s *selector) mul64(x, y operand) operand {
	high := func(v operand) operand { return s.to(asm.VPSRLQ, v, imm(32)) }
	cross := s.to(asm.VPADDQ, s.to(asm.VPMULUDQ, high(x), y), s.to(asm.VPMULUDQ, high(y), x))
	return s.to(asm.VPADDQ, s.to(asm.VPMULUDQ, x, y), s.to(asm.VPSLLQ, cross, imm(32)))
}

// shift shifts elements of in.Type, which may be narrower than their register, by any count.
func (s *selector) shift(in *kernel.Instr, t dtype.Type, x, y operand) operand {
	e, bits := elemBytes(t), uint64(in.Type.Bits())
	switch in.Op {
	case kernel.Shl:
		if bits < 32 { // the instruction would accept larger counts
			y = s.narrowCount(t, y)
			x = s.blend(t, s.compareInts(kernel.LT, dtype.U32, y, s.number(4, bits)), x, s.number(4, 0))
		}
		return s.wrap(t, s.to(shlOps.of(t), x, y))
	case kernel.ShrL:
		if bits < 32 {
			x, y = s.and(x, s.number(4, 1<<bits-1)), s.narrowCount(t, y)
		}
		return s.wrap(t, s.to(shrLOps.of(t), x, y))
	}
	if bits < 32 {
		up := imm(int64(32 - bits))
		x = s.to(asm.VPSRAD, s.to(asm.VPSLLD, x, up), up)
		return s.wrap(t, s.to(asm.VPSRAVD, x, s.narrowCount(t, y)))
	}
	if e == 4 || s.isWide() {
		return s.to(shrAOps.of(t), x, y)
	}
	top := s.number(8, 63)
	y = s.blend(dtype.U64, s.compareInts(kernel.LT, dtype.U64, y, top), y, top)
	sign := s.to(asm.VPSRLVQ, s.number(8, 1<<63), y)
	return s.to(asm.VPSUBQ, s.xor(s.to(asm.VPSRLVQ, x, y), sign), sign)
}

// narrowCount zero-extends a narrow count, which is unsigned.
func (s *selector) narrowCount(t dtype.Type, y operand) operand {
	if !t.IsSigned() {
		return y
	}
	return s.and(y, s.number(4, 1<<t.Bits()-1))
}

// shiftRightArithmetic shifts by a constant.
func (s *selector) shiftRightArithmetic(e int, x operand, count int) operand {
	switch {
	case e == 4:
		return s.to(asm.VPSRAD, x, imm(int64(count)))
	case s.isWide():
		return s.to(asm.VPSRAQ, x, imm(int64(count)))
	}
	sign := s.number(8, 1<<63>>count)
	return s.to(asm.VPSUBQ, s.xor(s.to(asm.VPSRLQ, x, imm(int64(count))), sign), sign)
}

// powerOfTwo returns k if a value is the constant 2ᵏ of type t, k > 0.
func (l *lowered) powerOfTwo(t dtype.Type, v kernel.Value) (k int, ok bool) {
	c := &l.instrs[v]
	if c.Op != kernel.Const {
		return 0, false
	}
	number, top := c.Bits[0]<<(64-t.Bits())>>(64-t.Bits()), t.Bits()
	if t.IsSigned() {
		top-- // the top bit is the sign
	}
	k = bits.TrailingZeros64(number)
	return k, k > 0 && k < top && number == 1<<k
}

// divideByPower divides by 2ᵏ, rounding to zero: it adds 2ᵏ - 1 to negative numbers before the shift.
func (s *selector) divideByPower(op kernel.Op, t dtype.Type, x operand, k int) operand {
	e := elemBytes(t)
	shift, low := bySize(e, asm.VPSRLD, asm.VPSRLQ), s.number(e, 1<<k-1)
	if !t.IsSigned() {
		if op == kernel.Rem {
			return s.and(x, low)
		}
		return s.to(shift, x, imm(int64(k)))
	}
	sign := s.shiftRightArithmetic(e, x, 8*e-1)
	biased := s.to(addOps.of(t), x, s.to(shift, sign, imm(int64(8*e-k))))
	if op == kernel.Div {
		return s.shiftRightArithmetic(e, biased, k)
	}
	quotient := s.and(biased, s.number(e, 1<<(8*e-1)<<1-1<<k))
	return s.to(subOps.of(t), x, quotient)
}

// divide divides integers of at most 4 bytes in F64: no quotient is close enough to the next integer to round to it.
func (s *selector) divide(op kernel.Op, t dtype.Type, x, y []operand) []operand {
	zero := s.number(4, 0)
	a, b := s.intToF64(t, x[0]), s.intToF64(t, y[0])
	if len(a) != 2 {
		return s.unsupported("%s of %s", op, t)
	}
	q := s.each(2, func(p int) operand { return s.roundTo(dtype.F64, s.to(asm.VDIVPD, a[p], b[p]), toZero) })
	quotient := s.f64ToInt32(q)
	byZero := s.compareInts(kernel.EQ, t, y[0], zero)
	if op == kernel.Div {
		return []operand{s.wrap(t, s.blend(t, byZero, s.number(4, 1<<32-1), quotient))}
	}
	rest := s.to(asm.VPSUBD, x[0], s.to(asm.VPMULLD, quotient, y[0]))
	return []operand{s.wrap(t, s.blend(t, byZero, x[0], rest))}
}
