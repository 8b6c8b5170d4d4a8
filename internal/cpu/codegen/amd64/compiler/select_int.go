package compiler

import (
	"math/bits"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// intOp emits an integer operation. Results of types narrower than 4 bytes are wrapped if they can overflow.
func (s *Selector) intOp(in *kernel.Instr, t dtype.Type, x, y []regalloc.Operand) []regalloc.Operand {
	e, n := ElemBytes(t), s.NumParts(t)
	part := func(f func(x, y regalloc.Operand) regalloc.Operand) []regalloc.Operand {
		return s.Each(n, func(p int) regalloc.Operand {
			if len(y) == 0 {
				return f(x[p], regalloc.Operand{})
			}
			return f(x[p], y[p])
		})
	}
	simple := func(o ops) func(x, y regalloc.Operand) regalloc.Operand {
		return func(x, y regalloc.Operand) regalloc.Operand { return s.wrap(t, s.To(o.of(t), x, y)) }
	}
	zero := s.Number(e, 0)
	switch in.Op {
	case kernel.Add:
		return part(simple(addOps))
	case kernel.Sub:
		return part(simple(subOps))
	case kernel.Mul:
		if e == 8 && !s.IsWide() {
			return part(s.mul64)
		}
		return part(simple(mulOps))
	case kernel.Neg:
		return part(func(x, _ regalloc.Operand) regalloc.Operand { return s.wrap(t, s.To(subOps.of(t), zero, x)) })
	case kernel.Not:
		return part(func(x, _ regalloc.Operand) regalloc.Operand {
			return s.wrap(t,
				s.xor(x, s.Number(e, 1<<(8*e-1)<<1-1)))
		})
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
		return part(func(x, _ regalloc.Operand) regalloc.Operand {
			if e == 4 || s.IsWide() {
				return s.wrap(t, s.To(ByLane(e, asm.VPABSD, asm.VPABSQ), x))
			}
			sign := s.shiftRightArithmetic(e, x, 63)
			return s.To(asm.VPSUBQ, s.xor(x, sign), sign)
		})
	case kernel.Sign:
		one, minus := s.Number(e, 1), s.Number(e, 1<<(8*e-1)<<1-1)
		return part(func(x, _ regalloc.Operand) regalloc.Operand {
			r := s.Blend(t, s.compareInts(kernel.EQ, t, x, zero), zero, one)
			if !t.IsSigned() {
				return r
			}
			return s.Blend(t, s.compareInts(kernel.LT, t, x, zero), minus, r)
		})
	case kernel.Max, kernel.Min:
		return part(func(x, y regalloc.Operand) regalloc.Operand { return s.minMaxInt(in.Op, t, x, y) })
	case kernel.Shl, kernel.ShrL, kernel.ShrA:
		return part(func(x, y regalloc.Operand) regalloc.Operand { return s.shift(in, t, x, y) })
	case kernel.Div, kernel.Rem:
		if k, ok := s.powerOfTwo(t, in.Args[1]); ok {
			return part(func(x, _ regalloc.Operand) regalloc.Operand { return s.divideByPower(in.Op, t, x, k) })
		}
		if s.scalar {
			return []regalloc.Operand{s.divideScalar(in.Op, t, x[0], y[0], s.isSafeDivisor(t, in.Args[1]))}
		}
		if t.Size() <= 4 {
			return s.divide(in.Op, t, x, y)
		}
	}
	return s.Unsupported("%s of %s", in.Op, t)
}

// wrap wraps an integer in a 4-byte lane to its type.
func (s *Selector) wrap(t dtype.Type, x regalloc.Operand) regalloc.Operand {
	bits := t.Bits()
	switch {
	case bits >= 32:
		return x
	case t.IsSigned():
		return s.To(asm.VPSRAD, s.To(asm.VPSLLD, x, regalloc.Imm(int64(32-bits))), regalloc.Imm(int64(32-bits)))
	}
	return s.and(x, s.Number(4, 1<<bits-1))
}

func (s *Selector) minMaxInt(op kernel.Op, t dtype.Type, x, y regalloc.Operand) regalloc.Operand {
	e := ElemBytes(t)
	if e == 8 && !s.IsWide() {
		if op == kernel.Max {
			return s.Blend(t, s.compareInts(kernel.LT, t, y, x), x, y)
		}
		return s.Blend(t, s.compareInts(kernel.LT, t, x, y), x, y)
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
	return s.To(ByLane(e, list[i], list[i+1]), x, y)
}

// mul64 multiplies 8-byte integers by 4-byte products.
func (s *Selector) mul64(x, y regalloc.Operand) regalloc.Operand {
	high := func(v regalloc.Operand) regalloc.Operand { return s.To(asm.VPSRLQ, v, regalloc.Imm(32)) }
	cross := s.To(asm.VPADDQ, s.To(asm.VPMULUDQ, high(x), y), s.To(asm.VPMULUDQ, high(y), x))
	return s.To(asm.VPADDQ, s.To(asm.VPMULUDQ, x, y), s.To(asm.VPSLLQ, cross, regalloc.Imm(32)))
}

// shift shifts elements of in.Type, which may be narrower than their register, by any count.
func (s *Selector) shift(in *kernel.Instr, t dtype.Type, x, y regalloc.Operand) regalloc.Operand {
	e, bits := ElemBytes(t), uint64(in.Type.Bits())
	switch in.Op {
	case kernel.Shl:
		if bits < 32 { // the instruction would accept larger counts
			y = s.narrowCount(t, y)
			x = s.Blend(t, s.compareInts(kernel.LT, dtype.U32, y, s.Number(4, bits)), x, s.Number(4, 0))
		}
		return s.wrap(t, s.To(shlOps.of(t), x, y))
	case kernel.ShrL:
		if bits < 32 {
			x, y = s.and(x, s.Number(4, 1<<bits-1)), s.narrowCount(t, y)
		}
		return s.wrap(t, s.To(shrLOps.of(t), x, y))
	}
	if bits < 32 {
		up := regalloc.Imm(int64(32 - bits))
		x = s.To(asm.VPSRAD, s.To(asm.VPSLLD, x, up), up)
		return s.wrap(t, s.To(asm.VPSRAVD, x, s.narrowCount(t, y)))
	}
	if e == 4 || s.IsWide() {
		return s.To(shrAOps.of(t), x, y)
	}
	top := s.Number(8, 63)
	y = s.Blend(dtype.U64, s.compareInts(kernel.LT, dtype.U64, y, top), y, top)
	sign := s.To(asm.VPSRLVQ, s.Number(8, 1<<63), y)
	return s.To(asm.VPSUBQ, s.xor(s.To(asm.VPSRLVQ, x, y), sign), sign)
}

// narrowCount zero-extends a narrow count, which is unsigned.
func (s *Selector) narrowCount(t dtype.Type, y regalloc.Operand) regalloc.Operand {
	if !t.IsSigned() {
		return y
	}
	return s.and(y, s.Number(4, 1<<t.Bits()-1))
}

// shiftRightArithmetic shifts by a constant.
func (s *Selector) shiftRightArithmetic(e int, x regalloc.Operand, count int) regalloc.Operand {
	switch {
	case e == 4:
		return s.To(asm.VPSRAD, x, regalloc.Imm(int64(count)))
	case s.IsWide():
		return s.To(asm.VPSRAQ, x, regalloc.Imm(int64(count)))
	}
	sign := s.Number(8, 1<<63>>count)
	return s.To(asm.VPSUBQ, s.xor(s.To(asm.VPSRLQ, x, regalloc.Imm(int64(count))), sign), sign)
}

// powerOfTwo returns k if a value is the constant 2ᵏ of type t, k > 0.
func (l *Lowered) powerOfTwo(t dtype.Type, v kernel.Value) (k int, ok bool) {
	c := &l.Instrs[v]
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
func (s *Selector) divideByPower(op kernel.Op, t dtype.Type, x regalloc.Operand, k int) regalloc.Operand {
	e := ElemBytes(t)
	shift, low := ByLane(e, asm.VPSRLD, asm.VPSRLQ), s.Number(e, 1<<k-1)
	if !t.IsSigned() {
		if op == kernel.Rem {
			return s.and(x, low)
		}
		return s.To(shift, x, regalloc.Imm(int64(k)))
	}
	sign := s.shiftRightArithmetic(e, x, 8*e-1)
	biased := s.To(addOps.of(t), x, s.To(shift, sign, regalloc.Imm(int64(8*e-k))))
	if op == kernel.Div {
		return s.shiftRightArithmetic(e, biased, k)
	}
	quotient := s.and(biased, s.Number(e, 1<<(8*e-1)<<1-1<<k))
	return s.To(subOps.of(t), x, quotient)
}

// divide divides integers of at most 4 bytes in F64: no quotient is close enough to the next integer to round to it.
func (s *Selector) divide(op kernel.Op, t dtype.Type, x, y []regalloc.Operand) []regalloc.Operand {
	zero := s.Number(4, 0)
	a, b := s.intToF64(t, x[0]), s.intToF64(t, y[0])
	if len(a) != 2 {
		return s.Unsupported("%s of %s", op, t)
	}
	q := s.Each(2, func(p int) regalloc.Operand { return s.roundTo(dtype.F64, s.To(asm.VDIVPD, a[p], b[p]), toZero) })
	quotient := s.f64ToInt32(q)
	byZero := s.compareInts(kernel.EQ, t, y[0], zero)
	if op == kernel.Div {
		return []regalloc.Operand{s.wrap(t, s.Blend(t, byZero, s.Number(4, 1<<32-1), quotient))}
	}
	rest := s.To(asm.VPSUBD, x[0], s.To(asm.VPMULLD, quotient, y[0]))
	return []regalloc.Operand{s.wrap(t, s.Blend(t, byZero, x[0], rest))}
}
