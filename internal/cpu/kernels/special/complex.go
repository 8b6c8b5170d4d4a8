package special

import (
	"math"

	"github.com/go-nx/nx/internal/refmath"
)

// Functions of complex numbers, composed of the real functions of this package: within 4 units in the last place of the
// larger part. Names that end in Narrow take arguments with parts of at most 32 bits, or round results to such parts:
// they rely on the spare exponents of float64. Where a result or an intermediate value is not finite, package refmath
// has the tables of C99 and a wider exponent range.

func isFinite(z complex128) bool { return real(z)-real(z) == 0 && imag(z)-imag(z) == 0 }

// isMidRange reports whether squares of the parts and their sums neither overflow nor lose digits: neither part is
// large, and at least one is not small.
func isMidRange(z complex128) bool {
	a := max(math.Abs(real(z)), math.Abs(imag(z)))
	return 0x1p-480 < a && a < 0x1p480
}

// CAbs computes |z|, within 0.6 ulp.
func CAbs(z complex128) float64 {
	a, b := math.Abs(real(z)), math.Abs(imag(z))
	if a < b {
		a, b = b, a
	}
	if !isMidRange(z) {
		return refmath.CAbs(z)
	}
	// One step of Newton on the error of the squares, which are exact as sums.
	p, q := float64(a*a), float64(b*b)
	h := math.Sqrt(p + q)
	off := math.FMA(h, h, -p) - q // h² - a²
	off += math.FMA(-a, a, p) + math.FMA(-b, b, q)
	return h - off/(2*h)
}

// CAbs64 computes |z| for parts that are float32s, whose squares are exact: within 0.51 ulp of a float32.
func CAbs64(z complex128) float64 {
	r := math.Sqrt(float64(real(z)*real(z)) + float64(imag(z)*imag(z)))
	if r != r { // an infinity and a NaN give ∞
		return CAbs(z)
	}
	return r
}

// CMul multiplies without fusing multiplications and additions.
func CMul(z, w complex128) complex128 {
	p := complex(float64(real(z)*real(w))-float64(imag(z)*imag(w)), float64(real(z)*imag(w))+float64(imag(z)*real(w)))
	if isFinite(p) {
		return p
	}
	return refmath.CMul(z, w)
}

// CDiv divides (R. Smith's method, doi:10.1145/368637.368661).
func CDiv(z, w complex128) complex128 {
	a, b, c, d := real(z), imag(z), real(w), imag(w)
	switch {
	case !isMidRange(w) || !isMidRange(z) && z != 0:
		return refmath.CDiv(z, w)
	case z == 0: // keeps the signs of zeros
		return complex(float64(a*c)+float64(b*d), float64(b*c)-float64(a*d))
	}
	if math.Abs(c) >= math.Abs(d) {
		r := d / c
		den := c + float64(d*r)
		return complex((a+float64(b*r))/den, (b-float64(a*r))/den)
	}
	r := c / d
	den := d + float64(c*r)
	return complex((b+float64(a*r))/den, (float64(b*r)-a)/den)
}

// CDivNarrow divides; its inner products are exact.
func CDivNarrow(z, w complex128) complex128 {
	a, b, c, d := real(z), imag(z), real(w), imag(w)
	n := float64(c*c) + float64(d*d)
	q := complex((float64(a*c)+float64(b*d))/n, (float64(b*c)-float64(a*d))/n)
	if isFinite(q) && isFinite(w) {
		return q
	}
	return refmath.CDiv(z, w)
}

// CExp computes the exponential.
func CExp(z complex128) complex128 {
	if x := real(z); x > -700 && x < 700 || x < -746 {
		e := 0.0
		if x > -700 {
			e = exp64(x)
		}
		s, c := Sincos64(imag(z))
		if w := complex(e*c, e*s); isFinite(w) {
			return w
		}
	}
	return refmath.CExp(z)
}

// abs2Sum returns |z|² of a mid-range z as a number and a small correction.
func abs2Sum(z complex128) (h, lo float64) {
	x, y := real(z), imag(z)
	p, q := float64(x*x), float64(y*y)
	h, lo = twoSum(p, q)
	return h, lo + (math.FMA(x, x, -p) + math.FMA(y, y, -q))
}

// CLog computes the principal logarithm: half of that of the sum of the squares, which is exact as two numbers.
func CLog(z complex128) complex128 {
	if !isMidRange(z) {
		return refmath.CLog(z)
	}
	h, lo := abs2Sum(z)
	angle := pointAngle(math.Abs(imag(z)), 0, real(z), 0)
	return complex(log64(logTable64(), h, lo/h)*0.5, math.Copysign(angle, imag(z)))
}

// CPow computes z^w as exp(w·ln z), with the logarithm as the sum of two numbers. The angle of z has an error of 2^-56,
// which is multiplied by w: the result is within 4 + |w|/8 units in the last place.
func CPow(z, w complex128) complex128 {
	u, v := real(w), imag(w)
	switch {
	case z == 0 && u > 0:
		return 0
	case !isMidRange(z) || !isFinite(w):
		return refmath.CPow(z, w)
	}
	h, q := abs2Sum(z)
	l, lRest := logSum(logTable64(), h)
	l, lRest = twoSum(l*0.5, (lRest+q/h)*0.5)
	angle, aRest := twoParts(pointAngleSum(math.Abs(imag(z)), 0, real(z), 0))
	angle, aRest = math.Copysign(1, imag(z))*angle, math.Copysign(1, imag(z))*aRest
	re, reRest := dotSum(u, l, lRest, -v, angle, aRest)
	im, imRest := dotSum(u, angle, aRest, v, l, lRest)
	if !(math.Abs(re) < 700 && math.Abs(im) < middleAngle) {
		return refmath.CPow(z, w)
	}
	e := exp64Sum(re, reRest)
	s, c := sincosSum(im, imRest)
	if w == 0 || imag(z) == 0 && v == 0 && (real(z) >= 0 || u == math.Floor(u)) {
		s = 0 // powers of real numbers are real
	}
	return complex(e*c, e*s)
}

