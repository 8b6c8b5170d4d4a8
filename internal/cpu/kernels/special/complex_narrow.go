package special

import (
	"math"

	"github.com/go-nx/nx/internal/refmath"
)

// Functions of complex numbers with parts of 32 bits, whose squares are exact in 64 bits and neither overflow nor
// underflow there. The code generators expand each function into the same steps.

// sqrtNarrow computes the principal square root of x+iy, whose parts are 0 or have magnitudes from 2^-149 to 2^130.
func sqrtNarrow(x, y float64) (re, im float64) {
	t := math.Sqrt((absNarrow(x, y) + math.Abs(x)) * 0.5)
	u := y
	if t != 0 {
		u = y / (2 * t)
	}
	if x >= 0 {
		return t, u
	}
	return math.Abs(u), math.Copysign(t, y)
}

func absNarrow(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }

// CSqrtNarrow computes the principal square root.
func CSqrtNarrow(z complex128) complex128 {
	if !isFinite(z) {
		return refmath.CSqrt(z)
	}
	return complex(sqrtNarrow(real(z), imag(z)))
}

// CRsqrtNarrow computes 1/√z.
func CRsqrtNarrow(z complex128) complex128 {
	n := absNarrow(real(z), imag(z))
	if n == 0 || !isFinite(z) {
		return refmath.CRsqrt(z)
	}
	re, im := sqrtNarrow(real(z), imag(z))
	return complex(re/n, -im/n)
}

// CSignNarrow computes z/|z|.
func CSignNarrow(z complex128) complex128 {
	n := absNarrow(real(z), imag(z))
	switch {
	case !isFinite(z):
		return refmath.CSign(z)
	case n == 0:
		return 0
	}
	inverse := 1 / n
	return complex(float64(real(z)*inverse), float64(imag(z)*inverse))
}

// AtanTerms are the coefficients of (atan x − x)/x³ in x² for |x| ≤ tan π/8, with an error of 7e-18: interpolation at
// the zeros of a Chebyshev polynomial.
var AtanTerms = [11]float64{-0.3333333333333333, 0.1999999999999552, -0.14285714284666542, 0.11111111015256361,
	-0.09090904578123903, 0.07692183190826087, -0.06664511447381948, 0.0585814891280221, -0.0508544973794026,
	0.03923165829558719, -0.019176887119062257}

// TanEighth is tan π/8. Larger angles are computed relative to π/4.
const TanEighth = 0.41421356237309503

// Atan2Narrow computes the angle of the point (x, y), within 2 ulp. The quotient of the coordinates must be a normal
// number.
func Atan2Narrow(y, x float64) float64 {
	a, b := math.Abs(x), math.Abs(y)
	large, small := max(a, b), min(a, b)
	above, below, from := small, large, 0.0
	if small >= float64(large*TanEighth) && large > 0 {
		above, below, from = small-large, small+large, math.Pi/4
		if small == large { // both may be infinite
			above = 0
		}
	}
	if large == 0 {
		below = 1
	}
	t := above / below
	z, c := float64(t*t), &AtanTerms
	p := c[0] + float64(z*(c[1]+float64(z*(c[2]+float64(z*(c[3]+float64(z*(c[4]+float64(z*(c[5]+float64(z*(c[6]+
		float64(z*(c[7]+float64(z*(c[8]+float64(z*(c[9]+float64(z*c[10])))))))))))))))))))
	r := from + (t + float64(float64(t*z)*p))
	if b > a {
		r = math.Pi/2 - r
	}
	if math.Signbit(x) {
		r = math.Pi - r
	}
	return math.Copysign(r, y)
}

// AtanNarrow, AsinNarrow and AcosNarrow compute the inverses of the tangent, the sine and the cosine.
func AtanNarrow(x float64) float64 { return Atan2Narrow(x, 1) }

// AsinNarrow is described at [AtanNarrow].
func AsinNarrow(x float64) float64 { return Atan2Narrow(x, math.Sqrt(float64((1-x)*(1+x)))) }

// AcosNarrow is described at [AtanNarrow].
func AcosNarrow(x float64) float64 { return Atan2Narrow(math.Sqrt(float64((1-x)*(1+x))), x) }

// twoSumOf returns s and e with s + e = x + y.
func twoSumOf(x, y float64) (s, e float64) {
	s = x + y
	back := s - x
	return s, (x - (s - back)) + (y - back)
}

// CLogNarrow computes the principal logarithm: half of that of the sum of the squares, which is exact as two
// numbers.
func CLogNarrow(z complex128) complex128 {
	x, y := real(z), imag(z)
	h, lo := twoSumOf(float64(x*x), float64(y*y))
	if h == 0 || !isFinite(z) {
		return refmath.CLog(z)
	}
	return complex(log64(logTable64(), h, lo/h)*0.5, Atan2Narrow(y, x))
}

// CLog1pNarrow computes ln(1+z). The square of |1+z| is 1 + s, or near 0 the sum of the squares of the parts.
func CLog1pNarrow(z complex128) complex128 {
	x, y := real(z), imag(z)
	u, q := 1+x, float64(y*y)
	h, lo := twoSumOf(float64(u*u), q)
	if h == 0 || !isFinite(z) {
		return refmath.CLog1p(z)
	}
	if h >= 0.5 {
		s, e := twoSumOf(2*x, float64(x*x))
		s, e1 := twoSumOf(s, q)
		h, lo = twoSumOf(1, s)
		lo += e + e1
	}
	return complex(log64(logTable64(), h, lo/h)*0.5, Atan2Narrow(y, u))
}

// log1pOf computes ln(1+x) for x ≥ 0.
func log1pOf(x float64) float64 {
	u, lo := twoSumOf(1, x)
	return log64(logTable64(), u, lo/u)
}

// asinhOf computes the inverse hyperbolic sine for 0 ≤ x ≤ 2^260.
func asinhOf(x float64) float64 {
	q := float64(x * x)
	return log1pOf(x + q/(1+math.Sqrt(1+q)))
}

// CLogisticNarrow computes 1/(1+e^-z).
func CLogisticNarrow(z complex128) complex128 {
	if x := real(z); -300 < x && x < 300 && imag(z)-imag(z) == 0 {
		w := CExp(-z)
		u, v := 1+real(w), imag(w)
		n := float64(u*u) + float64(v*v)
		if q := complex(u/n, -v/n); isFinite(q) {
			return q
		}
	}
	return refmath.CLogistic(z)
}

// CPowNarrow computes z^w as exp(w·ln z). An absolute error of the exponent is a relative error of the result, so the
// exponent must not be large.
func CPowNarrow(z, w complex128) complex128 {
	if isFinite(z) && z != 0 && isFinite(w) {
		l := CLogNarrow(z)
		re := float64(real(w)*real(l)) - float64(imag(w)*imag(l))
		im := float64(real(w)*imag(l)) + float64(imag(w)*real(l))
		if math.Abs(re) < 300 && math.Abs(im) < 1<<20 && math.Abs(real(w))+math.Abs(imag(w)) < 1<<20 {
			return CExp(complex(re, im))
		}
	}
	return refmath.CPow(z, w)
}
