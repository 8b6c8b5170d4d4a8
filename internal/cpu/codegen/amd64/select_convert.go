package amd64

import (
	"math"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// convert emits a conversion between register types, rounded or wrapped to the target type.
func (s *selector) convert(from, to dtype.Type, x []operand) []operand {
	rf, rt := kernel.Register(from), kernel.Register(to)
	if rf.IsComplex() || rt.IsComplex() {
		return s.unsupported("convert of %s to %s", from, to)
	}
	switch wide := rf == dtype.F64 || rf.IsInteger() && rf.Size() >= 4; {
	case rt == to || !wide:
	case rt.IsInteger() && rf == dtype.F64:
		return s.unsupported("convert of %s to %s", from, to) // would round twice
	case rt.IsFloat(): // rounded in F64, which is exact
		if rf.IsInteger() {
			x = s.intToF64Sticky(rf, x)
		}
		x, rf = s.each(len(x), func(p int) operand { return s.roundMantissa64(to, x[p]) }), dtype.F64
	}
	var r []operand
	switch {
	case rf == rt:
		r = x
	case rf == dtype.Bool:
		r = s.fromBool(rt, x[0])
	case rt == dtype.Bool:
		if rf.IsFloat() {
			return []operand{s.compare(kernel.NE, rf, x, s.each(len(x), func(int) operand { return s.float(rf, 0) }))}
		}
		return []operand{s.compare(kernel.NE, rf, x,
			s.each(len(x), func(int) operand { return s.number(elemBytes(rf), 0) }))}
	case rf.IsFloat() && rt.IsFloat():
		r = s.floatToFloat(rf, x)
	case rf.IsFloat():
		r = s.floatToInt(rf, rt, x)
	case rt.IsFloat():
		r = s.intToFloat(rf, rt, x)
	default:
		r = s.intToInt(rf, rt, x)
	}
	switch {
	case to == dtype.BF16:
		r = []operand{s.roundBF16(r[0], !rf.IsFloat())}
	case rt != to:
		r = s.round(to, r)
	}
	return r
}

// fromBool converts booleans to 1 and 0.
func (s *selector) fromBool(t dtype.Type, mask operand) []operand {
	e := elemBytes(t)
	one := s.number(e, 1)
	if t.IsFloat() {
		one = s.float(t, 1)
	}
	masks := s.splitMask(t, mask)
	return s.each(len(masks), func(p int) operand { return s.blend(t, masks[p], one, s.number(e, 0)) })
}

// floatToFloat converts between F32 and F64.
func (s *selector) floatToFloat(from dtype.Type, x []operand) []operand {
	if from == dtype.F32 {
		half := s.halvesFor8(x[0])
		return s.each(len(half), func(p int) operand { return s.to(asm.VCVTPS2PD, half[p]) })
	}
	return []operand{s.join32(s.each(len(x), func(p int) operand {
		d := s.vector()
		return s.emit(asm.VCVTPD2PS, d.as(s.half()), x[p])
	}))}
}

// halvesFor8 returns the 4-byte lanes of each part of a value of 8 bytes.
func (s *selector) halvesFor8(x operand) []operand {
	if s.numParts(dtype.F64) == 2 {
		return s.halves(x)
	}
	return []operand{x.as(s.half())}
}

// join32 concatenates half vectors.
func (s *selector) join32(half []operand) operand {
	low := half[0]
	low.class = 0
	if len(half) == 1 {
		return low
	}
	return s.joinHalves(low, half[1])
}

// intToF64 converts integers of at most 4 bytes.
func (s *selector) intToF64(t dtype.Type, x operand) []operand {
	half := s.halvesFor8(x)
	return s.each(len(half), func(p int) operand {
		switch {
		case t.IsSigned() || t.Size() < 4:
			return s.to(asm.VCVTDQ2PD, half[p])
		case s.isWide():
			return s.to(asm.VCVTUDQ2PD, half[p])
		}
		const magic = 0x1p52 // it adds the integer in its low bits
		bits := s.or(s.to(asm.VPMOVZXDQ, half[p]), s.float(dtype.F64, magic))
		return s.to(asm.VSUBPD, bits, s.float(dtype.F64, magic))
	})
}

// f64ToInt32 converts integral numbers between -2^31 and 2^32 to 4-byte integers, signed or unsigned.
func (s *selector) f64ToInt32(x []operand) operand {
	return s.packLowHalves(s.each(len(x), func(p int) operand {
		const magic = 0x1.8p52
		return s.to(asm.VADDPD, x[p], s.float(dtype.F64, magic))
	}))
}

// intToFloat rounds once.
func (s *selector) intToFloat(from, to dtype.Type, x []operand) []operand {
	switch {
	case from.Size() <= 4 && to == dtype.F64:
		return s.intToF64(from, x[0])
	case from.Size() < 4 || from == dtype.S32:
		return []operand{s.to(asm.VCVTDQ2PS, x[0])}
	case from == dtype.U32 && s.isWide():
		return []operand{s.to(asm.VCVTUDQ2PS, x[0])}
	case from == dtype.U32:
		return s.floatToFloat(dtype.F64, s.intToF64(from, x[0]))
	}
	signed := from.IsSigned()
	switch {
	case s.isWide() && to == dtype.F64:
		return s.each(len(x), func(p int) operand {
			if signed {
				return s.to(asm.VCVTQQ2PD, x[p])
			}
			return s.to(asm.VCVTUQQ2PD, x[p])
		})
	case s.isWide() && (s.scalar || len(x) == 2):
		op := asm.VCVTUQQ2PS
		if signed {
			op = asm.VCVTQQ2PS
		}
		return []operand{s.join32(s.each(len(x), func(p int) operand {
			return s.emit(op, s.vector().as(asm.YMM), x[p])
		}))}
	case to == dtype.F64:
		return s.each(len(x), func(p int) operand { return s.int64ToF64(signed, x[p]) })
	case !s.isWide() && to == dtype.F32:
		return s.floatToFloat(dtype.F64, s.each(len(x), func(p int) operand {
			return s.int64ToF64(signed, s.stickyInt64(from, x[p]))
		}))
	}
	return s.unsupported("convert of %s to %s", from, to)
}

// stickyInt64 shortens an integer so that it fits an F64 and rounds to F32 as before: the low bits of large numbers are
// reduced to a sticky bit.
func (s *selector) stickyInt64(t dtype.Type, x operand) operand {
	const low = 1<<12 - 1
	zero := s.number(8, 0)
	rest := s.blend(t, s.compareInts(kernel.EQ, t, s.and(x, s.number(8, low)), zero), zero, s.number(8, 1<<11))
	sticky := s.or(s.and(x, s.number(8, ^uint64(low))), rest)
	fits := s.compareInts(kernel.LT, dtype.U64, x, s.number(8, 1<<53))
	if t.IsSigned() {
		fits = s.compareInts(kernel.LT, dtype.U64, s.to(asm.VPADDQ, x, s.number(8, 1<<53)), s.number(8, 1<<54))
	}
	return s.blend(t, fits, x, sticky)
}

// int64ToF64 puts the halves of an integer into the low bits of two numbers, whose sum, rounded once, is the integer.
func (s *selector) int64ToF64(signed bool, x operand) operand {
	const low, high = 0x1p52, 0x1p84
	mask := math.Float64bits(high)
	offset := math.Float64bits(high + low)
	if signed {
		mask ^= 1 << 31 // the upper half is biased by 2^31
		offset = math.Float64bits(high + low + 0x1p63)
	}
	top := s.xor(s.to(asm.VPSRLQ, x, imm(32)), s.number(8, mask))
	rest := s.or(s.and(x, s.number(8, 1<<32-1)), s.float(dtype.F64, low))
	return s.to(asm.VADDPD, s.to(asm.VSUBPD, top, s.number(8, offset)), rest)
}

// intToF64Sticky converts an integer of at least 4 bytes to an F64 that rounds to a narrower type as the integer does.
func (s *selector) intToF64Sticky(from dtype.Type, x []operand) []operand {
	if from.Size() < 8 {
		return s.intToF64(from, x[0])
	}
	return s.intToFloat(from, dtype.F64, s.each(len(x), func(p int) operand { return s.stickyInt64(from, x[p]) }))
}

// roundMantissa64 rounds an F64 to the mantissa of a narrower type at its exponent, as roundMantissa does an F32.
// Numbers beyond the range of any such type are unchanged.
func (s *selector) roundMantissa64(t dtype.Type, x operand) operand {
	const f64, exponent, large = dtype.F64, 0x7ff << 52, 0x1p129
	smallest := math.Ldexp(1, 1-t.Bias())
	power := s.to(asm.VMAXPD, s.and(x, s.number(8, exponent)), s.float(f64, smallest))
	power = s.to(asm.VMULPD, power, s.float(f64, math.Ldexp(1, f64.MantissaBits()-t.MantissaBits())))
	magnitude := s.and(x, s.number(8, 1<<63-1))
	rounded := s.to(asm.VSUBPD, s.to(asm.VADDPD, magnitude, power), power)
	rounded = s.or(rounded, s.and(x, s.number(8, 1<<63)))
	return s.blend(f64, s.compareFloats(kernel.LT, f64, magnitude, s.float(f64, large)), rounded, x)
}

// floatToInt truncates and saturates; NaN becomes 0.
func (s *selector) floatToInt(from, to dtype.Type, x []operand) []operand {
	if to.Size() == 8 && from == dtype.F64 {
		return s.each(len(x), func(p int) operand { return s.f64ToInt64(to, x[p]) })
	}
	if from == dtype.F32 {
		if to.Size() >= 4 {
			return s.floatToInt(dtype.F64, to, s.floatToFloat(dtype.F32, x))
		}
		minInt, maxInt := s.float(from, float64(to.MinInt())), s.float(from, float64(to.MaxInt()))
		ordered := s.compareFloats(kernel.EQ, from, x[0], x[0])
		v := s.blend(from, ordered, x[0], s.number(4, 0))
		return []operand{s.to(asm.VCVTTPS2DQ, s.to(asm.VMINPS, s.to(asm.VMAXPS, v, minInt), maxInt))}
	}
	minInt, maxInt := s.float(from, float64(to.MinInt())), s.float(from, float64(to.MaxInt()))
	return []operand{s.f64ToInt32(s.each(len(x), func(p int) operand {
		ordered := s.compareFloats(kernel.EQ, from, x[p], x[p])
		v := s.blend(from, ordered, x[p], s.number(8, 0))
		return s.roundTo(from, s.to(asm.VMINPD, s.to(asm.VMAXPD, v, minInt), maxInt), toZero)
	}))}
}

// f64ToInt64 truncates to 64-bit integers.
func (s *selector) f64ToInt64(to dtype.Type, x operand) operand {
	const f64 = dtype.F64
	zero := s.float(f64, 0)
	limit, maxInt := s.float(f64, float64(to.MaxInt())), s.number(8, to.MaxInt())
	if !to.IsSigned() {
		x = s.to(asm.VMAXPD, x, zero) // its second operand where x is NaN
		if s.isWide() {
			return s.to(asm.VCVTTPD2UQQ, x) // all ones if it is too large
		}
		return s.blend(to, s.compareFloats(kernel.GE, f64, x, limit), maxInt, s.f64ToBits64(x))
	}
	x = s.blend(f64, s.compareFloats(kernel.EQ, f64, x, x), x, zero)
	large := s.compareFloats(kernel.GE, f64, x, limit)
	if s.isWide() {
		return s.blend(to, large, maxInt, s.to(asm.VCVTTPD2QQ, x)) // the minimum if it is too small
	}
	sign := s.shiftRightArithmetic(8, x, 63)
	bits := s.f64ToBits64(s.to(asm.VMINPD, s.and(x, s.number(8, 1<<63-1)), limit))
	return s.blend(to, large, maxInt, s.to(asm.VPSUBQ, s.xor(bits, sign), sign))
}

// f64ToBits64 truncates numbers from 0 to 2^64: each half of the integer is in the low bits of its sum with 2^52.
func (s *selector) f64ToBits64(x operand) operand {
	const half, place = 0x1p32, 0x1p52
	x = s.roundTo(dtype.F64, x, toZero)
	upper := s.roundTo(dtype.F64, s.to(asm.VMULPD, x, s.float(dtype.F64, 1/half)), toZero)
	lower := s.copy(x)
	s.update(asm.VFNMADD231PD, lower, upper, s.float(dtype.F64, half))
	bits := func(x operand) operand { return s.to(asm.VADDPD, x, s.float(dtype.F64, place)) }
	return s.xor(s.to(asm.VPSLLQ, bits(upper), imm(32)), s.xor(bits(lower), s.float(dtype.F64, place)))
}

// intToInt extends or wraps.
func (s *selector) intToInt(from, to dtype.Type, x []operand) []operand {
	switch {
	case elemBytes(from) == elemBytes(to):
		return s.each(len(x), func(p int) operand {
			if elemBytes(to) == 8 {
				return x[p]
			}
			return s.wrap(to, x[p])
		})
	case elemBytes(from) == 8:
		if len(x) != 2 && !s.scalar {
			return s.unsupported("convert of %s to %s", from, to)
		}
		return []operand{s.wrap(to, s.packLowHalves(x))}
	}
	op := asm.VPMOVZXDQ
	if from.IsSigned() {
		op = asm.VPMOVSXDQ
	}
	half := s.halvesFor8(x[0])
	return s.each(len(half), func(p int) operand { return s.to(op, half[p]) })
}

// round rounds or wraps a value to a narrower type.
func (s *selector) round(t dtype.Type, x []operand) []operand {
	switch {
	case t.IsInteger():
		return []operand{s.wrap(t, x[0])}
	case t == dtype.F16:
		return []operand{s.to(asm.VCVTPH2PS, s.bitsOfF16(x[0]))}
	case t == dtype.BF16:
		return []operand{s.roundBF16(x[0], false)}
	case isFloat8(t):
		return []operand{s.roundFloat8(t, x[0])}
	}
	return s.unsupported("rounding to %s", t)
}

// roundMantissa rounds the magnitude of an F32 to the mantissa of a narrower type at its exponent: it adds and
// subtracts a power of two whose last place is that of the type. Infinities, NaN and some numbers beyond the range of
// any such type become NaN.
func (s *selector) roundMantissa(t dtype.Type, x operand) operand {
	const exponent = 0xff << 23
	smallest := math.Ldexp(1, 1-t.Bias())
	power := s.to(asm.VMAXPS, s.and(x, s.number(4, exponent)), s.float(dtype.F32, smallest))
	power = s.to(asm.VMULPS, power, s.float(dtype.F32, math.Ldexp(1, dtype.F32.MantissaBits()-t.MantissaBits())))
	return s.to(asm.VSUBPS, s.to(asm.VADDPS, s.magnitude(x), power), power)
}

// magnitude returns an F32 without its sign, withSign a magnitude with the sign of another number.
func (s *selector) magnitude(x operand) operand { return s.and(x, s.number(4, 1<<31-1)) }

func (s *selector) withSign(x, magnitude operand) operand {
	return s.or(magnitude, s.and(x, s.number(4, 1<<31)))
}

// bitsOfF16 rounds an F32 to F16 in half a vector.
func (s *selector) bitsOfF16(x operand) operand {
	const toEven = 0
	return s.emit(asm.VCVTPS2PH, s.vector().as(s.half()), x, imm(toEven))
}

// bitcast reinterprets bits between types of the same size.
func (s *selector) bitcast(in *kernel.Instr, x []operand) []operand {
	from, to := in.From, in.Type
	switch {
	case from.Size() != to.Size() || from == dtype.Bool || to == dtype.Bool:
		return s.unsupported("bitcast of %s to %s", from, to)
	case from == to:
		return x
	case hasNarrowBits(from) && hasNarrowBits(to):
		return s.fromNarrowBits(to, s.narrowBits(from, x[0]))
	case from.IsInteger() && hasNarrowBits(to):
		return s.fromNarrowBits(to, s.and(x[0], s.number(4, 1<<to.Bits()-1)))
	case hasNarrowBits(from) && to.IsInteger():
		return []operand{s.wrap(to, s.narrowBits(from, x[0]))}
	case kernel.NeedsRound(from) || kernel.NeedsRound(to):
		return s.unsupported("bitcast of %s to %s", from, to)
	}
	switch {
	case to.Size() < 4:
		return []operand{s.wrap(to, x[0])}
	case from == dtype.C64:
		return s.interleave(x)
	case to == dtype.C64:
		return s.deinterleave(x)
	}
	return x
}

// hasNarrowBits reports whether a narrow float can be converted to and from its bits.
func hasNarrowBits(t dtype.Type) bool { return t == dtype.F16 || t == dtype.BF16 || isFloat8(t) }

// narrowBits returns the bits of a narrow float, zero-extended to 4-byte lanes.
func (s *selector) narrowBits(t dtype.Type, x operand) operand {
	switch t {
	case dtype.F16:
		return s.to(asm.VPMOVZXWD, s.bitsOfF16(x))
	case dtype.BF16:
		return s.to(asm.VPSRLD, x, imm(16))
	}
	return s.float8Bits(t, x)
}

// fromNarrowBits returns the narrow floats with such bits.
func (s *selector) fromNarrowBits(t dtype.Type, x operand) []operand {
	switch t {
	case dtype.F16:
		return []operand{s.to(asm.VCVTPH2PS, s.lowWords(x))}
	case dtype.BF16:
		return []operand{s.to(asm.VPSLLD, x, imm(16))}
	}
	return []operand{s.fromFloat8(t, x)}
}
