package nx

import "github.com/go-nx/nx/internal/core"

// Concatenate joins tensors along an axis, the first by default. Other sizes
// must be equal; names merge.
//
// Shapes: [m, …], [n, …] → [m+n, …] along the axis. DTypes: promoted. Gradient: the parts.
// Accuracy: exact. Errors: [ErrShape] for other sizes that differ, [ErrNames], [ErrArgument] for no
// tensors.
func Concatenate(ts []Tensor, opts ...AxisOption) Tensor {
	return Tensor(core.Concatenate(core.Retype[[]core.Tensor](ts), opts...))
}

// Stack joins tensors of one shape along a new axis, the first by default: [Axis]
// gives its position in the result, negative from the end. Names merge.
//
// Shapes: [m, …] of k tensors → [k, m, …]. DTypes: promoted. Gradient: the parts. Accuracy: exact.
// Errors: [ErrShape] for shapes that differ, [ErrAxis], [ErrArgument] for no tensors.
func Stack(ts []Tensor, opts ...AxisOption) Tensor {
	return Tensor(core.Stack(core.Retype[[]core.Tensor](ts), opts...))
}

// Split cuts a tensor along an axis, the first by default, into parts of the
// given sizes, which must add up to the axis.
//
// Shapes: [m+n, …] → [m, …], [n, …] along the axis. DTypes: any. Gradient: joined. Accuracy: exact.
// Errors: [ErrShape] for sizes that do not add up, [ErrAxis].
func Split(t Tensor, sizes []int, opts ...AxisOption) []Tensor {
	return core.Retype[[]Tensor](core.Split(core.Tensor(t), sizes, opts...))
}
