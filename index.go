package nx

import "github.com/go-nx/nx/internal/core"

// Index selects a part of an axis in [Tensor.At]: [Range], [From] and [To] make one.
//
// Methods:
//
//	func (x Index) Step(n int) Index // every n-th element of the range
type Index = core.Index

// Marker is an index without numbers: [Whole], [NewAxis] or [Ellipsis].
type Marker = core.Marker

const (
	// Whole selects a full axis.
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

// At returns a part of a tensor: for each axis an int, which drops the axis (negative from the
// end), a [Range], [From], [To] or [Whole]; [NewAxis] inserts an axis, [Ellipsis] skips axes. Axes
// without an index are kept in full.
//
// A scalar integer tensor is an index known only at run time; beyond the axis it
// is limited to it. Gradient: zero outside the part.
func (t Tensor) At(index ...any) Tensor {
	return Tensor(core.Tensor(t).At(index...))
}

// SetAt returns t with the part that the indices choose, as for [Tensor.At],
// replaced by v, which is broadcast to it. t itself stays as it is.
//
// Shapes: that of t. DTypes: that of t; v must fit. Gradient: to t outside the part, to v inside.
// Accuracy: exact. Errors: [ErrAxis] for more indices than axes, [ErrShape] where v does not
// broadcast.
func SetAt[V Operand](t Tensor, v V, index ...any) Tensor {
	return Tensor(core.SetAt[V](core.Tensor(t), v, index...))
}

// AddAt returns t with v, which is broadcast to it, added to the part that the indices choose, as for
// [Tensor.At]. t itself stays as it is.
//
// Shapes: that of t. DTypes: that of t; v must fit; integers wrap around. Gradient: to t as it is,
// to v from the part. Accuracy: rounded once. Errors: [ErrAxis] and [ErrShape], as [SetAt].
func AddAt[V Operand](t Tensor, v V, index ...any) Tensor {
	return Tensor(core.AddAt[V](core.Tensor(t), v, index...))
}

// Slice returns the part of t of the given sizes from a position on: an int or a scalar integer tensor for each axis,
// so that starts is a list of ints, of tensors, or of any ([]any{i, 0}). Negative starts count from the end; a start is
// limited so that the part fits, as in jax.lax.dynamic_slice. With [Tensor.At] sizes are those of ranges known when the
// program is built, with Slice the place is that of data. Names stay.
//
// Shapes: the sizes. DTypes: that of t. Gradient: zero outside the part, as that of [Tensor.At]. Accuracy: exact.
// Errors: [ErrShape] for a size that does not fit, and for a wrong number of starts or sizes, [ErrArgument] for a start
// that is neither.
func Slice[S any](t Tensor, starts []S, sizes []int) Tensor {
	return Tensor(core.Slice(core.Tensor(t), starts, sizes))
}

// SetSlice returns t with part written over it from the given position on, as [Slice] reads it: an
// int or a scalar integer tensor per axis, negative ones from the end, limited so that the part fits. Names
// merge.
//
// Shapes: that of t; the part is nowhere larger. DTypes: promoted. Gradient: to t outside the part,
// to the part inside. Accuracy: exact. Errors: [ErrShape] for a part that does not fit,
// and for a wrong number of positions.
func SetSlice(t, part Tensor, starts ...any) Tensor {
	return Tensor(core.SetSlice(core.Tensor(t), core.Tensor(part), starts...))
}

// AddSlice returns t with part added to it from the given position on, as [SetSlice] writes it.
//
// Shapes: that of t; the part is nowhere larger. DTypes: promoted; bools are added as [LogicalOr]. Gradient: to t, and
// to the part from its position. Accuracy: rounded once. Errors: those of [SetSlice].
func AddSlice(t, part Tensor, starts ...any) Tensor {
	return Tensor(core.AddSlice(core.Tensor(t), core.Tensor(part), starts...))
}

// TakeAlong returns the elements of t at indices along an axis, the first by default: the
// indices have the shape of t but for that axis, and select within each line separately, as
// those of [ArgSort] do. Negative indices count from the end. Options: [Axis]; [Clamp],
// the default, [Fill] or [Checked] for indices beyond the axis.
//
// Shapes: that of the indices. DTypes: that of t; the indices are integers. Gradient:
// added up at the indices; none where [Fill] filled. Accuracy: exact. Errors: [ErrAxis],
// [ErrShape] where other axes differ, [ErrDType].
func TakeAlong(t, indices Tensor, opts ...TakeOption) Tensor {
	return Tensor(core.TakeAlong(core.Tensor(t), core.Tensor(indices), opts...))
}

// Gather returns the parts of t at positions: the last axis of the indices is a position
// along the first axes of t, or those given. Negative indices count from the end; indices
// beyond an axis are limited to it. Options: [Axis].
//
// Shapes: t [n…, rest…], indices [m…, k] → [m…, rest…]. DTypes: that of t; the indices are
// integers. Gradient: added up at the positions. Accuracy: exact. Errors: [ErrShape] where
// positions and axes differ in number, [ErrAxis], [ErrDType].
func Gather(t, indices Tensor, opts ...AxisOption) Tensor {
	return Tensor(core.Gather(core.Tensor(t), core.Tensor(indices), opts...))
}

// AddGather returns t with updates added at positions: the last axis of the indices is a
// position along the first axes of t, or those given. Updates at one position add up.
// Negative indices count from the end; positions beyond an axis are dropped. Options: [Axis].
//
// Shapes: t [n…, rest…], indices [m…, k], updates [m…, rest…], whose rest may be smaller:
// it is added from the beginning. DTypes: promoted; the indices are integers. Gradient: to t
// everywhere, to the updates at the positions. Accuracy: the order of the sums is undefined.
// Errors: [ErrShape], [ErrAxis], [ErrDType].
func AddGather(t, indices, updates Tensor, opts ...AxisOption) Tensor {
	return Tensor(core.AddGather(core.Tensor(t), core.Tensor(indices), core.Tensor(updates), opts...))
}

// SetGather returns t with updates put at positions: the last axis of the indices is a
// position along the first axes of t, or those given. If several updates have one position, any of
// them may be the result. Negative indices count from the end; positions beyond an axis are dropped.
// Options: [Axis].
//
// Shapes: t [n…, rest…], indices [m…, k], updates [m…, rest…], whose rest may be smaller:
// it is put from the beginning. DTypes: promoted; the indices are integers. Gradient: to t
// elsewhere, to the updates at the positions. Accuracy: exact. Errors: [ErrShape],
// [ErrAxis], [ErrDType].
func SetGather(t, indices, updates Tensor, opts ...AxisOption) Tensor {
	return Tensor(core.SetGather(core.Tensor(t), core.Tensor(indices), core.Tensor(updates), opts...))
}

// SegmentSum adds up the rows of t that have the same number among ids, for the numbers
// from 0 to n-1; rows of other numbers are dropped.
//
// Shapes: t [m, rest…], ids [m] → [n, rest…]. DTypes: that of t; the numbers are integers.
// Gradient: that of the segment to its rows. Accuracy: the order of the sums is undefined.
// Errors: [ErrShape], [ErrDType], [ErrArgument] for a negative n.
func SegmentSum(t, ids Tensor, n int) Tensor {
	return Tensor(core.SegmentSum(core.Tensor(t), core.Tensor(ids), n))
}

// SegmentProd multiplies the rows of t that have the same number among ids, for the numbers from 0 to
// n-1; rows of other numbers are dropped. The product of no rows is 1, as jax.ops.segment_prod's.
//
// Shapes: t [m, rest…], ids [m] → [n, rest…]. DTypes: that of t, bools become u8; the numbers are
// integers. Gradient: the product of the other elements of the segment. Accuracy: the order of the
// products is undefined. Errors: [ErrShape], [ErrDType], [ErrArgument] for a negative n.
func SegmentProd(t, ids Tensor, n int) Tensor {
	return Tensor(core.SegmentProd(core.Tensor(t), core.Tensor(ids), n))
}

// SegmentMax returns the largest elements of the rows of t that have the same number among ids, for the
// numbers from 0 to n-1; rows of other numbers are dropped. Of no rows it is the least number of the
// type, -Inf where there is one, as jax.ops.segment_max's. NaN stays NaN.
//
// Shapes: t [m, rest…], ids [m] → [n, rest…]. DTypes: that of t, real; the numbers are integers.
// Gradient: to the largest element, shared by equal ones. Accuracy: exact. Errors: [ErrShape],
// [ErrDType] for complex numbers, [ErrArgument] for a negative n.
func SegmentMax(t, ids Tensor, n int) Tensor {
	return Tensor(core.SegmentMax(core.Tensor(t), core.Tensor(ids), n))
}

// SegmentMin is [SegmentMax] of the smallest elements; of no rows it is the largest number of the type,
// +Inf where there is one.
//
// Shapes: t [m, rest…], ids [m] → [n, rest…]. DTypes: that of t, real; the numbers are integers.
// Gradient: to the smallest element, shared by equal ones. Accuracy: exact. Errors: [ErrShape],
// [ErrDType] for complex numbers, [ErrArgument] for a negative n.
func SegmentMin(t, ids Tensor, n int) Tensor {
	return Tensor(core.SegmentMin(core.Tensor(t), core.Tensor(ids), n))
}

// SegmentMean returns the means of the rows of t that have the same number among ids, for the numbers
// from 0 to n-1; rows of other numbers are dropped. The mean of no rows is 0, as in TensorFlow and
// jraph, and not NaN: what follows in a graph of fewer nodes than the padding has stays finite.
//
// Shapes: t [m, rest…], ids [m] → [n, rest…]. DTypes: integers become f32; narrower floats are
// added up in f32, and integers wider than its digits in f64; the numbers are integers. Gradient: that
// of the segment to its rows, divided by their number. Accuracy: the order of the sums is undefined.
// Errors: [ErrShape], [ErrDType], [ErrArgument] for a negative n. Source:
// tf.math.unsorted_segment_mean.
func SegmentMean(t, ids Tensor, n int) Tensor {
	return Tensor(core.SegmentMean(core.Tensor(t), core.Tensor(ids), n))
}

// TakeOption is an option of [Take] and [TakeAlong].
type TakeOption = core.TakeOption

const (
	// Clamp limits the index to the axis: the first or the last element.
	Clamp = core.Clamp
	// Fill returns NaN, 0 where the element type has no NaN.
	Fill = core.Fill
	// Checked makes it an error. In a compiled function, where the indices are
	// not known while it is traced, it is [Clamp].
	Checked = core.Checked
)

// Take returns the slices of t at integer indices along an axis, the first by
// default: the axis is replaced by the shape of the indices; a list of them has its name, or
// the one of the axis. Negative indices count from the end. Options: [Axis]; [Clamp], the
// default, [Fill] or [Checked] for indices beyond the axis.
//
// Shapes: t [m, n, …], indices [k, …] → [k, …, n, …]. DTypes: any; the indices are integers.
// Gradient: added up at the indices; none where [Fill] filled. Accuracy: exact. Errors: [ErrDType]
// for indices that are not integers, [ErrAxis], with [Checked] for an index beyond, too, [ErrNames]
// where a list of indices is named otherwise than the axis.
func Take(t, indices Tensor, opts ...TakeOption) Tensor {
	return Tensor(core.Take(core.Tensor(t), core.Tensor(indices), opts...))
}
