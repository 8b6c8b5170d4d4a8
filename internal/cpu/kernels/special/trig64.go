package special

import (
	"math"

	"github.com/go-nx/nx/internal/refmath"
)

// Sine, cosine and tangent of float64: the angle minus a multiple of π/2 as a sum of two numbers, then polynomials for
// |r| ≤ π/4. Sines are within 0.7 ulp, tangents within 2.

const (
	// π/2 in three parts, the first two of 33 bits: their products with integers below 2^20 are exact. The rest is
	// below 2^-120.
	halfPi1 = 0x1.921fb544p0
	halfPi2 = 0x1.0b4611a6p-34
	halfPi3 = 0x1.3198a2e037073p-69

	// Angles below middleAngle, and farther than n·nearHalfPi from n·π/2, are reduced by those parts, with a relative
	// error of 2^-58; others by refmath.
	middleAngle = 1 << 20
	nearHalfPi  = 0x1p-61
)

// Sine64 has the coefficients of sines and cosines of float64, for expansions: the terms of sin r after the first and
// of cos r after the first two.
var Sine64 = struct {
	HalfPi                              [3]float64
	RoundToInt, MiddleAngle, NearHalfPi float64
	Sin, Cos                            []float64
}{[3]float64{halfPi1, halfPi2, halfPi3}, roundToInt, middleAngle, nearHalfPi,
	[]float64{-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000},
	[]float64{1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200,
		1.0 / 20922789888000}}

// angle64 returns q and r+lo with x = q·π/2 + r + lo (modulo 2π), |r| ≤ 0.79; NaN for arguments that are not finite.
func angle64(x float64) (q uint64, r, lo float64) {
	a := math.Abs(x)
	if a <= math.Pi/4 {
		return 0, x, 0
	}
	if a < middleAngle {
		t := float64(x*(2/math.Pi)) + roundToInt
		n := t - roundToInt
		r := x - float64(n*halfPi1) // exact
		w := float64(n * halfPi2)   // exact
		h := r - w
		back := r - h
		e := (r - (h + back)) + (back - w) // h + e = r - w
		e -= float64(n * halfPi3)
		if math.Abs(h) > math.Abs(n)*nearHalfPi {
			s := h + e
			return math.Float64bits(t), s, e - (s - h)
		}
	}
	if x-x != 0 {
		return 0, math.NaN(), 0
	}
	n, r, lo := refmath.ReduceAngle(x)
	return uint64(n), r, lo
}

// sinSmall computes sin(r+lo).
func sinSmall(r, lo float64) float64 { return r + sinRest(r, lo) }

// sinRest computes sin(r+lo) - r by Taylor's series, with an error of 2e-19.
func sinRest(r, lo float64) float64 {
	z := float64(r * r)
	p := -1.0/6 + float64(z*(1.0/120+float64(z*(-1.0/5040+float64(z*(1.0/362880+float64(z*(-1.0/39916800+
		float64(z*(1.0/6227020800+float64(z*(-1.0/1307674368000))))))))))))
	return float64(float64(r*z)*p) + float64(lo*(1-z/2))
}

// cosSmall computes cos(r+lo).
func cosSmall(r, lo float64) float64 {
	w, rest := cosParts(r, lo)
	return w + rest
}

// cosParts computes cos(r+lo) as a sum by Taylor's series, with an error of 2e-18.
func cosParts(r, lo float64) (w, rest float64) {
	z := float64(r * r)
	p := 1.0/24 + float64(z*(-1.0/720+float64(z*(1.0/40320+float64(z*(-1.0/3628800+float64(z*(1.0/479001600+
		float64(z*(-1.0/87178291200+float64(z*(1.0/20922789888000))))))))))))
	half := z / 2
	w = 1 - half
	return w, ((1 - w) - half) + (float64(float64(z*z)*p) - float64(r*lo))
}

// sin64 computes sin(x + quarters·π/2).
func sin64(x float64, quarters uint64) float64 {
	q, r, lo := angle64(x)
	return sineOf(q+quarters, r, lo)
}

func sineOf(q uint64, r, lo float64) float64 {
	var s float64
	switch {
	case q&1 != 0:
		s = cosSmall(r, lo)
	case lo == 0 && math.Abs(r) < 0x1p-26: // ±0 too
		s = r
	default:
		s = sinSmall(r, lo)
	}
	if q&2 != 0 {
		return -s
	}
	return s
}

// Sincos64 computes sine and cosine.
func Sincos64(x float64) (sin, cos float64) {
	q, r, lo := angle64(x)
	return sineOf(q, r, lo), sineOf(q+1, r, lo)
}

// sincosSum computes sine and cosine of x + low for a small low.
func sincosSum(x, low float64) (sin, cos float64) {
	q, r, lo := angle64(x)
	r, lo = twoSum(r, lo+low)
	return sineOf(q, r, lo), sineOf(q+1, r, lo)
}

// SinF64 computes the sine.
func SinF64(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = sin64(x, 0)
	}
}

// CosF64 computes the cosine.
func CosF64(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = sin64(x, 1)
	}
}

// TanF64 computes the tangent.
func TanF64(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		if math.Abs(x) < 0x1p-27 { // ±0 too
			dst[i] = x
			continue
		}
		q, r, lo := angle64(x)
		s, sRest := twoParts(r, sinRest(r, lo))
		c, cRest := twoParts(cosParts(r, lo))
		if q&1 != 0 {
			s, sRest, c, cRest = -c, -cRest, s, sRest
		}
		t := s / c
		dst[i] = t + ((math.FMA(-t, c, s)+sRest)-float64(t*cRest))/c
	}
}

// twoParts returns a+b as a float and its rounding error, for |a| ≥ |b|.
func twoParts(a, b float64) (sum, rest float64) {
	sum = a + b
	return sum, b - (sum - a)
}
