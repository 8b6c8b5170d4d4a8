package kernels

import (
	"math"

	"github.com/go-nx/nx/internal/refmath"
)

// Functions of complex numbers, composed of the real ones of this package: within 4
// units in the last place of the larger part. Those whose name ends in Short are for
// arguments with parts of 32 bits and for results that are rounded to such: they rely
// on the exponents that leaves free. Where a result or a step on the way is not a
// finite number, refmath has the tables of C99 and the room for large exponents.

func isFinite(z complex128) bool { return real(z)-real(z) == 0 && imag(z)-imag(z) == 0 }

// isMiddling reports whether squares of the parts and their sums neither overflow nor
// lose digits: neither part is large, and not both are small.
func isMiddling(z complex128) bool {
	a := max(math.Abs(real(z)), math.Abs(imag(z)))
	return 0x1p-480 < a && a < 0x1p480
}

// CAbs computes |z|, within 0.6 ulp.
func CAbs(z complex128) float64 {
	a, b := math.Abs(real(z)), math.Abs(imag(z))
	if a < b {
		a, b = b, a
	}
	switch {
	case b == 0:
		return a
	case !isMiddling(z) || b < a*0x1p-60:
		return refmath.CAbs(z)
	}
	// One step of Newton on the error of the squares, which are exact as sums.
	p, q := float64(a*a), float64(b*b)
	h := math.Sqrt(p + q)
	off := math.FMA(h, h, -p) - q // h² - a², rounded late
	off += math.FMA(-a, a, p) + math.FMA(-b, b, q)
	return h - off/(2*h)
}

// CAbs64 computes |z| of a number of two float32s, whose squares are exact: within 0.51 ulp of a
// float32.
func CAbs64(z complex128) float64 {
	r := math.Sqrt(float64(real(z)*real(z)) + float64(imag(z)*imag(z)))
	if r != r { // of an infinity and NaN it is the infinity
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
	if !isMiddling(z) || !isMiddling(w) {
		return refmath.CDiv(z, w)
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

// CDivShort divides; its products are exact.
func CDivShort(z, w complex128) complex128 {
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
	if x := real(z); x > -700 && x < 700 {
		e := exp64(x)
		s, c := Sincos64(imag(z))
		if w := complex(e*c, e*s); isFinite(w) {
			return w
		}
	}
	return refmath.CExp(z)
}

// CLog computes the principal logarithm.
func CLog(z complex128) complex128 {
	if !isMiddling(z) {
		return refmath.CLog(z)
	}
	x, y := real(z), imag(z)
	p, q := float64(x*x), float64(y*y)
	h := p + q
	angle := math.Copysign(math.Atan2(math.Abs(y), x), y) // y/x may vanish with its sign
	if !(0.5 < h && h < 2) {
		return complex(math.Log(h)/2, angle)
	}
	// Near the unit circle h - 1 cancels: take what the squares and sums lost.
	s, e := twoSum(max(p, q), -1)
	s, e1 := twoSum(s, min(p, q))
	d := s + (e + e1 + math.FMA(x, x, -p) + math.FMA(y, y, -q))
	if math.Abs(d) < 0x1p-80 {
		return refmath.CLog(z)
	}
	return complex(math.Log1p(d)/2, angle)
}

// CSqrt computes the principal square root.
func CSqrt(z complex128) complex128 {
	if !isMiddling(z) {
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

// SinhTerms are those of (sinh x − x)/x³ in x² for |x| < 1, 2e-20 off: Taylor's.
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

// IsShort reports whether a float is 0 or as large as float32s may be.
func IsShort(x float64) bool {
	a := math.Abs(x)
	return a == 0 || 0x1p-149 <= a && a <= 0x1p128
}

// CTanhShort computes the hyperbolic tangent:
// tanh(x+iy) = (sinh x·cosh x + i·sin y·cos y) / (sinh²x + cos²y).
func CTanhShort(z complex128) complex128 {
	x, y := real(z), imag(z)
	if !(math.Abs(x) < 300) || y-y != 0 {
		return refmath.CTanh(z)
	}
	sinh, cosh := sinhCosh(x)
	s, c := Sincos64(y)
	n := float64(sinh*sinh) + float64(c*c)
	return complex(sinh*cosh/n, s*c/n)
}

// CTanShort computes the tangent: -i·tanh(iz).
func CTanShort(z complex128) complex128 {
	w := CTanhShort(complex(-imag(z), real(z)))
	return complex(imag(w), -real(w))
}