// dotSum returns x·(a+aRest) + y·(b+bRest) as a number and a small correction.
func dotSum(x, a, aRest, y, b, bRest float64) (sum, rest float64) {
	p, q := float64(x*a), float64(y*b)
	sum, rest = twoSum(p, q)
	return sum, rest + ((math.FMA(x, a, -p) + float64(x*aRest)) + (math.FMA(y, b, -q) + float64(y*bRest)))
}

// CSqrt computes the principal square root.
func CSqrt(z complex128) complex128 {
	if !isMidRange(z) {
		return refmath.CSqrt(z)
	}
	x, y := real(z), imag(z)
	t := math.Sqrt((CAbs(z) + math.Abs(x)) / 2)
	u := y / (2 * t)
	if x >= 0 {
		return complex(t, u)
	}
	return complex(math.Abs(u), math.Copysign(t, y))
}

// sinhCosh computes both for |x| < 700, within 1.3 ulp.
func sinhCosh(x float64) (sinh, cosh float64) {
	e := exp64(x)
	cosh = (e + 1/e) / 2
	if math.Abs(x) >= 1 {
		return (e - 1/e) / 2, cosh
	}
	return sinhSmall(x), cosh
}

// SinhTerms are the Taylor coefficients of (sinh x − x)/x³ in x² for |x| < 1, with an error of 2e-20.
var SinhTerms = [9]float64{1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880, 1.0 / 39916800, 1.0 / 6227020800,
	1.0 / 1307674368000, 1.0 / 355687428096000, 1.0 / 121645100408832000}

// sinhSmall computes the hyperbolic sine for |x| < 1.
func sinhSmall(x float64) float64 {
	z := float64(x * x)
	c := &SinhTerms
	p := c[0] + float64(z*(c[1]+float64(z*(c[2]+float64(z*(c[3]+float64(z*(c[4]+float64(z*(c[5]+float64(z*(c[6]+
		float64(z*(c[7]+float64(z*c[8])))))))))))))))
	return x + float64(float64(x*z)*p)
}

// CSinh computes the hyperbolic sine.
func CSinh(z complex128) complex128 {
	if x := real(z); x > -700 && x < 700 {
		sinh, cosh := sinhCosh(x)
		s, c := Sincos64(imag(z))
		if w := complex(sinh*c, cosh*s); isFinite(w) {
			return w
		}
	}
	return refmath.CSinh(z)
}

// CCosh computes the hyperbolic cosine.
func CCosh(z complex128) complex128 {
	if x := real(z); x > -700 && x < 700 {
		sinh, cosh := sinhCosh(x)
		s, c := Sincos64(imag(z))
		if w := complex(cosh*c, sinh*s); isFinite(w) {
			return w
		}
	}
	return refmath.CCosh(z)
}

// CSin computes the sine.
func CSin(z complex128) complex128 {
	if y := imag(z); y > -700 && y < 700 {
		s, c := Sincos64(real(z))
		sinh, cosh := sinhCosh(y)
		if w := complex(s*cosh, c*sinh); isFinite(w) {
			return w
		}
	}
	return refmath.CSin(z)
}

// CCos computes the cosine.
func CCos(z complex128) complex128 {
	if y := imag(z); y > -700 && y < 700 {
		s, c := Sincos64(real(z))
		sinh, cosh := sinhCosh(y)
		if w := complex(c*cosh, -s*sinh); isFinite(w) {
			return w
		}
	}
	return refmath.CCos(z)
}

// CExpm1 computes e^z - 1: e^x·cos y - 1 is (e^x - 1)·cos y - 2·sin²(y/2).
func CExpm1(z complex128) complex128 {
	if x := real(z); x > -700 && x < 700 {
		less := expm1Of(x)
		s, c := Sincos64(imag(z))
		half, _ := Sincos64(imag(z) / 2)
		if w := complex(float64(less*c)-float64(2*half)*half, exp64(x)*s); isFinite(w) {
			return w
		}
	}
	return refmath.CExpm1(z)
}

// expm1Of computes eˣ − 1 for |x| < 700, within 1 ulp.
func expm1Of(x float64) float64 {
	e, rest := expm1Near(x)
	return math.Copysign(e+rest, x)
}

// CSquare computes z².
func CSquare(z complex128) complex128 {
	if w := CMul(z, z); isFinite(w) {
		return w
	}
	return refmath.CSquare(z)
}

// IsNarrow reports whether a float is 0 or in the range of float32 magnitudes.
func IsNarrow(x float64) bool {
	a := math.Abs(x)
	return a == 0 || 0x1p-149 <= a && a <= 0x1p128
}

// CTanhNarrow computes the hyperbolic tangent:
// tanh(x+iy) = (sinh x·cosh x + i·sin y·cos y) / (sinh²x + cos²y).
func CTanhNarrow(z complex128) complex128 {
	x, y := real(z), imag(z)
	if !(math.Abs(x) < 300) || y-y != 0 {
		return refmath.CTanh(z)
	}
	sinh, cosh := sinhCosh(x)
	s, c := Sincos64(y)
	n := float64(sinh*sinh) + float64(c*c)
	return complex(sinh*cosh/n, s*c/n)
}

// CTanNarrow computes the tangent: -i·tanh(iz).
func CTanNarrow(z complex128) complex128 {
	w := CTanhNarrow(complex(-imag(z), real(z)))
	return complex(imag(w), -real(w))
}
