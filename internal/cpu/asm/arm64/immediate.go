package arm64

import (
	"math"
	"math/bits"
)

// encodeBitMask returns the fields N:immr:imms of a mask of a width of 32 or 64 bits: a run of ones that is rotated in
// elements of 2, 4, …, 64 bits, which are all equal.
func encodeBitMask(v uint64, width int) (uint32, bool) {
	if width == 32 {
		if v>>32 != 0 {
			return 0, false
		}
		v |= v << 32
	}
	if v == 0 || v == math.MaxUint64 {
		return 0, false
	}
	size := 64
	for half := 32; half >= 2 && v&(1<<half-1) == v>>half&(1<<half-1); half /= 2 {
		size = half
	}
	elem := v << (64 - size) >> (64 - size)
	ones := bits.OnesCount64(elem)
	for rotation := range size {
		if rotateRight(1<<ones-1, rotation, size) == elem {
			n := uint32(size>>6) << 12
			// The upper bits of imms say the size: 0xxxxx for 32 bits, 10xxxx for 16, and so on.
			imms := uint32(^(2*size-1))&0x3f | uint32(ones-1)
			return n | uint32(rotation)<<6 | imms, true
		}
	}
	return 0, false
}

// decodeBitMask is the inverse of [encodeBitMask]; 0 for fields that are reserved.
func decodeBitMask(n uint32, width int) uint64 {
	imms, rotation := n&0x3f, int(n>>6&0x3f)
	size := 1 << bits.Len32(n>>12<<6|^imms&0x3f) >> 1
	if size < 2 || size > width {
		return 0
	}
	ones := int(imms)&(size-1) + 1
	if ones == size {
		return 0
	}
	elem := rotateRight(1<<ones-1, rotation&(size-1), size)
	for ; size < width; size *= 2 {
		elem |= elem << size
	}
	return elem
}

// rotateRight rotates the lower size bits.
func rotateRight(v uint64, by, size int) uint64 {
	v = v>>by | v<<(size-by)
	return v << (64 - size) >> (64 - size)
}

// encodeByteMask returns the bits of a number whose bytes are 0 or 255.
func encodeByteMask(v uint64) (uint32, bool) {
	var n uint32
	for i := range 8 {
		switch byte(v >> (8 * i)) {
		case 0xff:
			n |= 1 << i
		case 0:
		default:
			return 0, false
		}
	}
	return n, true
}

// decodeByteMask is the inverse of [encodeByteMask].
func decodeByteMask(n uint32) uint64 {
	var v uint64
	for i := range 8 {
		v |= uint64(n>>i&1) * 0xff << (8 * i)
	}
	return v
}

// encodeFloat8 returns the 8 bits of a float: ±(16+m)/16 · 2^e with m of 4 bits and e from -3 to 4.
func encodeFloat8(x float64) (uint32, bool) {
	for n := range uint32(256) {
		if decodeFloat8(n) == x {
			return n, true
		}
	}
	return 0, false
}

// decodeFloat8 is the inverse of [encodeFloat8].
func decodeFloat8(n uint32) float64 {
	exponent := int(n>>4&7) ^ 4 - 3
	x := math.Ldexp(16+float64(n&15), exponent-4)
	if n&0x80 != 0 {
		return -x
	}
	return x
}
