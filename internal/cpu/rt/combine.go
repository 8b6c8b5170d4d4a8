package rt

import "unsafe"

// CombineOp is an operation by which scatters change elements.
type CombineOp uint8

// The operations of scatters that a tier may have.
const (
	CombineSet CombineOp = iota // replaces them
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

// CombinePack is a type of narrow integers of which an element has four bytes, one beside another.
type CombinePack uint8

// The packs of scatters.
const (
	CombineS8 CombinePack = iota
	CombineU8
	CombineS16
	CombineU16
	NumCombinePacks
)

// CombineSteps are the steps of scatters that a tier has.
type CombineSteps interface {
	// Step returns the [CombineStep] of elements of the type of like, or of the packs that it is, nil where there is
	// none. What replaces elements is that of unsigned integers.
	Step(op CombineOp, like any) CombineStep
	// Places finds the first of the places that indices lead to, and returns how many it did. Index i, of so many
	// bytes, is the one with number i·step; at[i] becomes stride times it, or at[i] and as much where places move
	// on, and -1 where the index is negative or above the limit, or a place that moves on is negative.
	Offsets(at []int, indices unsafe.Pointer, bytes, step, stride, limit int, moves bool) int
}

// A CombineStep changes rows of elements by others, one row after another. It is safe for concurrent use.
type CombineStep interface {
	// Rows changes the n elements of dst from number at[i] on by as many of src from number i·step on, for each i
	// in order; a negative at[i] leaves the row out. Rows of dst are the same or have no element in common.
	Rows(dst, src unsafe.Pointer, at []int, step, n int)
}
