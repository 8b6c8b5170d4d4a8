package dtype

import "math"

// NextAfter returns the number of the real float type t that comes after x in
// the direction of y.
func (t Type) NextAfter(x, y float64) float64 {
	switch {
	case x != x || y != y:
		return math.NaN()
	case x == y:
		return y
	case x == 0 && !t.HasZero():
		return x
	case x == 0:
		return math.Copysign(t.Float64(1), y)
	}
	bits := t.FromFloat64(math.Abs(x))
	if math.Abs(y) > math.Abs(x) && math.Signbit(x) == math.Signbit(y) {
		bits++
	} else {
		bits--
	}
	return math.Copysign(t.Float64(bits), x)
}

// ReducePrecision rounds the bits of a number of the real float type t to the nearest value with the given
// number of mantissa bits, ties to even, and then flushes values outside of the exponent range to infinity or
// zero; there are no subnormal results. A NaN stays NaN, or becomes infinite without mantissa bits.
func (t Type) ReducePrecision(bits uint64, exponentBits, mantissaBits int) uint64 {
	v := t.Float64(bits)
	infinite := t.FromFloat64(math.Copysign(math.Inf(1), v))
	if v != v {
		if mantissaBits > 0 {
			return bits
		}
		return t.FromFloat64(math.Inf(1))
	}
	sign := uint64(0)
	if t.HasNegative() {
		sign = bits & (1 << (t.Bits() - 1))
	}
	m := t.MantissaBits()
	a := bits &^ sign
	if cut := m - mantissaBits; cut > 0 {
		last := uint64(1) << cut
		a += last>>1 - 1 + a>>cut&1
		a &^= last - 1
	}
	if exponentBits < t.ExponentBits() {
		bias := uint64(t.Bias())
		span := uint64(1)<<(exponentBits-1) - 1
		switch {
		case a>>m > bias+span:
			return infinite
		case a <= (bias-span)<<m|(1<<m-1) && a>>m <= bias-span:
			a = 0
		}
	}
	if largest := t.FromFloat64(t.MaxFinite()); a > largest && !math.IsInf(t.Float64(a), 0) {
		return infinite
	}
	if a == 0 {
		return t.FromFloat64(math.Copysign(0, v))
	}
	return a | sign
}
