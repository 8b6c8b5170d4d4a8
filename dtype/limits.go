package dtype

import "fmt"

// MinInt returns the smallest number of an integer type: -8 for S4, 0 for U8 and Bool.
func (t Type) MinInt() int64 {
	t.wantInt("MinInt")
	if t.IsSigned() {
		return -1 << (t.Bits() - 1)
	}
	return 0
}

// MaxInt returns the largest number of an integer type: 7 for S4, 1 for Bool.
func (t Type) MaxInt() uint64 {
	t.wantInt("MaxInt")
	if t.IsSigned() {
		return 1<<(t.Bits()-1) - 1
	}
	return 1<<t.Bits() - 1
}

// wantInt panics where t is neither an integer type nor Bool: the caller mixed
// up types.
func (t Type) wantInt(method string) {
	if !t.IsInteger() && t != Bool {
		panic(fmt.Sprintf("dtype: %s called for %s, which is neither an integer type nor bool", method, t))
	}
}

// ExponentBits returns the width of the exponent field of a real float type.
func (t Type) ExponentBits() int { return int(t.format("ExponentBits").exp) }

// MantissaBits returns the width of the mantissa field of a real float type,
// the leading one left out: 23 for F32.
func (t Type) MantissaBits() int { return int(t.format("MantissaBits").man) }

// Bias returns the bias of the exponent field of a real float type.
func (t Type) Bias() int { return int(t.format("Bias").bias) }

// HasInf reports whether a real float type has infinities.
func (t Type) HasInf() bool { return t.format("HasInf").flavour == ieee }

// HasNaN reports whether a real float type has a NaN.
func (t Type) HasNaN() bool { return t.format("HasNaN").flavour != finiteOnly }

// HasNegative reports whether a real float type has numbers below zero.
func (t Type) HasNegative() bool { return t.format("HasNegative").flavour != exponents }

// HasZero reports whether a real float type has a zero: all but F8E8M0FNU.
func (t Type) HasZero() bool { return t.format("HasZero").flavour != exponents }

// HasNegativeZero reports whether a real float type distinguishes -0 from 0.
func (t Type) HasNegativeZero() bool {
	f := t.format("HasNegativeZero").flavour
	return f != exponents && f != noNegZero
}

// MaxFinite returns the largest finite number of a real float type.
func (t Type) MaxFinite() float64 {
	return t.Float64(t.format("MaxFinite").largest())
}

// MinFinite returns the lowest finite number of a real float type: -MaxFinite
// where it has negative numbers.
func (t Type) MinFinite() float64 {
	if t.format("MinFinite").flavour == exponents {
		return t.SmallestNormal()
	}
	return -t.MaxFinite()
}

// SmallestNormal returns the smallest positive number of a real float type
// that has its full precision.
func (t Type) SmallestNormal() float64 {
	f := t.format("SmallestNormal")
	if f.flavour == exponents {
		return f.decode(0)
	}
	return t.Float64(1 << f.man)
}

// SmallestSubnormal returns the smallest positive number of a real float type.
func (t Type) SmallestSubnormal() float64 {
	f := t.format("SmallestSubnormal")
	if f.flavour == exponents {
		return f.decode(0)
	}
	return t.Float64(1)
}

// Epsilon returns the distance from 1 to the next larger number of a real
// float type.
func (t Type) Epsilon() float64 { return pow2(-t.MantissaBits()) }
