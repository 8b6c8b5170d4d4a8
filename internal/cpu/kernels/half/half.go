package half

import "math"

// Conversions between float32 and float16 or bfloat16, stored as their bits, and float32 rounded to values of these
// types. All round to nearest, ties to even, and keep infinities, zeros, subnormals and NaNs (as quiet NaNs with the
// top of their payload).

// The bits of a float32.
const (
	signBit  = 1 << 31
	infinity = 0x7f800000
)

// WidenBF16 converts bfloat16 to float32.
func WidenBF16(dst []float32, src []uint16) {
	dst = dst[:len(src)]
	for i, h := range src {
		dst[i] = math.Float32frombits(uint32(h) << 16)
	}
}

// roundedBF16 returns bits whose upper half is x in bfloat16. It has no branch, since NaNs of roots and logarithms are
// unpredictable.
func roundedBF16(x float32) uint32 {
	b := math.Float32bits(x)
	r := b + 0x7fff + b>>16&1
	if b&^signBit > infinity { // NaN
		r = b | 0x400000
	}
	return r
}

// NarrowBF16 converts float32 to bfloat16.
func NarrowBF16(dst []uint16, src []float32) {
	dst = dst[:len(src)]
	for i, f := range src {
		dst[i] = uint16(roundedBF16(f) >> 16)
	}
}

// WidenF16 converts float16 to float32.
func WidenF16(dst []float32, src []uint16) {
	dst = dst[:len(src)]
	for i, h := range src {
		x := uint32(h&0x7fff) << 13
		sign := uint32(h&0x8000) << 16
		if h&0x7c00 == 0x7c00 {
			if x&0x7fffff != 0 {
				x |= 0x400000
			}
			dst[i] = math.Float32frombits(sign | 0x7f800000 | x)
			continue
		}
		// As a float32, x is 2^-112 times the number, subnormal numbers included.
		f := math.Float32frombits(x) * 0x1p112
		dst[i] = math.Float32frombits(sign | math.Float32bits(f))
	}
}

// NarrowF16 converts float32 to float16.
func NarrowF16(dst []uint16, src []float32) {
	dst = dst[:len(src)]
	for i, f := range src {
		x := math.Float32bits(f)
		sign := x >> 16 & 0x8000
		x &^= signBit
		switch {
		case x > infinity: // NaN
			x = 0x7e00 | x>>13&0x3ff
		case x >= 0x477ff000: // rounds to 2^16 or more
			x = 0x7c00
		case x < 0x38800000: // below 2^-14: the addition rounds to multiples of 2^-24
			x = math.Float32bits(math.Float32frombits(x)+0.5) - 0x3f000000
		default:
			x = (x - 0x38000000 + 0xfff + x>>13&1) >> 13
		}
		dst[i] = uint16(sign | x)
	}
}

// RoundBF16 rounds float32 to bfloat16 values.
func RoundBF16(dst, src []float32) {
	dst = dst[:len(src)]
	for i, f := range src {
		dst[i] = math.Float32frombits(roundedBF16(f) &^ 0xffff)
	}
}

// RoundF16 rounds float32 to float16 values.
func RoundF16(dst, src []float32) {
	dst = dst[:len(src)]
	for i, f := range src {
		x := math.Float32bits(f)
		sign := x & signBit
		x &^= signBit
		switch {
		case x > infinity: // NaN
			x = (x | 0x400000) &^ 0x1fff
		case x >= 0x477ff000: // rounds to 2^16 or more
			x = infinity
		case x < 0x38800000: // below 2^-14, as in NarrowF16
			x = math.Float32bits(math.Float32frombits(x) + 0.5 - 0.5)
		default:
			x = (x + 0xfff + x>>13&1) &^ 0x1fff
		}
		dst[i] = math.Float32frombits(sign | x)
	}
}
