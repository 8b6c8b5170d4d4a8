package amd64

import (
	"math"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// An 8-bit float lives in a register as an F32. The exponents differ by a constant bias, except for subnormal numbers:
// these are converted by adding, or subtracting, a number whose last place is that of the type.

const (
	signF32  = 1 << 31
	infinity = 0xff << 23
)

// isFloat8 reports whether a type is an 8-bit float with a mantissa.
func isFloat8(t dtype.Type) bool { return t.IsFloat() && t.Bits() == 8 && t.MantissaBits() > 0 }

// roundFloat8 rounds an F32 to an 8-bit float.
func (s *selector) roundFloat8(t dtype.Type, x operand) operand {
	const notLessOrEqual, f32 = 22, dtype.F32
	over := math.NaN()
	if t.HasInf() {
		over = math.Inf(1)
	}
	r := s.roundMantissa(t, x)
	r = s.blend(f32, s.compareBy(notLessOrEqual, f32, r, s.float(f32, t.MaxFinite())), s.float(f32, over), r)
	r = s.withSign(x, r)
	switch {
	case t.HasInf():
		return s.blend(f32, s.compareFloats(kernel.EQ, f32, x, x), r, x)
	case !t.HasNegativeZero():
		return s.to(asm.VADDPS, r, s.number(4, 0))
	}
	return r
}

// fromFloat8 converts the bits of an 8-bit float, zero-extended to 4-byte lanes, to F32.
func (s *selector) fromFloat8(t dtype.Type, x operand) operand {
	m, shift := t.MantissaBits(), int64(23-t.MantissaBits())
	smallest := s.number(4, uint64(128-t.Bias())<<23)
	magnitude := s.to(asm.VPSLLD, s.and(x, s.number(4, 0x7f)), imm(shift))
	r := s.to(asm.VPADDD, magnitude, s.number(4, uint64(127-t.Bias())<<23))
	subnormal := s.to(asm.VSUBPS, s.or(magnitude, smallest), smallest)
	r = s.blend(dtype.F32, s.compareInts(kernel.LT, dtype.S32, magnitude, s.number(4, 1<<23)), subnormal, r)
	is := func(op kernel.Op, x operand, bits uint64, then operand) {
		r = s.blend(dtype.F32, s.compareInts(op, dtype.S32, x, s.number(4, bits)), then, r)
	}
	switch top := uint64(127>>m) << 23; { // the exponents of infinity and NaN
	case t.HasInf():
		is(kernel.EQ, magnitude, top, s.number(4, infinity))
		is(kernel.GT, magnitude, top, s.or(magnitude, s.number(4, infinity|1<<22)))
	case t.HasNegativeZero():
		is(kernel.EQ, magnitude, 127<<shift, s.number(4, infinity|1<<22))
	default:
		is(kernel.EQ, x, 1<<7, s.number(4, infinity|1<<22))
	}
	return s.or(r, s.to(asm.VPSLLD, s.and(x, s.number(4, 1<<7)), imm(24)))
}

// float8Bits converts an F32 that is an 8-bit float to its bits, zero-extended to 4-byte lanes.
func (s *selector) float8Bits(t dtype.Type, x operand) operand {
	m, shift := t.MantissaBits(), 23-t.MantissaBits()
	magnitude := s.magnitude(x)
	r := magnitude
	if t.HasInf() { // as the power of two after the largest number
		r = s.to(asm.VPMINUD, r, s.number(4, uint64(127>>m+127-t.Bias())<<23))
	}
	r = s.to(asm.VPSUBD, s.to(asm.VPSRLD, r, imm(int64(shift))), s.number(4, uint64(127-t.Bias())<<m))
	last := s.number(4, uint64(128-t.Bias()+shift)<<23)
	subnormal := s.to(asm.VPSUBD, s.to(asm.VADDPS, magnitude, last), last)
	r = s.blend(dtype.F32, s.compareInts(kernel.LT, dtype.S32, magnitude, s.number(4, uint64(128-t.Bias())<<23)),
		subnormal, r)
	nan := s.number(4, t.FromFloat64(math.NaN()))
	if t.HasInf() {
		payload := s.and(s.to(asm.VPSRLD, magnitude, imm(int64(shift))), s.number(4, 1<<m-1))
		nan = s.or(payload, nan)
	}
	r = s.blend(dtype.F32, s.compareInts(kernel.GT, dtype.S32, magnitude, s.number(4, infinity)), nan, r)
	return s.or(r, s.to(asm.VPSRLD, s.and(x, s.number(4, signF32)), imm(24)))
}
