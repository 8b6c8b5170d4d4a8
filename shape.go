package nx

import "github.com/go-nx/nx/internal/core"

// Reshape changes the shape, keeping the elements in row-major order; one size
// may be -1, found from the others. Names are dropped.
//
// Shapes: any of as many elements. DTypes: any. Gradient: reshaped back. Accuracy: exact. Errors:
// [ErrShape].
func Reshape(t Tensor, dims ...int) Tensor {
	return Tensor(core.Reshape(core.Tensor(t), dims...))
}

// Rename gives the axes names, "" for an axis without one; without names it
// takes them away.
//
// Shapes: that of t. DTypes: any. Gradient: passes. Accuracy: exact. Errors: [ErrNames] for a name
// that is there twice, or for other than a name an axis.
func Rename(t Tensor, names ...string) Tensor {
	return Tensor(core.Rename(core.Tensor(t), names...))
}

// Flatten joins axes, all when none is given, which must be adjacent, to one: the
// elements stay in row-major order.
//
// Shapes: [m, n, …] → [m·n, …]. Names: that of the joined axis is dropped. DTypes: any. Gradient:
// passes. Accuracy: exact. Errors: [ErrAxis] for axes that are not adjacent.
func Flatten(t Tensor, opts ...AxisOption) Tensor {
	return Tensor(core.Flatten(core.Tensor(t), opts...))
}

// Transpose permutes the axes: those given by [Axis], in order, or reversed
// when none is given. Names move along.
//
// Shapes: [m, n, …] → […, n, m]. DTypes: any. Gradient: permuted back. Accuracy: exact. Errors:
// [ErrAxis] for other than all axes.
func Transpose(t Tensor, opts ...AxisOption) Tensor {
	return Tensor(core.Transpose(core.Tensor(t), opts...))
}

// ExpandAxis inserts an axis of size 1, the first by default: [Axis] gives its
// position in the result, negative from the end.
//
// Shapes: [m, …] → [1, m, …]. DTypes: any. Gradient: squeezed. Accuracy: exact. Errors: [ErrAxis].
func ExpandAxis(t Tensor, opts ...AxisOption) Tensor {
	return Tensor(core.ExpandAxis(core.Tensor(t), opts...))
}

// Squeeze removes axes of size 1: those given by [Axis], or all.
//
// Shapes: [1, m, …] → [m, …]. DTypes: any. Gradient: reshaped back. Accuracy: exact. Errors:
// [ErrShape] for an axis of another size, [ErrAxis].
func Squeeze(t Tensor, opts ...AxisOption) Tensor {
	return Tensor(core.Squeeze(core.Tensor(t), opts...))
}

// BroadcastTo spreads a tensor over a shape, its axes aligned to the right.
//
// Shapes: the shape of t, aligned to the right, → shape: sizes are equal, or 1 in t. DTypes: any.
// Gradient: summed. Accuracy: exact. Errors: [ErrShape].
func BroadcastTo(t Tensor, dims ...int) Tensor {
	return Tensor(core.BroadcastTo(core.Tensor(t), dims...))
}

// Tile repeats a tensor along its axes, as often as reps says, aligned to the
// right: more of them than axes add leading axes.
//
// Shapes: [m, n] → [reps[0]·m, reps[1]·n]. DTypes: any. Gradient: summed. Accuracy: exact. Errors:
// [ErrArgument] for negative numbers.
func Tile(t Tensor, reps ...int) Tensor {
	return Tensor(core.Tile(core.Tensor(t), reps...))
}

// Reverse reverses the order along axes, all when none is given.
//
// Shapes: that of t. DTypes: any. Gradient: reversed. Accuracy: exact. Errors: [ErrAxis].
func Reverse(t Tensor, opts ...AxisOption) Tensor {
	return Tensor(core.Reverse(core.Tensor(t), opts...))
}

// Tril returns the lower triangle of matrices, the last two axes, with zeros
// elsewhere: elements at columns up to row + k.
//
// Shapes: that of t. DTypes: any. Gradient: the same triangle. Accuracy: exact. Errors: [ErrShape]
// for less than two axes.
func Tril(t Tensor, k int) Tensor {
	return Tensor(core.Tril(core.Tensor(t), k))
}

// Triu returns the upper triangle of matrices, with zeros elsewhere: elements at
// columns from row + k.
//
// Shapes: that of t. DTypes: any. Gradient: the same triangle. Accuracy: exact. Errors: [ErrShape]
// for less than two axes.
func Triu(t Tensor, k int) Tensor {
	return Tensor(core.Triu(core.Tensor(t), k))
}

// Pad adds elements of a value before and after each axis, as many as lo and hi
// say, one pair an axis; negative numbers cut.
//
// Shapes: [n, …] → [n+lo+hi, …]. DTypes: promoted; a number must fit. Gradient: that of
// the part that is left. Accuracy: exact. Errors: [ErrShape] where more is cut than there
// is, [ErrArgument] where pairs and axes differ in number.
func Pad[V Operand](t Tensor, v V, lohi ...[2]int) Tensor {
	return Tensor(core.Pad[V](core.Tensor(t), v, lohi...))
}

// PadInterior is [Pad] with elements also between those of an axis, as many as inner says
// for each: they come before what is cut.
//
// Shapes: [n, …] → [n+(n-1)·inner+lo+hi, …]. DTypes: promoted; a number must fit.
// Gradient: that of the elements that are left. Accuracy: exact. Errors: those of [Pad],
// [ErrArgument] for negative numbers between elements.
func PadInterior[V Operand](t Tensor, v V, inner []int, lohi ...[2]int) Tensor {
	return Tensor(core.PadInterior[V](core.Tensor(t), v, inner, lohi...))
}
