package special

import (
	"math"

	"github.com/go-nx/nx/internal/refmath"
)

// hyperOverflow is a number above which sinh and cosh are infinite.
const hyperOverflow = 711

// SinhF64 computes the hyperbolic sine, within 1.5 ulp.
func SinhF64(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		a := math.Abs(x)
		switch {
		case a < 0x1p-30:
			dst[i] = x
		case a < 1:
			dst[i] = sinhSmall(x)
		case a < 700:
			e := exp64(a)
			dst[i] = math.Copysign((e-1/e)/2, x)
		case a > hyperOverflow:
			dst[i] = math.Copysign(math.Inf(1), x)
		default:
			dst[i] = refmath.Sinh(x)
		}
	}
}

// CoshF64 computes the hyperbolic cosine, within 1.5 ulp.
func CoshF64(dst, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		switch a := math.Abs(x); {
		case a > hyperOverflow:
			dst[i] = math.Inf(1)
			continue
		case !(a < 700):
			dst[i] = refmath.Cosh(x)
			continue
		}
		e := exp64(math.Abs(x)) // the error of 1/e is that of the smaller term
		dst[i] = (e + 1/e) / 2
	}
}

// SinhF32 follows CHLO's formula for narrow floats: see [refmath.Sinh32].
func SinhF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, x := range src {
		if a := math.Abs(float64(x)); a < 1 {
			dst[i] = float32(sinhSmall(float64(x)))
			continue
		}
		up, down := halfExps(x)
		dst[i] = up - down
	}
}

// CoshF32 follows CHLO's formula for narrow floats: see [refmath.Cosh32].
func CoshF32(dst, src []float32) {
	dst = dst[:len(src)]
	for i, x := range src {
		up, down := halfExps(x)
		dst[i] = up + down
	}
}

// halfExps returns e^(x+ln ½) and e^(ln ½-x), with rounded exponents and results.
func halfExps(x float32) (up, down float32) {
	const lnHalf float32 = -math.Ln2
	a, b := float64(x+lnHalf), float64(lnHalf-x)
	if !(math.Abs(a) < 600 && math.Abs(b) < 600) {
		return float32(exp64Wide(a)), float32(exp64Wide(b))
	}
	return float32(exp64(a)), float32(exp64(b))
}
