package portable

import (
	"math/bits"
	"unsafe"
)

// The loops that count bits and multiply to the upper half, without a call per element, which would take five times as
// long as the count.

// byteWords returns a loop over bytes: words computes eight at a time, rest the others.
func byteWords[T integer](words func(x uint64) uint64, rest func(d, a []T)) func(d, a []T) {
	return func(d, a []T) {
		n := len(a) &^ 7
		if n > 0 {
			to, from := unsafe.Pointer(&d[0]), unsafe.Pointer(&a[0])
			for i := 0; i < n; i += 8 {
				setLanes(to, i, words(lanesAt(from, i, 0)))
			}
		}
		rest(d[n:], a[n:])
	}
}

// popcntLoop counts the ones of elements of n bits.
func popcntLoop[T integer](n int) func(d, a []T) {
	mask := ^uint64(0) >> (64 - n)
	loop := func(d, a []T) {
		d = d[:len(a)]
		for i, x := range a {
			d[i] = T(bits.OnesCount64(uint64(x) & mask))
		}
	}
	if n != 8 {
		return loop
	}
	return byteWords(onesLanes, loop)
}

// clzLoop counts the leading zeros of elements of n bits.
func clzLoop[T integer](n int) func(d, a []T) {
	up := uint(64 - n)
	end := uint64(1) << up >> 1 // a one after the last bit, if there is one
	loop := func(d, a []T) {
		d = d[:len(a)]
		for i, x := range a {
			d[i] = T(bits.LeadingZeros64(uint64(x)<<(up&63) | end))
		}
	}
	if n != 8 {
		return loop
	}
	return byteWords(leadingZerosLanes, loop)
}

// onesLanes counts the ones of each byte.
func onesLanes(x uint64) uint64 {
	x -= x >> 1 & (0x55 * laneOnes)
	x = x&(0x33*laneOnes) + x>>2&(0x33*laneOnes)
	return (x + x>>4) & (0x0f * laneOnes)
}

// leadingZerosLanes counts the zeros above the first one of each byte: the zeros that are left after that one is copied
// to all lower bits.
func leadingZerosLanes(x uint64) uint64 {
	x |= x >> 1 & (0x7f * laneOnes)
	x |= x >> 2 & (0x3f * laneOnes)
	x |= x >> 4 & (0x0f * laneOnes)
	return onesLanes(^x)
}

// mulHiLoop computes the upper halves of the products of elements of n bits.
func mulHiLoop[T integer](n int, isSigned bool) func(d, a, b []T) {
	if n == 64 {
		high := mulHi64[T](isSigned)
		return func(d, a, b []T) { zip(d, a, b, high) }
	}
	// The product of two 32-bit integers fits 64 bits for any signedness.
	by := uint(n & 63)
	return func(d, a, b []T) {
		if len(a) == 1 {
			a, b = b, a
		}
		d = d[:len(a)]
		if len(b) == 1 {
			y := int64(b[0])
			for i, x := range a {
				d[i] = T(int64(x) * y >> (by & 63))
			}
			return
		}
		b = b[:len(a)]
		for i, x := range a {
			d[i] = T(int64(x) * int64(b[i]) >> (by & 63))
		}
	}
}

// mulHi64 returns the upper half of the product of two 64-bit integers, with a call per element: this takes 1.4 times
// as long as XLA.
func mulHi64[T integer](isSigned bool) func(x, y T) T {
	if !isSigned {
		return func(x, y T) T {
			hi, _ := bits.Mul64(uint64(x), uint64(y))
			return T(hi)
		}
	}
	return func(x, y T) T {
		hi, _ := bits.Mul64(uint64(x), uint64(y))
		return T(int64(hi) - int64(y)&(int64(x)>>63) - int64(x)&(int64(y)>>63))
	}
}
