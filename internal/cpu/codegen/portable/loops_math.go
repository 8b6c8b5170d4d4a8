package portable

import (
	"math"
	"math/bits"
	"math/cmplx"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernel"
)

// floatFuncs are the real functions without a loop of their own. They compute
// in float64 and round once.
var floatFuncs = map[kernel.Op]func(float64) float64{
	kernel.Ceil: math.Ceil, kernel.Floor: math.Floor, kernel.RoundEven: math.RoundToEven, kernel.RoundAway: math.Round,
	kernel.Rsqrt: func(x float64) float64 { return 1 / math.Sqrt(x) },
	kernel.Cbrt:  math.Cbrt, kernel.Exp: math.Exp, kernel.Expm1: math.Expm1, kernel.Log: math.Log, kernel.Log1p: math.Log1p,
	kernel.Logistic: func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
	kernel.Sin:      math.Sin, kernel.Cos: math.Cos, kernel.Tan: math.Tan, kernel.Tanh: math.Tanh,
	kernel.Erf: math.Erf, kernel.Erfc: math.Erfc, kernel.ErfInv: math.Erfinv,
	kernel.Lgamma: func(x float64) float64 { y, _ := math.Lgamma(x); return y },
	kernel.Acos:   math.Acos, kernel.Acosh: math.Acosh, kernel.Asin: math.Asin, kernel.Asinh: math.Asinh,
	kernel.Atan: math.Atan, kernel.Atanh: math.Atanh, kernel.Cosh: math.Cosh, kernel.Sinh: math.Sinh,
	kernel.Sign: signFloat,
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
	kernel.Exp: cmplx.Exp, kernel.Log: cmplx.Log, kernel.Sqrt: cmplx.Sqrt,
	kernel.Sin: cmplx.Sin, kernel.Cos: cmplx.Cos, kernel.Tan: cmplx.Tan, kernel.Tanh: cmplx.Tanh,
	kernel.Acos: cmplx.Acos, kernel.Acosh: cmplx.Acosh, kernel.Asin: cmplx.Asin, kernel.Asinh: cmplx.Asinh,
	kernel.Atan: cmplx.Atan, kernel.Atanh: cmplx.Atanh, kernel.Cosh: cmplx.Cosh, kernel.Sinh: cmplx.Sinh,
	kernel.Conj: cmplx.Conj,
}

func signInt[T signed](x T) T {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
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

// Shifts by the width of the element or more, or by a negative count, shift
// everything out.
func shl[T integer](n int) func(x, y T) T {
	return func(x, y T) T {
		if lowBits(y) >= uint64(n) {
			return 0
		}
		return x << lowBits(y)
	}
}

func shrA[T integer](n int) func(x, y T) T {
	return func(x, y T) T {
		sh := min(lowBits(y), uint64(n-1))
		s := int64(lowBits(x)) << (64 - n) >> (64 - n)
		return T(s >> sh)
	}
}

func shrL[T integer](n int) func(x, y T) T {
	return func(x, y T) T {
		if lowBits(y) >= uint64(n) {
			return 0
		}
		return T(lowBits(x) & (^uint64(0) >> (64 - n)) >> lowBits(y))
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
