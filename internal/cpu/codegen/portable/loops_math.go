package portable

import (
	"math"
	"math/bits"
	"math/cmplx"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/refmath"
)

// floatFuncs are the real functions without a loop of their own. They compute
// in float64 and round once.
var floatFuncs = map[kernel.Op]func(float64) float64{
	kernel.Ceil: math.Ceil, kernel.Floor: math.Floor, kernel.RoundEven: math.RoundToEven, kernel.RoundAway: math.Round,
	kernel.ErfInv: refmath.ErfInv, kernel.Lgamma: refmath.Lgamma, kernel.Digamma: refmath.Digamma, kernel.BesselI1e: refmath.BesselI1e,
	kernel.Acos: refmath.Acos, kernel.Acosh: refmath.Acosh, kernel.Asin: refmath.Asin, kernel.Asinh: refmath.Asinh,
	kernel.Atan: refmath.Atan, kernel.Atanh: refmath.Atanh, kernel.Cosh: refmath.Cosh, kernel.Sinh: refmath.Sinh,
	kernel.Sign: signFloat,
}

// quickFuncs replace those of floatFuncs for elements of at most 32 bits, whose
// rounding hides their error.
var quickFuncs = map[kernel.Op]func(float64) float64{
	kernel.Acos: math.Acos, kernel.Acosh: math.Acosh, kernel.Asin: math.Asin, kernel.Asinh: math.Asinh,
	kernel.Atan: math.Atan, kernel.Atanh: math.Atanh,
	kernel.Cosh: func(x float64) float64 { return float64(refmath.Cosh32(float32(x))) },
	kernel.Sinh: func(x float64) float64 { return float64(refmath.Sinh32(float32(x))) },
}

func signFloat(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x // ±0 and NaN
}

var complexFuncs = map[kernel.Op]func(complex128) complex128{
	kernel.Exp: refmath.CExp, kernel.Expm1: refmath.CExpm1, kernel.Log: refmath.CLog, kernel.Log1p: refmath.CLog1p,
	kernel.Sqrt: refmath.CSqrt, kernel.Rsqrt: refmath.CRsqrt, kernel.Cbrt: refmath.CCbrt, kernel.Logistic: refmath.CLogistic,
	kernel.Sin: refmath.CSin, kernel.Cos: refmath.CCos, kernel.Tan: refmath.CTan, kernel.Tanh: refmath.CTanh,
	kernel.Acos: refmath.CAcos, kernel.Acosh: refmath.CAcosh, kernel.Asin: refmath.CAsin, kernel.Asinh: refmath.CAsinh,
	kernel.Atan: refmath.CAtan, kernel.Atanh: refmath.CAtanh, kernel.Cosh: refmath.CCosh, kernel.Sinh: refmath.CSinh,
	kernel.AsinAcosKernel: refmath.CAsinAcosKernel, kernel.Sign: refmath.CSign, kernel.Square: refmath.CSquare, kernel.Conj: cmplx.Conj,
}

var complexFuncs2 = map[kernel.Op]func(z, w complex128) complex128{
	kernel.Mul: cmul, kernel.Div: cdiv, kernel.Pow: refmath.CPow, kernel.Atan2: refmath.CAtan2,
	kernel.Max: cmax, kernel.Min: cmin,
}

func isFinite(x float64) bool { return x-x == 0 }

// cexp is the exponential for parts of 32 bits; the table of C99 for infinities and NaNs is refmath's.
func cexp(z complex128) complex128 {
	e := math.Exp(real(z))
	s, c := math.Sincos(imag(z))
	if w := complex(e*c, e*s); isFinite(real(w)) && isFinite(imag(w)) {
		return w
	}
	return refmath.CExp(z)
}

// cmul multiplies without fusing multiplications and additions.
func cmul(z, w complex128) complex128 {
	return complex(float64(real(z)*real(w))-float64(imag(z)*imag(w)),
		float64(real(z)*imag(w))+float64(imag(z)*real(w)))
}

// cdiv divides; zero, infinite and overflowing denominators are refmath's.
func cdiv(z, w complex128) complex128 {
	q := z / w
	if isFinite(real(q)) && isFinite(imag(q)) && isFinite(real(w)) && isFinite(imag(w)) {
		return q
	}
	return refmath.CDiv(z, w)
}

// Complex numbers are ordered by their real parts and then by their imaginary parts.

func cless(z, w complex128) bool {
	if real(z) == real(w) {
		return imag(z) < imag(w)
	}
	return real(z) < real(w)
}

func cmax(z, w complex128) complex128 {
	if cless(w, z) {
		return z
	}
	return w
}

func cmin(z, w complex128) complex128 {
	if cless(z, w) {
		return z
	}
	return w
}

// width returns the bits of a T.
func width[T any]() int { var z T; return int(unsafe.Sizeof(z)) * 8 }

// lowBits returns x zero-extended to 64 bits.
func lowBits[T integer](x T) uint64 { return uint64(x) & (^uint64(0) >> (64 - width[T]())) }

func popcnt[T integer](x T) T { return T(bits.OnesCount64(lowBits(x))) }

// clz counts the leading zeros of an element of n bits that lives in a T.
func clz[T integer](n int) func(T) T {
	return func(x T) T {
		return T(bits.LeadingZeros64(lowBits(x)&(^uint64(0)>>(64-n))) - (64 - n))
	}
}

// mulHi returns the upper half of the product of two elements of n bits.
func mulHi[T integer](n int, isSigned bool) func(x, y T) T {
	return func(x, y T) T {
		if n < 64 {
			if isSigned {
				return T(int64(x) * int64(y) >> n)
			}
			return T(lowBits(x) * lowBits(y) >> n)
		}
		hi, _ := bits.Mul64(uint64(x), uint64(y))
		if isSigned {
			if int64(x) < 0 {
				hi -= uint64(y)
			}
			if int64(y) < 0 {
				hi -= uint64(x)
			}
		}
		return T(hi)
	}
}
