package kernels

import (
	"math"

	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/internal/refmath"
)

// The special functions of this file compute in float64, within a few units in the last place or, near their zeros, in
// that of 1. Slow-path arguments are left to package refmath, which is accurate everywhere and a hundred times slower.

// zetaTerms is the number of terms before the Euler–Maclaurin formula, whose factors are zetaSeries, B(2k)/(2k)!.
const zetaTerms = 10

var zetaSeries = [...]float64{
	1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160, -691.0 / 1307674368000, 1.0 / 74724249600,
	-3617.0 / 10670622842880000, 43867.0 / 5109094217170944000, -174611.0 / 802857662698291200000,
	77683.0 / 14101100039391805440000}

// ZetaNarrow is [Zeta] for results of at most 32 bits. Integer powers are products, and terms are summed until the
// formula is accurate.
func ZetaNarrow(x, q float64) float64 {
	const minRatio, from = 0x1p-20, 9
	if n := int(x); n >= 2 && n <= 12 && float64(n) == x && q > -1024 && q < 1e10 {
		sum, largest, at := 0.0, 0.0, q
		for ; at < from; at++ {
			t := intPower(1/at, n)
			sum, largest = sum+t, max(largest, math.Abs(t))
		}
		inv := 1 / at
		p := intPower(inv, n)
		r := sum + (float64(float64(p*at)/(x-1)) + float64(p*zetaTail(x, inv, 0x1p-34)))
		if a := math.Abs(r); a > minRatio*largest && a < 0x1p300 {
			return r
		}
	}
	return Zeta(x, q)
}

// intPower returns x^n by squaring.
func intPower(x float64, n int) float64 {
	r := 1.0
	for ; n > 1; n /= 2 {
		if n%2 == 1 {
			r = float64(r * x)
		}
		x = float64(x * x)
	}
	return float64(r * x)
}

// zetaTail returns the sum of the Euler–Maclaurin formula in units of its first power, up to terms below minTerm of it.
func zetaTail(x, inv, minTerm float64) float64 {
	t, r := float64(x*inv), 0.5
	for k, c := range zetaSeries {
		d := float64(t * c)
		r += d
		if math.Abs(d) < r*minTerm {
			break
		}
		n := float64(2*k + 1)
		t *= float64((x+n)*inv) * float64((x+n+1)*inv)
	}
	return r
}

// Zeta computes the Hurwitz zeta function.
func Zeta(x, q float64) float64 {
	if q < 0 {
		return zetaNegative(x, q)
	}
	if !(x > 1 && x < 1e4 && q > 0x1p-100 && q < 1e100) {
		return refmath.Zeta(x, q)
	}
	logs := logTable64()
	// power returns (q+i)^-x and q+i. The rounding error of q+i counts x times.
	power := func(i int) (p, at float64) {
		at, error := twoSum(q, float64(i))
		p = pow64(logs, at, -x)
		return p - float64(p*float64(x*(error/at))), at
	}
	sum, rest := 0.0, 0.0 // rest has the rounding errors
	for i := range zetaTerms {
		t, _ := power(i)
		s := sum + t
		if t > sum {
			rest += (t - s) + sum
		} else {
			rest += (sum - s) + t
		}
		if sum = s; t < sum*0x1p-60 || t == 0 {
			break
		}
	}
	if !(sum >= 0x1p-900 && sum <= 0x1p900) { // terms may have left the range
		return refmath.Zeta(x, q)
	}
	p, q := power(zetaTerms)
	if p < sum*0x1p-70 {
		return sum + rest
	}
	r := zetaTail(x, 1/q, 0x1p-58)
	return sum + (rest + (float64(float64(p*q)/(x-1)) + float64(p*r)))
}

// zetaNegative computes ζ(x, q) of a negative q, for which x is an integer. The terms before the first positive q+n = f
// are summed directly, or as ζ(x, 1-f) - ζ(x, 1-q); ζ(x, f) is added.
func zetaNegative(x, q float64) float64 {
	const direct = 16
	first := math.Ceil(-q)
	f, error := twoSum(q, first) // exact, except above -½
	if !(x > 1 && x <= 64 && x == math.Trunc(x) && q < -0x1p-100 && q > -0x1p52 && f > 0) {
		return refmath.Zeta(x, q)
	}
	before := 0.0
	if first > direct {
		before = Zeta(x, 1-f) - Zeta(x, 1-q)
	} else {
		logs := logTable64()
		for at := -q; at > 0; at-- {
			before += pow64(logs, at, -x)
		}
	}
	if math.Mod(x, 2) != 0 {
		before = -before
	}
	from := Zeta(x, f)
	from -= float64(from * float64(x*(error/f)))
	r := before + from
	// Terms of both signs may cancel, or leave the range.
	if a := math.Abs(r); !(a > 0.5*max(from, math.Abs(before)) && a < 0x1p900) {
		return refmath.Zeta(x, q)
	}
	return r
}

// Polygamma computes the n-th derivative of [Digamma], (-1)^(n+1) n! ζ(n+1, x).
func Polygamma(n, x float64) float64 { return polygamma(n, x, Zeta) }

// PolygammaNarrow is [Polygamma] for results of at most 32 bits.
func PolygammaNarrow(n, x float64) float64 { return polygamma(n, x, ZetaNarrow) }

func polygamma(n, x float64, zeta func(x, q float64) float64) float64 {
	switch {
	case n == 0:
		return Digamma(x)
	case !(n > 0 && n <= 20 && n == math.Trunc(n) && math.Abs(x) > 1e-10 && math.Abs(x) < 1e10):
		return refmath.Polygamma(n, x)
	}
	f := 1.0
	for k := 2.0; k <= n; k++ {
		f *= k
	}
	if int(n)%2 == 0 {
		f = -f
	}
	return f * zeta(n+1, x)
}

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
