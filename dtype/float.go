package dtype

import "math"

// Float64 returns the number that the low t.Bits() bits of bits encode in the
// real float type t. Every number of every type is exact in a float64; a NaN
// comes out quiet, with its sign and payload where the format has them.
func (t Type) Float64(bits uint64) float64 {
	switch t {
	case F64:
		return math.Float64frombits(bits)
	case F32:
		return float64(math.Float32frombits(uint32(bits)))
	case BF16:
		return float64(math.Float32frombits(uint32(bits) << 16))
	}
	return t.format("Float64").decode(bits)
}

// FromFloat64 returns the bits of v in the real float type t, rounded once to the nearest number, ties to
// even. Values that t cannot represent:
//
//   - Beyond the largest number (after rounding), and ±Inf: infinity where t has
//     one (f8e3m4, f8e4m3, f8e5m2, bf16, f16, f32); otherwise NaN (f8e4m3fn, the
//     fnuz types, f8e8m0fnu); the largest number in the types below eight bits,
//     which have neither.
//   - NaN: the quiet NaN with v's sign and the top of its payload where t has
//     them; negative zero in the types below eight bits.
//   - Negative zero in the fnuz types: zero.
//   - f8e8m0fnu holds powers of two only: ties go up (its numbers have no even
//     mantissa), zero and what is too small become the smallest power, 2^-127,
//     negative numbers NaN.
//
// A value of a narrower type can be passed through float64 without a second
// rounding; one of a wider kind (a 64-bit integer) cannot, see [Convert].
func (t Type) FromFloat64(v float64) uint64 {
	switch t {
	case F64:
		return math.Float64bits(v)
	case F32:
		if v == v {
			return uint64(math.Float32bits(float32(v)))
		}
	case BF16:
		// Most values come from an f32, and then its top half needs rounding only.
		if s := float32(v); float64(s) == v {
			b := math.Float32bits(s)
			return uint64((b + 0x7fff + b>>16&1) >> 16)
		}
	}
	return t.format("FromFloat64").encode(v)
}

// The fields of a float64.
const (
	man64  = 52
	bias64 = 1023
	inf64  = 0x7ff << man64
)

// decode returns the number that bits encode.
func (f *format) decode(bits uint64) float64 {
	n := f.magnitudeBits()
	mag := bits & (1<<n - 1)
	sign := bits >> n & 1
	if f.flavour == exponents || f.flavour == noNegZero && mag == 0 {
		sign = 0 // there is no sign bit, or it makes the only NaN
	}
	man := mag & (1<<f.man - 1)
	exp := int(mag >> f.man)
	switch {
	case f.isNaN(bits):
		return math.Float64frombits(sign<<63 | inf64 | 1<<(man64-1) | man<<(man64-uint(f.man)))
	case f.flavour == ieee && mag == f.infinity():
		return math.Float64frombits(sign<<63 | inf64)
	case f.flavour == exponents:
		return pow2(exp - int(f.bias))
	case exp > 0:
		man |= 1 << f.man
	default:
		exp = 1
	}
	v := float64(man) * pow2(exp-int(f.bias)-int(f.man))
	if sign != 0 {
		return -v
	}
	return v
}

// pow2 returns 2^e for an e in the exponent range of normal float64 numbers.
func pow2(e int) float64 { return math.Float64frombits(uint64(e+bias64) << man64) }

// encode returns the bits of v, rounded to nearest even.
func (f *format) encode(v float64) uint64 {
	if f.flavour == exponents {
		return f.encodeExponent(v)
	}
	b := math.Float64bits(v)
	n := f.magnitudeBits()
	sign := b >> 63
	mag := b &^ (1 << 63)
	switch {
	case mag > inf64:
		return f.encodeNaN(sign, mag)
	case mag == inf64:
		return f.overflow(sign)
	}
	// Numbers below the normal float64 range fall through with a wrong leading
	// bit; they are far below half the smallest number of any format.
	sig := mag&(1<<man64-1) | 1<<man64
	exp := int(mag>>man64) - bias64 + int(f.bias)
	shift := uint(man64 - int(f.man)) // bits of sig below the last digit
	if exp < 1 {
		shift += uint(1 - exp)
		exp = 1
	}
	var out uint64
	if shift <= man64+1 {
		half := uint64(1) << (shift - 1)
		out = (sig + half - 1 + sig>>shift&1) >> shift
		// The leading one of a normal number, and a carry out of the mantissa,
		// add one to the exponent field.
		out += uint64(exp-1) << f.man
	}
	if out > f.largest() {
		return f.overflow(sign)
	}
	if out == 0 && f.flavour == noNegZero {
		return 0
	}
	return sign<<n | out
}

// encodeNaN returns the pattern of the NaN of a float64 of magnitude mag.
func (f *format) encodeNaN(sign, mag uint64) uint64 {
	bits := f.nan(sign)
	if f.flavour == ieee {
		bits |= mag &^ inf64 >> (man64 - uint(f.man))
	}
	return bits
}

// overflow returns the representation of a number beyond the largest one.
func (f *format) overflow(sign uint64) uint64 {
	switch f.flavour {
	case ieee:
		return sign<<f.magnitudeBits() | f.infinity()
	case finiteOnly:
		return sign<<f.magnitudeBits() | f.largest()
	}
	return f.nan(sign)
}

// encodeExponent is encode for formats of powers of two.
func (f *format) encodeExponent(v float64) uint64 {
	smallest := pow2(-int(f.bias))
	switch {
	case v != v || v < 0:
		return f.nan(0)
	case v <= smallest:
		return 0
	}
	b := math.Float64bits(v) + 1<<(man64-1) // half a unit: a mantissa of one half or more carries
	exp := b>>man64 - bias64 + uint64(f.bias)
	if exp > f.largest() {
		return f.nan(0)
	}
	return exp
}
