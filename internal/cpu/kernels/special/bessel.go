package special

import (
	"math"

	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/internal/refmath"
)

// The special functions of this file compute in float64, within a few units in the last place or, near their zeros, in
// that of 1. Slow-path arguments are left to package refmath, which is accurate everywhere and a hundred times slower.

// BesselI0e computes e^-|x| I₀(x): up to 8 by the power series, NIST DLMF 10.25.2, whose
// terms are positive, beyond by a Chebyshev series of 1/x.
func BesselI0e(x float64) float64 {
	switch a := math.Abs(x); {
	case a <= 8:
		return besselSeries(i0Terms(), a) * exp64(-a)
	case a <= math.MaxFloat64:
		return chebyshev(i0eLarge, 16/a-1) / math.Sqrt(a)
	}
	return refmath.BesselI0e(x)
}

// BesselI1e computes e^-|x| I₁(x), as [BesselI0e].
func BesselI1e(x float64) float64 {
	switch a := math.Abs(x); {
	case a <= 0x1p-1000:
		return x / 2
	case a <= 8:
		return x / 2 * (besselSeries(i1Terms(), a) * exp64(-a))
	case a <= math.MaxFloat64:
		return math.Copysign(chebyshev(i1eLarge, 16/a-1)/math.Sqrt(a), x)
	}
	return refmath.BesselI1e(x)
}

// i0Terms and i1Terms are 1/(k! k!) and 1/(k! (k+1)!).
var i0TermsOf, i1TermsOf lazy.Value[*[30]float64]

func i0Terms() *[30]float64 { return i0TermsOf.Get(func() *[30]float64 { return besselTerms(0) }) }
func i1Terms() *[30]float64 { return i1TermsOf.Get(func() *[30]float64 { return besselTerms(1) }) }

func besselTerms(order float64) *[30]float64 {
	c := &[30]float64{1}
	for k := 1; k < len(c); k++ {
		c[k] = c[k-1] / (float64(k) * (float64(k) + order))
	}
	return c
}

// besselSeries sums c[k] (a²/4)^k.
func besselSeries(c *[30]float64, a float64) float64 {
	q, sum := float64(a*a)/4, 0.0
	for k := len(c) - 1; k >= 0; k-- {
		sum = float64(sum*q) + c[k]
	}
	return sum
}

// BesselSeries returns the coefficients of [BesselI0e] or, of order 1, of [BesselI1e]: of powers of a²/4 up to 8, and
// of the Chebyshev polynomials of 16/a - 1 beyond.
func BesselSeries(order int) (small, large []float64) {
	if order == 0 {
		return i0Terms()[:], i0eLarge
	}
	return i1Terms()[:], i1eLarge
}

// BesselI0eNarrow is [BesselI0e] for results of at most 32 bits, with a relative error of 2^-36.
func BesselI0eNarrow(x float64) float64 {
	switch a := math.Abs(x); {
	case a <= 8:
		return polynomial(i0eSmall(), a/4-1)
	case a <= math.MaxFloat64:
		return polynomial(i0eLargeNarrow(), 16/a-1) / math.Sqrt(a)
	}
	return refmath.BesselI0e(x)
}

// BesselI1eNarrow is [BesselI1e] for results of at most 32 bits, as [BesselI0eNarrow].
func BesselI1eNarrow(x float64) float64 {
	switch a := math.Abs(x); {
	case a <= 8:
		return x * polynomial(i1eSmall(), a/4-1)
	case a <= math.MaxFloat64:
		return math.Copysign(polynomial(i1eLargeNarrow(), 16/a-1)/math.Sqrt(a), x)
	}
	return refmath.BesselI1e(x)
}

// The series of the narrow functions, by powers.
var (
	i0eSmallSeries, i1eSmallSeries             lazy.Value[*Series]
	i0eLargeNarrowSeries, i1eLargeNarrowSeries lazy.Value[*Series]
)

func i0eSmall() *Series { return i0eSmallSeries.Get(func() *Series { return powers(i0eNear) }) }
func i1eSmall() *Series { return i1eSmallSeries.Get(func() *Series { return powers(i1eNear) }) }

func i0eLargeNarrow() *Series {
	return i0eLargeNarrowSeries.Get(func() *Series { return powers(i0eLarge[:12]) })
}

func i1eLargeNarrow() *Series {
	return i1eLargeNarrowSeries.Get(func() *Series { return powers(i1eLarge[:12]) })
}

