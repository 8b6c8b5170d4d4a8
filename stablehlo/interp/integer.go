package interp

import (
	"math/bits"

	"github.com/go-nx/nx/dtype"
)

// The integer functions take values in the form of dtype.LoadInt: sign- or zero-extended to 64 bits, those of
// U64 as the int64 of the same bits. Their results are truncated to the width of the type, so that overflow
// wraps around.

// divideInt truncates. The specification does not define division by zero and the overflow of the smallest
// number by -1; as in XLA, the first gives -1 (all ones) and the second wraps around to the smallest number.
func divideInt(d dtype.Type, x, y int64) int64 {
	switch {
	case y == 0:
		return -1
	case !d.IsSigned():
		return int64(uint64(x) / uint64(y))
	case y == -1:
		return -x
	}
	return x / y
}

// remainderInt is x - divideInt(x, y)·y, except that x is left by y = 0.
func remainderInt(d dtype.Type, x, y int64) int64 {
	switch {
	case y == 0:
		return x
	case !d.IsSigned():
		return int64(uint64(x) % uint64(y))
	case y == -1:
		return 0
	}
	return x % y
}

// powerInt wraps around; a negative exponent gives the truncated fraction: 0 but for the bases 1 and -1.
func powerInt(d dtype.Type, x, y int64) int64 {
	if d.IsSigned() && y < 0 {
		switch {
		case x == 1, x == -1 && y&1 == 0:
			return 1
		case x == -1:
			return -1
		}
		return 0
	}
	r := int64(1)
	for n := uint64(y); n > 0; n >>= 1 {
		if n&1 != 0 {
			r *= x
		}
		x *= x
	}
	return r
}

func maxInt(d dtype.Type, x, y int64) int64 {
	if lessInt(d, x, y) {
		return y
	}
	return x
}

func minInt(d dtype.Type, x, y int64) int64 {
	if lessInt(d, y, x) {
		return y
	}
	return x
}

func lessInt(d dtype.Type, x, y int64) bool {
	if d.IsSigned() {
		return x < y
	}
	return uint64(x) < uint64(y)
}

// The shifts take the count as unsigned; counts from the width on shift
// everything out.

func shiftLeft(d dtype.Type, x, y int64) int64 {
	return x << min(bitsOf(d, y), 64)
}

func shiftRightLogical(d dtype.Type, x, y int64) int64 {
	return int64(bitsOf(d, x) >> min(bitsOf(d, y), 64))
}

func shiftRightArithmetic(d dtype.Type, x, y int64) int64 {
	sign := 64 - d.Bits() // an unsigned number has its top bit as sign here
	return x << sign >> sign >> min(bitsOf(d, y), 63)
}

// mulhi returns the upper half of the product of twice the width.
func mulhi(d dtype.Type, x, y int64) int64 {
	if d.Bits() < 64 {
		return x * y >> d.Bits()
	}
	hi, _ := bits.Mul64(uint64(x), uint64(y))
	if d.IsSigned() {
		// The unsigned product has 2^64 too much for each negative factor.
		if x < 0 {
			hi -= uint64(y)
		}
		if y < 0 {
			hi -= uint64(x)
		}
	}
	return int64(hi)
}
