package compiler

import (
	"math"

	"github.com/go-nx/nx/dtype"
	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/regalloc"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// convert emits a conversion between register types, rounded or wrapped to the target type.
func (s *Selector) convert(from, to dtype.Type, x []regalloc.Operand) []regalloc.Operand {
	rf, rt := kernel.Register(from), kernel.Register(to)
	if rf.IsComplex() || rt.IsComplex() {
		return s.Unsupported("convert of %s to %s", from, to)
	}
	switch wide := rf == dtype.F64 || rf.IsInteger() && rf.Size() >= 4; {
	case rt == to || !wide:
	case rt.IsInteger() && rf == dtype.F64:
		return s.Unsupported("convert of %s to %s", from, to) // would round twice
	case rt.IsFloat(): // rounded in F64, which is exact
		if rf.IsInteger() {
			x = s.intToF64Sticky(rf, x)
		}
		x, rf = s.Each(len(x), func(p int) regalloc.Operand { return s.roundMantissa64(to, x[p]) }), dtype.F64
	}
	var r []regalloc.Operand
	switch {
	case rf == rt:
		r = x
	case rf == dtype.Bool:
		r = s.fromBool(rt, x[0])
	case rt == dtype.Bool:
		if rf.IsFloat() {
			return []regalloc.Operand{s.compare(kernel.NE, rf, x, s.Each(len(x),
				func(int) regalloc.Operand { return s.float(rf, 0) }))}
		}
		return []regalloc.Operand{s.compare(kernel.NE, rf, x,
			s.Each(len(x), func(int) regalloc.Operand { return s.Number(ElemBytes(rf), 0) }))}
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
		r = []regalloc.Operand{s.roundBF16(r[0], !rf.IsFloat())}
	case rt != to:
		r = s.round(to, r)
	}
	return r
}

// fromBool converts booleans to 1 and 0.
func (s *Selector) fromBool(t dtype.Type, mask regalloc.Operand) []regalloc.Operand {
	e := ElemBytes(t)
	one := s.Number(e, 1)
	if t.IsFloat() {
		one = s.float(t, 1)
	}
	masks := s.splitMask(t, mask)
	return s.Each(len(masks), func(p int) regalloc.Operand { return s.Blend(t, masks[p], one, s.Number(e, 0)) })
}

// floatToFloat converts between F32 and F64.
func (s *Selector) floatToFloat(from dtype.Type, x []regalloc.Operand) []regalloc.Operand {
	if from == dtype.F32 {
		half := s.halvesFor8(x[0])
		return s.Each(len(half), func(p int) regalloc.Operand { return s.To(asm.VCVTPS2PD, half[p]) })
	}
	return []regalloc.Operand{s.join32(s.Each(len(x), func(p int) regalloc.Operand {
		d := s.Vector()
		return s.Emit(asm.VCVTPD2PS, d.As(s.Half()), x[p])
	}))}
}

// halvesFor8 returns the 4-byte lanes of each part of a value of 8 bytes.
func (s *Selector) halvesFor8(x regalloc.Operand) []regalloc.Operand {
	if s.NumParts(dtype.F64) == 2 {
		return s.halves(x)
	}
	return []regalloc.Operand{x.As(s.Half())}
}

// join32 concatenates half vectors.
func (s *Selector) join32(half []regalloc.Operand) regalloc.Operand {
	low := half[0]
	low.Class = 0
	if len(half) == 1 {
		return low
	}
	return s.joinHalves(low, half[1])
}

// intToF64 converts integers of at most 4 bytes.
func (s *Selector) intToF64(t dtype.Type, x regalloc.Operand) []regalloc.Operand {
	half := s.halvesFor8(x)
	return s.Each(len(half), func(p int) regalloc.Operand {
		switch {
		case t.IsSigned() || t.Size() < 4:
			return s.To(asm.VCVTDQ2PD, half[p])
		case s.IsWide():
			return s.To(asm.VCVTUDQ2PD, half[p])
		}
		const magic = 0x1p52 // it adds the integer in its low bits
		bits := s.or(s.To(asm.VPMOVZXDQ, half[p]), s.float(dtype.F64, magic))
		return s.To(asm.VSUBPD, bits, s.float(dtype.F64, magic))
	})
}

// f64ToInt32 converts integral numbers between -2^31 and 2^32 to 4-byte integers, signed or unsigned.
func (s *Selector) f64ToInt32(x []regalloc.Operand) regalloc.Operand {
	return s.packLowHalves(s.Each(len(x), func(p int) regalloc.Operand {
		const magic = 0x1.8p52
		return s.To(asm.VADDPD, x[p], s.float(dtype.F64, magic))
	}))
}

// intToFloat rounds once.
func (s *Selector) intToFloat(from, to dtype.Type, x []regalloc.Operand) []regalloc.Operand {
	switch {
	case from.Size() <= 4 && to == dtype.F64:
		return s.intToF64(from, x[0])
	case from.Size() < 4 || from == dtype.S32:
		return []regalloc.Operand{s.To(asm.VCVTDQ2PS, x[0])}
	case from == dtype.U32 && s.IsWide():
		return []regalloc.Operand{s.To(asm.VCVTUDQ2PS, x[0])}
	case from == dtype.U32:
		return s.floatToFloat(dtype.F64, s.intToF64(from, x[0]))
	}
	signed := from.IsSigned()
	switch {
	case s.IsWide() && to == dtype.F64:
		return s.Each(len(x), func(p int) regalloc.Operand {
			if signed {
				return s.To(asm.VCVTQQ2PD, x[p])
			}
			return s.To(asm.VCVTUQQ2PD, x[p])
		})
	case s.IsWide() && (s.scalar || len(x) == 2):
		op := asm.VCVTUQQ2PS
		if signed {
			op = asm.VCVTQQ2PS
		}
		return []regalloc.Operand{s.join32(s.Each(len(x), func(p int) regalloc.Operand {
			return s.Emit(op, s.Vector().As(asm.YMM), x[p])
		}))}
	case to == dtype.F64:
		return s.Each(len(x), func(p int) regalloc.Operand { return s.int64ToF64(signed, x[p]) })
	case !s.IsWide() && to == dtype.F32:
		return s.floatToFloat(dtype.F64, s.Each(len(x), func(p int) regalloc.Operand {
			return s.int64ToF64(signed, s.stickyInt64(from, x[p]))
		}))
	}
	return s.Unsupported("convert of %s to %s", from, to)
}

// stickyInt64 shortens an integer so that it fits an F64 and rounds to F32 as before: the low bits of large numbers are
// reduced to a sticky bit.
func (s *Selector) stickyInt64(t dtype.Type, x regalloc.Operand) regalloc.Operand {
	const low = 1<<12 - 1
	zero := s.Number(8, 0)
	rest := s.Blend(t, s.compareInts(kernel.EQ, t, s.and(x, s.Number(8, low)), zero), zero, s.Number(8, 1<<11))
	sticky := s.or(s.and(x, s.Number(8, ^uint64(low))), rest)
	fits := s.compareInts(kernel.LT, dtype.U64, x, s.Number(8, 1<<53))
	if t.IsSigned() {
		fits = s.compareInts(kernel.LT, dtype.U64, s.To(asm.VPADDQ, x, s.Number(8, 1<<53)), s.Number(8, 1<<54))
	}
	return s.Blend(t, fits, x, sticky)
}

// int64ToF64 puts the halves of an integer into the low bits of two numbers, whose sum, rounded once, is the integer.
func (s *Selector) int64ToF64(signed bool, x regalloc.Operand) regalloc.Operand {
	const low, high = 0x1p52, 0x1p84
	mask := math.Float64bits(high)
	offset := math.Float64bits(high + low)
	if signed {
		mask ^= 1 << 31 // the upper half is biased by 2^31
		offset = math.Float64bits(high + low + 0x1p63)
	}
	top := s.xor(s.To(asm.VPSRLQ, x, regalloc.Imm(32)), s.Number(8, mask))
	rest := s.or(s.and(x, s.Number(8, 1<<32-1)), s.float(dtype.F64, low))
	return s.To(asm.VADDPD, s.To(asm.VSUBPD, top, s.Number(8, offset)), rest)
}

// intToF64Sticky converts an integer of at least 4 bytes to an F64 that rounds to a narrower type as the integer does.
func (s *Selector) intToF64Sticky(from dtype.Type, x []regalloc.Operand) []regalloc.Operand {
	if from.Size() < 8 {
		return s.intToF64(from, x[0])
	}
	return s.intToFloat(from, dtype.F64, s.Each(len(x), func(p int) regalloc.Operand {
		return s.stickyInt64(from,
			x[p])
	}))
}

// roundMantissa64 rounds an F64 to the mantissa of a narrower type at its exponent, as roundMantissa does an F32.
// Numbers beyond the range of any such type are unchanged.
func (s *Selector) roundMantissa64(t dtype.Type, x regalloc.Operand) regalloc.Operand {
	const f64, exponent, large = dtype.F64, 0x7ff << 52, 0x1p129
	smallest := math.Ldexp(1, 1-t.Bias())
	power := s.To(asm.VMAXPD, s.and(x, s.Number(8, exponent)), s.float(f64, smallest))
	power = s.To(asm.VMULPD, power, s.float(f64, math.Ldexp(1, f64.MantissaBits()-t.MantissaBits())))
	magnitude := s.and(x, s.Number(8, 1<<63-1))
	rounded := s.To(asm.VSUBPD, s.To(asm.VADDPD, magnitude, power), power)
	rounded = s.or(rounded, s.and(x, s.Number(8, 1<<63)))
	return s.Blend(f64, s.compareFloats(kernel.LT, f64, magnitude, s.float(f64, large)), rounded, x)
}

// floatToInt truncates and saturates; NaN becomes 0.
func (s *Selector) floatToInt(from, to dtype.Type, x []regalloc.Operand) []regalloc.Operand {
	if to.Size() == 8 && from == dtype.F64 {
		return s.Each(len(x), func(p int) regalloc.Operand { return s.f64ToInt64(to, x[p]) })
	}
	if from == dtype.F32 {
		if to.Size() >= 4 {
			return s.floatToInt(dtype.F64, to, s.floatToFloat(dtype.F32, x))
		}
		minInt, maxInt := s.float(from, float64(to.MinInt())), s.float(from, float64(to.MaxInt()))
		ordered := s.compareFloats(kernel.EQ, from, x[0], x[0])
		v := s.Blend(from, ordered, x[0], s.Number(4, 0))
		return []regalloc.Operand{s.To(asm.VCVTTPS2DQ, s.To(asm.VMINPS, s.To(asm.VMAXPS, v, minInt), maxInt))}
	}
	minInt, maxInt := s.float(from, float64(to.MinInt())), s.float(from, float64(to.MaxInt()))
	return []regalloc.Operand{s.f64ToInt32(s.Each(len(x), func(p int) regalloc.Operand {
		ordered := s.compareFloats(kernel.EQ, from, x[p], x[p])
		v := s.Blend(from, ordered, x[p], s.Number(8, 0))
		return s.roundTo(from, s.To(asm.VMINPD, s.To(asm.VMAXPD, v, minInt), maxInt), toZero)
	}))}
}

// f64ToInt64 truncates to 64-bit integers.
func (s *Selector) f64ToInt64(to dtype.Type, x regalloc.Operand) regalloc.Operand {
	const f64 = dtype.F64
	zero := s.float(f64, 0)
	limit, maxInt := s.float(f64, float64(to.MaxInt())), s.Number(8, to.MaxInt())
	if !to.IsSigned() {
		x = s.To(asm.VMAXPD, x, zero) // its second operand where x is NaN
		if s.IsWide() {
			return s.To(asm.VCVTTPD2UQQ, x) // all ones if it is too large
		}
		return s.Blend(to, s.compareFloats(kernel.GE, f64, x, limit), maxInt, s.f64ToBits64(x))
	}
	x = s.Blend(f64, s.compareFloats(kernel.EQ, f64, x, x), x, zero)
	large := s.compareFloats(kernel.GE, f64, x, limit)
	if s.IsWide() {
		return s.Blend(to, large, maxInt, s.To(asm.VCVTTPD2QQ, x)) // the minimum if it is too small
	}
	sign := s.shiftRightArithmetic(8, x, 63)
	bits := s.f64ToBits64(s.To(asm.VMINPD, s.and(x, s.Number(8, 1<<63-1)), limit))
	return s.Blend(to, large, maxInt, s.To(asm.VPSUBQ, s.xor(bits, sign), sign))
}

// f64ToBits64 truncates numbers from 0 to 2^64: each half of the integer is in the low bits of its sum with 2^52.
func (s *Selector) f64ToBits64(x regalloc.Operand) regalloc.Operand {
	const half, place = 0x1p32, 0x1p52
	x = s.roundTo(dtype.F64, x, toZero)
	upper := s.roundTo(dtype.F64, s.To(asm.VMULPD, x, s.float(dtype.F64, 1/half)), toZero)
	lower := s.Copy(x)
	s.Update(asm.VFNMADD231PD, lower, upper, s.float(dtype.F64, half))
	bits := func(x regalloc.Operand) regalloc.Operand { return s.To(asm.VADDPD, x, s.float(dtype.F64, place)) }
	return s.xor(s.To(asm.VPSLLQ, bits(upper), regalloc.Imm(32)), s.xor(bits(lower), s.float(dtype.F64, place)))
}

// intToInt extends or wraps.
func (s *Selector) intToInt(from, to dtype.Type, x []regalloc.Operand) []regalloc.Operand {
	switch {
	case ElemBytes(from) == ElemBytes(to):
		return s.Each(len(x), func(p int) regalloc.Operand {
			if ElemBytes(to) == 8 {
				return x[p]
			}
			return s.wrap(to, x[p])
		})
	case ElemBytes(from) == 8:
		if len(x) != 2 && !s.scalar {
			return s.Unsupported("convert of %s to %s", from, to)
		}
		return []regalloc.Operand{s.wrap(to, s.packLowHalves(x))}
	}
	op := asm.VPMOVZXDQ
	if from.IsSigned() {
		op = asm.VPMOVSXDQ
	}
	half := s.halvesFor8(x[0])
	return s.Each(len(half), func(p int) regalloc.Operand { return s.To(op, half[p]) })
}

// round rounds or wraps a value to a narrower type.
func (s *Selector) round(t dtype.Type, x []regalloc.Operand) []regalloc.Operand {
	switch {
	case t.IsInteger():
		return []regalloc.Operand{s.wrap(t, x[0])}
	case t == dtype.F16:
		return []regalloc.Operand{s.To(asm.VCVTPH2PS, s.bitsOfF16(x[0]))}
	case t == dtype.BF16:
		return []regalloc.Operand{s.roundBF16(x[0], false)}
	case IsFloat8(t):
		return []regalloc.Operand{s.RoundFloat8(t, x[0])}
	}
	return s.Unsupported("rounding to %s", t)
}

// roundMantissa rounds the magnitude of an F32 to the mantissa of a narrower type at its exponent: it adds and
// subtracts a power of two whose last place is that of the type. Infinities, NaN and some numbers beyond the range of
// any such type become NaN.
func (s *Selector) roundMantissa(t dtype.Type, x regalloc.Operand) regalloc.Operand {
	const exponent = 0xff << 23
	smallest := math.Ldexp(1, 1-t.Bias())
	power := s.To(asm.VMAXPS, s.and(x, s.Number(4, exponent)), s.float(dtype.F32, smallest))
	power = s.To(asm.VMULPS, power, s.float(dtype.F32, math.Ldexp(1, dtype.F32.MantissaBits()-t.MantissaBits())))
	return s.To(asm.VSUBPS, s.To(asm.VADDPS, s.magnitude(x), power), power)
}

// magnitude returns an F32 without its sign, withSign a magnitude with the sign of another number.
func (s *Selector) magnitude(x regalloc.Operand) regalloc.Operand {
	return s.and(x, s.Number(4, 1<<31-1))
}

func (s *Selector) withSign(x, magnitude regalloc.Operand) regalloc.Operand {
	return s.or(magnitude, s.and(x, s.Number(4, 1<<31)))
}

// bitsOfF16 rounds an F32 to F16 in half a vector.
func (s *Selector) bitsOfF16(x regalloc.Operand) regalloc.Operand {
	const toEven = 0
	return s.Emit(asm.VCVTPS2PH, s.Vector().As(s.Half()), x, regalloc.Imm(toEven))
}

// bitcast reinterprets bits between types of the same size.
func (s *Selector) bitcast(in *kernel.Instr, x []regalloc.Operand) []regalloc.Operand {
	from, to := in.From, in.Type
	switch {
	case from.Size() != to.Size() || from == dtype.Bool || to == dtype.Bool:
		return s.Unsupported("bitcast of %s to %s", from, to)
	case from == to:
		return x
	case hasNarrowBits(from) && hasNarrowBits(to):
		return s.fromNarrowBits(to, s.narrowBits(from, x[0]))
	case from.IsInteger() && hasNarrowBits(to):
		return s.fromNarrowBits(to, s.and(x[0], s.Number(4, 1<<to.Bits()-1)))
	case hasNarrowBits(from) && to.IsInteger():
		return []regalloc.Operand{s.wrap(to, s.narrowBits(from, x[0]))}
	case kernel.NeedsRound(from) || kernel.NeedsRound(to):
		return s.Unsupported("bitcast of %s to %s", from, to)
	}
	switch {
	case to.Size() < 4:
		return []regalloc.Operand{s.wrap(to, x[0])}
	case from == dtype.C64:
		return s.Interleave(x)
	case to == dtype.C64:
		return s.Deinterleave(x)
	}
	return x
}

// hasNarrowBits reports whether a narrow float can be converted to and from its bits.
func hasNarrowBits(t dtype.Type) bool { return t == dtype.F16 || t == dtype.BF16 || IsFloat8(t) }

// narrowBits returns the bits of a narrow float, zero-extended to 4-byte lanes.
func (s *Selector) narrowBits(t dtype.Type, x regalloc.Operand) regalloc.Operand {
	switch t {
	case dtype.F16:
		return s.To(asm.VPMOVZXWD, s.bitsOfF16(x))
	case dtype.BF16:
		return s.To(asm.VPSRLD, x, regalloc.Imm(16))
	}
	return s.Float8Bits(t, x)
}

// fromNarrowBits returns the narrow floats with such bits.
func (s *Selector) fromNarrowBits(t dtype.Type, x regalloc.Operand) []regalloc.Operand {
	switch t {
	case dtype.F16:
		return []regalloc.Operand{s.To(asm.VCVTPH2PS, s.lowWords(x))}
	case dtype.BF16:
		return []regalloc.Operand{s.To(asm.VPSLLD, x, regalloc.Imm(16))}
	}
	return []regalloc.Operand{s.fromFloat8(t, x)}
}
