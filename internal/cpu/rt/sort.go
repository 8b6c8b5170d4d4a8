package rt

import "unsafe"

// SortSteps are the radix sort steps of a tier. Elements have size bytes, 4 or 8. They are safe for concurrent use.
type SortSteps interface {
	// Count adds the number of elements with each digit to its counter. A digit is the bits of an element from shift on
	// that index the counters, whose number is a power of two.
	Count(counters []uint32, src unsafe.Pointer, size, n int, shift uint)
	// Move moves each element, in order, to element next[digit] of dst, and increments that. The caller guarantees
	// memory for all of them.
	Move(next []uint32, dst, src unsafe.Pointer, size, n int, shift uint)
	// Rank maps elements to unsigned integers of their order, and reports whether it merged different elements.
	Rank(dst, src unsafe.Pointer, size, n int, o *RankMap) (merged bool)
	// Unrank is the inverse.
	Unrank(dst, src unsafe.Pointer, size, n int, o *RankMap)
}

// RankMap maps elements to unsigned integers of the same order: a nonnegative element x becomes x ^ Sign ^ Invert, a
// negative one (with its top bit set) x ^ (Sign|FlipNegative) ^ Invert.
type RankMap struct {
	Sign, FlipNegative, Invert uint64
	// Infinity is 0, or the bits of +∞: then -0 becomes 0, and all larger magnitudes, NaNs, become one.
	Infinity uint64
}
