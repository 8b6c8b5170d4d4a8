package portable

import (
	"math"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/kernel"
)

// floatLoop returns the loop of a rounding or bitwise operation on floats, nil for others. Functions are called
// directly, so that the compiler inlines them as instructions.
func floatLoop[T float](op kernel.Op) func(d, a []T) {
	switch op {
	case kernel.Ceil:
		return func(d, a []T) {
			d = d[:len(a)]
			for i, x := range a {
				d[i] = T(math.Ceil(float64(x)))
			}
		}
	case kernel.Floor:
		return func(d, a []T) {
			d = d[:len(a)]
			for i, x := range a {
				d[i] = T(math.Floor(float64(x)))
			}
		}
	case kernel.RoundEven:
		return func(d, a []T) {
			d = d[:len(a)]
			for i, x := range a {
				d[i] = T(math.RoundToEven(float64(x)))
			}
		}
	case kernel.RoundAway:
		if width[T]() == 32 {
			return func(d, a []T) { roundAway(d, bitsOf[uint32](a), 1<<31, math.Float32bits(0x1.fffffep-2)) }
		}
		return func(d, a []T) { roundAway(d, bitsOf[uint64](a), 1<<63, math.Float64bits(0x1.fffffffffffffp-2)) }
	case kernel.Sign:
		if width[T]() == 32 {
			return func(d, a []T) { signBits(bitsOf[uint32](d), bitsOf[uint32](a), 0x3f800000, 0x7f800000) }
		}
		return func(d, a []T) { signBits(bitsOf[uint64](d), bitsOf[uint64](a), 0x3ff0<<48, 0x7ff0<<48) }
	}
	return nil
}

// roundAway adds the predecessor of 1/2, with the sign of the element, and truncates: with 1/2 itself the sum may round
// up. The sum is computed in type T; conversions to float64 before it take four times as long.
func roundAway[T float, U uint32 | uint64](d []T, a []U, sign, half U) {
	d = d[:len(a)]
	for i, x := range a {
		h := x&sign | half
		d[i] = T(math.Trunc(float64(*(*T)(unsafe.Pointer(&x)) + *(*T)(unsafe.Pointer(&h)))))
	}
}

// bitsOf returns the bits of floats as integers of their size.
func bitsOf[U uint32 | uint64, T float](x []T) []U {
	return unsafe.Slice((*U)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// signBits computes ±1 from the bits of floats; zeros and NaNs are unchanged. It has no branches, since signs are
// unpredictable.
func signBits[U uint32 | uint64](d, a []U, one, inf U) {
	d = d[:len(a)]
	top := ^(^U(0) >> 1)
	for i, x := range a {
		r := x&top | one
		if x&^top-1 >= inf { // ±0, NaN
			r = x
		}
		d[i] = r
	}
}

// width returns the size of a T in bits.
func width[T any]() int { var z T; return int(unsafe.Sizeof(z)) * 8 }

// lowBits returns x zero-extended to 64 bits.
func lowBits[T integer](x T) uint64 { return uint64(x) & (^uint64(0) >> (64 - width[T]())) }
