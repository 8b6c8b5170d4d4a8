package portable

import (
	le "encoding/binary"
	"unsafe"
)

// The loops that process eight bytes at a time, as the lanes of a word (SWAR): the Go compiler does not vectorise, and
// a loop takes about as long per byte as per word.

const (
	laneOnes  = 0x0101010101010101
	laneSigns = 0x8080808080808080
)

// lanesAt returns the eight bytes at p+i, or same if p is nil. The byte order does not matter, since lanes are
// independent.
func lanesAt(p unsafe.Pointer, i int, same uint64) uint64 {
	if p == nil {
		return same
	}
	return le.LittleEndian.Uint64((*[8]byte)(unsafe.Add(p, i))[:])
}

func setLanes(p unsafe.Pointer, i int, lanes uint64) {
	le.LittleEndian.PutUint64((*[8]byte)(unsafe.Add(p, i))[:], lanes)
}

// wordLoop computes n bytes, a multiple of 8, from two operands. A uniform operand is nil; its word is same.
type wordLoop func(d, a, b unsafe.Pointer, same uint64, n int)

// fullLanes returns a byte of all ones for each sign bit of t, which has no other bits.
func fullLanes(t uint64) uint64 { return t<<1 - t>>7 }

// zipBytes returns a loop over two operands, one of which may be a single element: words computes all elements except
// the last, fewer than eight, which rest computes.
//
//go:noinline
func zipBytes[T integer](words wordLoop, rest func(d, a, b []T)) func(d, a, b []T) {
	return func(d, a, b []T) {
		n := len(d) &^ 7
		if n == 0 {
			rest(d, a, b)
			return
		}
		pa, pb, same := unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0]), uint64(0)
		switch {
		case len(b) == 1:
			pb, same = nil, uint64(uint8(b[0]))*laneOnes
		case len(a) == 1:
			pa, same = nil, uint64(uint8(a[0]))*laneOnes
		}
		words(unsafe.Pointer(&d[0]), pa, pb, same, n)
		if n == len(d) {
			return
		}
		if pa != nil {
			a = a[n:]
		}
		if pb != nil {
			b = b[n:]
		}
		rest(d[n:], a, b)
	}
}

// minMaxBytes returns the loop of the maximum or minimum of bytes.
func minMaxBytes[T integer](signed, larger bool) func(d, a, b []T) {
	switch {
	case larger && signed:
		return zipBytes(maxSignedWords, maximum8[T])
	case larger:
		return zipBytes(maxWords, maximum8[T])
	case signed:
		return zipBytes(minSignedWords, minimum8[T])
	}
	return zipBytes(minWords, minimum8[T])
}

func maxWords(d, a, b unsafe.Pointer, same uint64, n int) { minMaxWords(d, a, b, same, n, 0, 0) }
func maxSignedWords(d, a, b unsafe.Pointer, same uint64, n int) {
	minMaxWords(d, a, b, same, n, laneSigns, 0)
}
func minWords(d, a, b unsafe.Pointer, same uint64, n int) {
	minMaxWords(d, a, b, same, n, 0, ^uint64(0))
}
func minSignedWords(d, a, b unsafe.Pointer, same uint64, n int) {
	minMaxWords(d, a, b, same, n, laneSigns, ^uint64(0))
}

// minMaxWords selects the larger bytes, or the smaller ones if order is all ones; flip has the sign bits if bytes are
// signed.
func minMaxWords(d, a, b unsafe.Pointer, same uint64, n int, flip, order uint64) {
	if a == nil {
		a, b = b, a
	}
	if b == nil {
		y := same ^ flip
		for i := 0; i < n; i += 8 {
			setLanes(d, i, minMaxLanes(lanesAt(a, i, 0)^flip, y, order)^flip)
		}
		return
	}
	for i := 0; i < n; i += 8 {
		setLanes(d, i, minMaxLanes(lanesAt(a, i, 0)^flip, lanesAt(b, i, 0)^flip, order)^flip)
	}
}

func minMaxLanes(x, y, order uint64) uint64 {
	differ := x ^ y
	low := (x | laneSigns) - y&^laneSigns // its sign bits: x >= y apart from the sign bits of both
	larger := fullLanes((x&differ | low&^differ) & laneSigns)
	return y ^ differ&(larger^order)
}

// byteShift returns the loop of a shift of n-bit elements: words for bytes, all for others.
func byteShift[T integer](n int, words wordLoop, all func(d, a, b []T)) func(d, a, b []T) {
	if n == 8 {
		return zipBytes(words, all)
	}
	return all
}

// shiftLeftWords shifts bytes by the bits of their counts, one after the other.
func shiftLeftWords(d, a, b unsafe.Pointer, same uint64, n int) {
	if b == nil {
		by := uint8(same)
		mask := uint64(uint8(0xff)<<by) * laneOnes
		for i := 0; i < n; i += 8 {
			setLanes(d, i, lanesAt(a, i, same)<<(by&63)&mask)
		}
		return
	}
	for i := 0; i < n; i += 8 {
		x := lanesAt(a, i, same)
		y := lanesAt(b, i, same)
		x ^= (x ^ x<<1&(0xfe*laneOnes)) & (y & laneOnes * 0xff)
		x ^= (x ^ x<<2&(0xfc*laneOnes)) & (y >> 1 & laneOnes * 0xff)
		x ^= (x ^ x<<4&(0xf0*laneOnes)) & (y >> 2 & laneOnes * 0xff)
		setLanes(d, i, x&^beyond(y))
	}
}

// beyond returns all ones for counts of 8 and more.
func beyond(y uint64) uint64 {
	return fullLanes((y&(0x78*laneOnes) + 0x78*laneOnes | y) & laneSigns)
}

func shiftRightZeroWords(d, a, b unsafe.Pointer, same uint64, n int) {
	shiftRightWords(d, a, b, same, n, 0)
}
func shiftRightSignWords(d, a, b unsafe.Pointer, same uint64, n int) {
	shiftRightWords(d, a, b, same, n, laneSigns)
}

// shiftRightWords shifts in zeros, or the sign if signs has the sign bits: it shifts the complement of negative bytes.
func shiftRightWords(d, a, b unsafe.Pointer, same uint64, n int, signs uint64) {
	if b == nil {
		by := uint8(same)
		mask := uint64(uint8(0xff)>>by) * laneOnes
		for i := 0; i < n; i += 8 {
			x := lanesAt(a, i, same)
			negative := fullLanes(x & signs)
			setLanes(d, i, (x^negative)>>(by&63)&mask^negative)
		}
		return
	}
	for i := 0; i < n; i += 8 {
		x := lanesAt(a, i, same)
		y := lanesAt(b, i, same)
		negative := fullLanes(x & signs)
		x ^= negative
		x ^= (x ^ x>>1&(0x7f*laneOnes)) & (y & laneOnes * 0xff)
		x ^= (x ^ x>>2&(0x3f*laneOnes)) & (y >> 1 & laneOnes * 0xff)
		x ^= (x ^ x>>4&(0x0f*laneOnes)) & (y >> 2 & laneOnes * 0xff)
		setLanes(d, i, x&^beyond(y)^negative)
	}
}
