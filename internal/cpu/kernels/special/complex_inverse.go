package special

import (
	"math"

	"github.com/go-nx/nx/internal/refmath"
)

// Functions of complex numbers with parts of 32 bits. In these formulas 64 bits have enough digits for every
// cancellation. Package refmath has the same formulas, and the tables of C99 for arguments that are not finite.

// CExpm1Narrow computes e^z - 1, by cos y = 1 - 2 sin²(y/2) and sin y = 2 sin(y/2) cos(y/2).
func CExpm1Narrow(z complex128) complex128 {
	x, y := real(z), imag(z)
	if !(math.Abs(x) < 300) || y-y != 0 {
		return refmath.CExpm1(z)
	}
	s, p := exp2Parts(x * math.Log2E)
	less := (s - 1) + p // e^x - 1
	sin, cos := Sincos64(y / 2)
	q := float64(2*sin) * sin
	return complex(less-float64(q*(less+1)), float64(2*sin)*cos*(less+1))
}

// roots returns √(1-z) and √(1+z) for z in the upper half plane, with the imaginary part of the first negated. They are
// the terms of Kahan's formulas.
func roots(x, y float64) (minus, plus complex128) {
	return complex(sqrtNarrow(1-x, y)), complex(sqrtNarrow(1+x, y))
}

// CAsinhNarrow computes the inverse hyperbolic sine.
func CAsinhNarrow(z complex128) complex128 {
	if !isFinite(z) {
		return refmath.CAsinh(z)
	}
	x, y := math.Abs(real(z)), math.Abs(imag(z))
	m, p := roots(y, x) // asinh z = i asin(z/i), with z/i mirrored into the first quadrant
	re := asinhOf(float64(real(m)*imag(p)) + float64(imag(m)*real(p)))
	im := Atan2Narrow(y, float64(real(m)*real(p))+float64(imag(m)*imag(p)))
	return complex(math.Copysign(re, real(z)), math.Copysign(im, imag(z)))
}

// CAsinNarrow computes the inverse sine: asinh(iz)/i.
func CAsinNarrow(z complex128) complex128 {
	w := CAsinhNarrow(complex(-imag(z), real(z)))
	return complex(imag(w), -real(w))
}

// CAsinAcosKernelNarrow returns w with asin z = (atan2(re z, re w), ±im w).
func CAsinAcosKernelNarrow(z complex128) complex128 {
	if !isFinite(z) {
		return refmath.CAsinAcosKernel(z)
	}
	m, p := roots(math.Abs(real(z)), math.Abs(imag(z)))
	return complex(float64(real(m)*real(p))+float64(imag(m)*imag(p)),
		asinhOf(float64(real(m)*imag(p))+float64(imag(m)*real(p))))
}

// CAcosNarrow computes the inverse cosine.
func CAcosNarrow(z complex128) complex128 {
	if !isFinite(z) {
		return refmath.CAcos(z)
	}
	m, p := roots(real(z), math.Abs(imag(z)))
	im := asinhOf(float64(real(p)*imag(m)) + float64(imag(p)*real(m)))
	return complex(2*Atan2Narrow(real(m), real(p)), math.Copysign(im, -imag(z)))
}

// CAcoshNarrow computes the inverse hyperbolic cosine.
func CAcoshNarrow(z complex128) complex128 {
	if !isFinite(z) {
		return refmath.CAcosh(z)
	}
	x, y := real(z), math.Abs(imag(z))
	m, p := complex(sqrtNarrow(x-1, y)), complex(sqrtNarrow(x+1, y))
	re := asinhOf(float64(real(m)*real(p)) + float64(imag(m)*imag(p)))
	return complex(re, math.Copysign(2*Atan2Narrow(imag(m), real(p)), imag(z)))
}

// CAtanhNarrow computes the inverse hyperbolic tangent.
func CAtanhNarrow(z complex128) complex128 {
	x, y := math.Abs(real(z)), math.Abs(imag(z))
	if !isFinite(z) || x == 1 && y == 0 {
		return refmath.CAtanh(z)
	}
	u := 1 - x
	re := log1pOf(4*x/(float64(u*u)+float64(y*y))) * 0.25
	im := Atan2Narrow(2*y, float64(u*(1+x))-float64(y*y)) * 0.5
	return complex(math.Copysign(re, real(z)), math.Copysign(im, imag(z)))
}

// CAtanNarrow computes the inverse tangent: atanh(iz)/i.
func CAtanNarrow(z complex128) complex128 {
	w := CAtanhNarrow(complex(-imag(z), real(z)))
	return complex(imag(w), -real(w))
}

// CAtan2Narrow computes -i ln((x+iy)/√(x²+y²)) with x²+y² = (x+iy)(x-iy): the angle of the quotient, whose square has
// the magnitude |x+iy|/|x-iy|. Near the cuts of the root and of the logarithm, where rounding would decide the sign of
// π, package refmath computes it. For a small t = y/x the logarithm has lost digits, and t - t³/3 + t⁵/5 replaces it.
func CAtan2Narrow(y, x complex128) complex128 {
	n, m := complex(real(x)-imag(y), imag(x)+real(y)), complex(real(x)+imag(y), imag(x)-real(y))
	if !isMidRange(n) || !isMidRange(m) {
		return refmath.CAtan2(y, x)
	}
	square := mulNarrow(n, m)
	root := complex(sqrtNarrow(real(square), imag(square)))
	q := mulNarrow(n, complex(real(root), -imag(root)))
	if nearCut(square) || nearCut(q) {
		return refmath.CAtan2(y, x)
	}
	l := log64(logTable64(), abs2Narrow(n)/abs2Narrow(m), 0) * 0.25
	angle := Atan2Narrow(imag(q), real(q))
	if math.Abs(angle) > 0x1p-10 || math.Abs(l) > 0x1p-10 {
		return complex(angle, -l)
	}
	size := abs2Narrow(x)
	t := mulNarrow(y, complex(real(x), -imag(x)))
	t = complex(real(t)/size, imag(t)/size)
	u := mulNarrow(t, t)
	v := mulNarrow(mulNarrow(t, u), complex(1.0/3-float64(real(u)*0.2), -float64(imag(u)*0.2)))
	return complex(real(t)-real(v), imag(t)-imag(v))
}

// mulNarrow returns z·w for parts that do not overflow.
func mulNarrow(z, w complex128) complex128 {
	return complex(float64(real(z)*real(w))-float64(imag(z)*imag(w)), float64(real(z)*imag(w))+float64(imag(z)*real(w)))
}

// abs2Narrow returns |z|².
func abs2Narrow(z complex128) float64 { return float64(real(z)*real(z)) + float64(imag(z)*imag(z)) }

// nearCut reports whether z is near the negative real axis.
func nearCut(z complex128) bool { return real(z) <= 0 && math.Abs(imag(z)) <= -real(z)*0x1p-30 }
