package rt

import "unsafe"

// SortSteps are the steps of radix sorts that a tier has. Elements have 4 or 8 bytes, size. They are safe for concurrent
// use.
type SortSteps interface {
	// Count adds the number of elements with each digit to its counter. A digit is as many bits of an element from
	// shift on as tell the counters apart, which are a power of two.
	Count(counters []uint32, src unsafe.Pointer, size, n int, shift uint)
	// Move moves each element, in their order, to element next[digit] of dst, and counts that on. Where they go, there
	// is memory.
	Move(next []uint32, dst, src unsafe.Pointer, size, n int, shift uint)
	// Rank maps elements to unsigned integers of an order, and reports whether that makes different ones equal.
	Rank(dst, src unsafe.Pointer, size, n int, o *RankMap) (merged bool)
	// Unrank is the inverse.
	Unrank(dst, src unsafe.Pointer, size, n int, o *RankMap)
}

// RankMap say how elements are mapped to unsigned integers of the same order: an element x, negative where its upper bit
// is set, becomes x ^ Sign ^ Invert, or where it is negative x ^ (Sign|Turned) ^ Invert.
type RankMap struct {
	Sign, FlipNegative, Invert uint64
	// Infinity is 0, or the bits of an infinity: then -0 is 0, and all of a magnitude above are the same, NaNs.
	Infinity uint64
}