// BesselNarrow returns the series of [BesselI0eNarrow] or, of order 1, of [BesselI1eNarrow]: in a/4 - 1 up to 8, and in
// 16/a - 1 beyond.
func BesselNarrow(order int) (near, far Series) {
	if order == 0 {
		return *i0eSmall(), *i0eLargeNarrow()
	}
	return *i1eSmall(), *i1eLargeNarrow()
}

// Series holds the coefficients of the even and of the odd powers: two independent sums.
type Series struct{ Even, Odd []float64 }

// powers converts a Chebyshev series with an even number of terms to powers of t, by T[k+1] = 2t T[k] - T[k-1].
func powers(c []float64) *Series {
	n := len(c)
	sum, last, next := make([]float64, n), make([]float64, n), make([]float64, n)
	last[0], next[1] = 1, 1
	for i := range c {
		for k := range sum {
			sum[k] += float64(c[i] * last[k])
		}
		after := make([]float64, n)
		for k := range after {
			after[k] = -last[k]
			if k > 0 {
				after[k] += 2 * next[k-1]
			}
		}
		last, next = next, after
	}
	s := &Series{}
	for k := 0; k < n; k += 2 {
		s.Even, s.Odd = append(s.Even, sum[k]), append(s.Odd, sum[k+1])
	}
	return s
}

func polynomial(s *Series, t float64) float64 {
	q, even, odd := float64(t*t), 0.0, 0.0
	coeffs := s.Odd[:len(s.Even)]
	for k := len(coeffs) - 1; k >= 0; k-- {
		even = float64(even*q) + s.Even[k]
		odd = float64(odd*q) + coeffs[k]
	}
	return even + float64(t*odd)
}

// polynomials sums a series for four numbers as independent sums, which takes half of the time of one at a time.
func polynomials(s *Series, t *[4]float64) {
	q0, q1, q2, q3 := float64(t[0]*t[0]), float64(t[1]*t[1]), float64(t[2]*t[2]), float64(t[3]*t[3])
	var e0, e1, e2, e3, o0, o1, o2, o3 float64
	coeffs := s.Odd[:len(s.Even)]
	for k := len(coeffs) - 1; k >= 0; k-- {
		even, odd := s.Even[k], coeffs[k]
		e0, e1, e2, e3 = float64(e0*q0)+even, float64(e1*q1)+even, float64(e2*q2)+even, float64(e3*q3)+even
		o0, o1, o2, o3 = float64(o0*q0)+odd, float64(o1*q1)+odd, float64(o2*q2)+odd, float64(o3*q3)+odd
	}
	t[0], t[1] = e0+float64(t[0]*o0), e1+float64(t[1]*o1)
	t[2], t[3] = e2+float64(t[2]*o2), e3+float64(t[3]*o3)
}

// BesselI0eF32 computes [BesselI0eNarrow] of a slice, to the same bits.
func BesselI0eF32(dst, src []float32) { besselF32(dst, src, i0eSmall(), false, BesselI0eNarrow) }

// BesselI1eF32 computes [BesselI1eNarrow] of a slice, to the same bits.
func BesselI1eF32(dst, src []float32) { besselF32(dst, src, i1eSmall(), true, BesselI1eNarrow) }

// besselF32 computes f of a slice. Four numbers of at most 8 are computed together by the series small, times the
// number if f is odd.
func besselF32(dst, src []float32, small *Series, odd bool, f func(x float64) float64) {
	dst = dst[:len(src)]
	for len(src) >= 4 {
		if t, ok := nearFour(src); ok {
			polynomials(small, &t)
			for i, p := range t {
				if odd {
					p = float64(float64(src[i]) * p)
				}
				dst[i] = float32(p)
			}
		} else {
			for i, x := range src[:4] {
				dst[i] = float32(f(float64(x)))
			}
		}
		dst, src = dst[4:], src[4:]
	}
	for i, x := range src {
		dst[i] = float32(f(float64(x)))
	}
}

// nearFour returns the series arguments of the first four numbers, and whether all four are at most 8.
func nearFour(x []float32) (t [4]float64, ok bool) {
	ok = true
	for i, v := range x[:4] {
		a := math.Abs(float64(v))
		t[i], ok = a/4-1, ok && a <= 8
	}
	return t, ok
}

// chebyshev sums c[0] + c[1] T₁(t) + c[2] T₂(t) + … by Clenshaw's recurrence.
func chebyshev(c []float64, t float64) float64 {
	b1, b2 := 0.0, 0.0
	for i := len(c) - 1; i > 0; i-- {
		b1, b2 = float64(2*t*b1)-b2+c[i], b1
	}
	return float64(t*b1) - b2 + c[0]
}
