package rt

import "unsafe"

// CombineOp is the update computation of a scatter.
type CombineOp uint8

// The update computations that a tier may have.
const (
	CombineSet CombineOp = iota // replaces elements
	CombineSum
	CombineProd
	CombineMax
	CombineMin
	NumCombineOps
)

// Float16 and BFloat16 are elements of these formats.
type (
	Float16  uint16
	BFloat16 uint16
)

// CombinePack is a type of narrow integers that are packed into four-byte elements.
type CombinePack uint8

// The packs of scatters.
const (
	CombineS8 CombinePack = iota
	CombineU8
	CombineS16
	CombineU16
	NumCombinePacks
)

// CombineSteps are the scatter steps of a tier.
type CombineSteps interface {
	// Step returns the [CombineStep] for elements of the type of like, or for packs, nil if there is none. Replacing
	// elements takes unsigned integers.
	Step(op CombineOp, like any) CombineStep
	// Offsets computes the offsets of a prefix of the indices, and returns its length. Index i, whose size is bytes,
	// has number i·step. at[i] becomes stride times it, or with moves at[i] plus that; it becomes -1 if the index is
	// negative or above the limit, or if an at[i] to be moved is negative.
	Offsets(at []int, indices unsafe.Pointer, bytes, step, stride, limit int, moves bool) int
}

// A CombineStep combines rows of elements into others, one row after another. It is safe for concurrent use.
type CombineStep interface {
	// Rows combines n elements of src from number i·step on into the elements of dst from number at[i] on, for each i
	// in order; negative offsets are skipped. Rows of dst are identical or disjoint.
	Rows(dst, src unsafe.Pointer, at []int, step, n int)
}
