package compiler

import (
	"math"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// An 8-bit float lives in a register as an F32. The exponents differ by a constant bias, except for subnormal numbers:
// these are converted by adding, or subtracting, a number whose last place is that of the type.

const (
	signF32  = 1 << 31
	infinity = 0xff << 23
)

// IsFloat8 reports whether a type is an 8-bit float with a mantissa.
func IsFloat8(t dtype.Type) bool { return t.IsFloat() && t.Bits() == 8 && t.MantissaBits() > 0 }

// RoundFloat8 rounds an F32 to an 8-bit float.
func (s *Selector) RoundFloat8(t dtype.Type, x regalloc.Operand) regalloc.Operand {
	const notLessOrEqual, f32 = 22, dtype.F32
	over := math.NaN()
	if t.HasInf() {
		over = math.Inf(1)
	}
	r := s.roundMantissa(t, x)
	r = s.Blend(f32, s.compareBy(notLessOrEqual, f32, r, s.float(f32, t.MaxFinite())), s.float(f32, over), r)
	r = s.withSign(x, r)
	switch {
	case t.HasInf():
		return s.Blend(f32, s.compareFloats(kernel.EQ, f32, x, x), r, x)
	case !t.HasNegativeZero():
		return s.To(asm.VADDPS, r, s.Number(4, 0))
	}
	return r
}

// fromFloat8 converts the bits of an 8-bit float, zero-extended to 4-byte lanes, to F32.
func (s *Selector) fromFloat8(t dtype.Type, x regalloc.Operand) regalloc.Operand {
	m, shift := t.MantissaBits(), int64(23-t.MantissaBits())
	smallest := s.Number(4, uint64(128-t.Bias())<<23)
	magnitude := s.To(asm.VPSLLD, s.and(x, s.Number(4, 0x7f)), regalloc.Imm(shift))
	r := s.To(asm.VPADDD, magnitude, s.Number(4, uint64(127-t.Bias())<<23))
	subnormal := s.To(asm.VSUBPS, s.or(magnitude, smallest), smallest)
	r = s.Blend(dtype.F32, s.compareInts(kernel.LT, dtype.S32, magnitude, s.Number(4, 1<<23)), subnormal, r)
	is := func(op kernel.Op, x regalloc.Operand, bits uint64, then regalloc.Operand) {
		r = s.Blend(dtype.F32, s.compareInts(op, dtype.S32, x, s.Number(4, bits)), then, r)
	}
	switch top := uint64(127>>m) << 23; { // the exponents of infinity and NaN
	case t.HasInf():
		is(kernel.EQ, magnitude, top, s.Number(4, infinity))
		is(kernel.GT, magnitude, top, s.or(magnitude, s.Number(4, infinity|1<<22)))
	case t.HasNegativeZero():
		is(kernel.EQ, magnitude, 127<<shift, s.Number(4, infinity|1<<22))
	default:
		is(kernel.EQ, x, 1<<7, s.Number(4, infinity|1<<22))
	}
	return s.or(r, s.To(asm.VPSLLD, s.and(x, s.Number(4, 1<<7)), regalloc.Imm(24)))
}

// Float8Bits converts an F32 that is an 8-bit float to its bits, zero-extended to 4-byte lanes.
func (s *Selector) Float8Bits(t dtype.Type, x regalloc.Operand) regalloc.Operand {
	m, shift := t.MantissaBits(), 23-t.MantissaBits()
	magnitude := s.magnitude(x)
	r := magnitude
	if t.HasInf() { // as the power of two after the largest number
		r = s.To(asm.VPMINUD, r, s.Number(4, uint64(127>>m+127-t.Bias())<<23))
	}
	r = s.To(asm.VPSUBD, s.To(asm.VPSRLD, r, regalloc.Imm(int64(shift))), s.Number(4, uint64(127-t.Bias())<<m))
	last := s.Number(4, uint64(128-t.Bias()+shift)<<23)
	subnormal := s.To(asm.VPSUBD, s.To(asm.VADDPS, magnitude, last), last)
	r = s.Blend(dtype.F32, s.compareInts(kernel.LT, dtype.S32, magnitude, s.Number(4, uint64(128-t.Bias())<<23)),
		subnormal, r)
	nan := s.Number(4, t.FromFloat64(math.NaN()))
	if t.HasInf() {
		payload := s.and(s.To(asm.VPSRLD, magnitude, regalloc.Imm(int64(shift))), s.Number(4, 1<<m-1))
		nan = s.or(payload, nan)
	}
	r = s.Blend(dtype.F32, s.compareInts(kernel.GT, dtype.S32, magnitude, s.Number(4, infinity)), nan, r)
	return s.or(r, s.To(asm.VPSRLD, s.and(x, s.Number(4, signF32)), regalloc.Imm(24)))
}
