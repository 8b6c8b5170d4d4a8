package portable

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernel"
)

// floatFuncs are the real functions without a loop of their own. They compute
// in float64 and round once.
var floatFuncs = map[kernel.Op]func(float64) float64{
	kernel.Ceil: math.Ceil, kernel.Floor: math.Floor, kernel.RoundEven: math.RoundToEven, kernel.RoundAway: math.Round,
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
