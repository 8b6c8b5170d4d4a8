package nx

import "github.com/go-nx/nx/internal/core"

// Index is a part of an axis for [Tensor.At].
type Index = core.Index

// Marker is an index without numbers: [Whole], [NewAxis] or [Ellipsis].
type Marker = core.Marker

const (
	// Whole is the whole of an axis.
	Whole = core.Whole
	// NewAxis inserts an axis of size 1.
	NewAxis = core.NewAxis
	// Ellipsis stands for Whole of as many axes as are left.
	Ellipsis = core.Ellipsis
)

// Range is the elements lo ≤ i < hi of an axis; negative bounds count from the
// end, and bounds beyond the axis are cut as Python's slices are.
func Range(lo, hi int) Index {
	return core.Range(lo, hi)
}

// From is the elements from lo to the end of an axis.
func From(lo int) Index {
	return core.From(lo)
}

// To is the elements before hi.
func To(hi int) Index {
	return core.To(hi)
}

// At returns a part of a tensor: for each axis an int, which drops the axis
// (negative from the end), a [Range], [From], [To] or [Whole]; [NewAxis] inserts
// an axis, [Ellipsis] skips axes. Axes without an index are kept whole.
//
// A scalar integer tensor is an index known only at run time; beyond the axis it
// is limited to it. Gradient: zero outside the part.
func (t Tensor) At(index ...any) Tensor {
	return Tensor(core.Tensor(t).At(index...))
}
