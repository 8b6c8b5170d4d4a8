package dtype

import "fmt"

// flavour describes the use of the bit patterns that IEEE 754 assigns to infinities, NaNs and the negative
// zero.
type flavour uint8

const (
	ieee       flavour = iota // the largest exponent field holds infinity and NaNs
	nanOnly                   // "FN" with 8 bits: no infinity; magnitude of all ones is NaN
	finiteOnly                // "FN" below 8 bits: neither infinity nor NaN
	noNegZero                 // "FNUZ": no infinity; the pattern of the negative zero is the only NaN
	exponents                 // "FNU": an exponent field only: powers of two and one NaN
)

// format describes the bit pattern of a float type: from the top a sign bit
// (but for exponents), then exp bits of biased exponent, then man bits of
// mantissa. Finite patterns with exponent field E and mantissa M stand for
//
//	E > 0: (1 + M·2^-man) · 2^(E-bias)      normal
//	E = 0:      M·2^-man  · 2^(1-bias)      subnormal, zero
//
// and in flavour exponents for 2^(E-bias) also where E = 0.
type format struct {
	exp, man uint8
	bias     int16
	flavour  flavour
}

// formats describes the real float types. Sources: IEEE 754-2019 for f16 to
// f64; "FP8 Formats for Deep Learning" (arXiv 2209.05433) for e5m2 and e4m3fn;
// "8-bit Numerical Formats for Deep Neural Networks" (arXiv 2206.02915) for
// the fnuz types; the OCP Microscaling Formats specification 1.0 for the four-
// and six-bit types and e8m0fnu.
var formats = [numTypes]format{
	F4E2M1FN:      {2, 1, 1, finiteOnly},
	F6E2M3FN:      {2, 3, 1, finiteOnly},
	F6E3M2FN:      {3, 2, 3, finiteOnly},
	F8E3M4:        {3, 4, 3, ieee},
	F8E4M3:        {4, 3, 7, ieee},
	F8E4M3FN:      {4, 3, 7, nanOnly},
	F8E4M3FNUZ:    {4, 3, 8, noNegZero},
	F8E4M3B11FNUZ: {4, 3, 11, noNegZero},
	F8E5M2:        {5, 2, 15, ieee},
	F8E5M2FNUZ:    {5, 2, 16, noNegZero},
	F8E8M0FNU:     {8, 0, 127, exponents},
	BF16:          {8, 7, 127, ieee},
	F16:           {5, 10, 15, ieee},
	F32:           {8, 23, 127, ieee},
	F64:           {11, 52, 1023, ieee},
}

// format returns the description of a real float type. Asking for that of
// another type is a mistake in the caller's code.
func (t Type) format(method string) *format {
	if !t.IsFloat() {
		panic(fmt.Sprintf("dtype: %s called for %s, which is not a real floating-point type", method, t))
	}
	return &formats[t]
}

// magnitudeBits returns the number of bits below the sign.
func (f *format) magnitudeBits() uint { return uint(f.exp) + uint(f.man) }

// infinity returns the magnitude of the infinity of an ieee format.
func (f *format) infinity() uint64 { return (1<<f.exp - 1) << f.man }

// largest returns the magnitude of the largest finite number.
func (f *format) largest() uint64 {
	all := uint64(1)<<f.magnitudeBits() - 1
	switch f.flavour {
	case ieee:
		return f.infinity() - 1
	case nanOnly, exponents:
		return all - 1
	}
	return all
}

// nan returns the pattern of a NaN with the given sign, or of the negative
// zero in a format that has no NaN.
func (f *format) nan(sign uint64) uint64 {
	n := f.magnitudeBits()
	switch f.flavour {
	case ieee:
		return sign<<n | f.infinity() | 1<<(f.man-1)
	case nanOnly:
		return sign<<n | (1<<n - 1)
	case exponents:
		return 1<<n - 1
	}
	return 1 << n
}

// isNaN reports whether the pattern bits is a NaN.
func (f *format) isNaN(bits uint64) bool {
	n := f.magnitudeBits()
	mag := bits & (1<<n - 1)
	switch f.flavour {
	case ieee:
		return mag > f.infinity()
	case nanOnly, exponents:
		return mag == 1<<n-1
	case noNegZero:
		return bits&(1<<(n+1)-1) == 1<<n
	}
	return false
}
