package nx

import "github.com/go-nx/nx/internal/core"

// Roll moves the elements along axes by shift places toward the end; those that fall off
// come in again at the beginning. Without [Axis] the elements are rolled in row-major
// order.
//
// Shapes: that of t. DTypes: that of t. Gradient: rolled back. Accuracy: exact. Errors: [ErrAxis].
func Roll(t Tensor, shift int, opts ...AxisOption) Tensor {
	return Tensor(core.Roll(core.Tensor(t), shift, opts...))
}

// Repeat repeats each element n times along an axis, the first by default.
//
// Shapes: [m, …] → [m·n, …]. DTypes: that of t. Gradient: summed. Accuracy: exact. Errors:
// [ErrAxis], [ErrArgument] for a negative n.
func Repeat(t Tensor, n int, opts ...AxisOption) Tensor {
	return Tensor(core.Repeat(core.Tensor(t), n, opts...))
}

// Tri returns a matrix with ones at columns up to row + k, and zeros elsewhere.
//
// Shapes: [rows, columns]. DTypes: any that is given. Gradient: none. Accuracy: exact. Errors:
// [ErrShape], [ErrDType].
func Tri(rows, columns, k int, d DType) Tensor {
	return Tensor(core.Tri(rows, columns, k, d))
}

// Diagonal returns a diagonal of matrices, the last two axes: the elements at columns row
// + k.
//
// Shapes: [..., m, n] → [..., length]. DTypes: that of t. Gradient: to the diagonal.
// Accuracy: exact. Errors: [ErrShape] for a rank below 2, [ErrArgument] for a k beyond the
// matrix.
func Diagonal(t Tensor, k int) Tensor {
	return Tensor(core.Diagonal(core.Tensor(t), k))
}

// Diag returns square matrices with vectors, the last axis, on their k-th diagonal, above
// the main one, and zeros elsewhere.
//
// Shapes: [..., n] → [..., n+|k|, n+|k|]. DTypes: that of t. Gradient: to the diagonal.
// Accuracy: exact. Errors: [ErrShape] for a scalar.
func Diag(t Tensor, k int) Tensor {
	return Tensor(core.Diag(core.Tensor(t), k))
}

// SetDiagonal returns matrices, the last two axes of t, with another k-th diagonal.
//
// Shapes: t [..., m, n], diagonal [..., length] → [..., m, n]. DTypes: promoted. Gradient:
// to t elsewhere, to the diagonal there. Accuracy: exact. Errors: [ErrShape] where the
// diagonal has another length, [ErrArgument] for a k beyond the matrix.
func SetDiagonal(t, diagonal Tensor, k int) Tensor {
	return Tensor(core.SetDiagonal(core.Tensor(t), core.Tensor(diagonal), k))
}

// PadMode says which elements of the tensor [PadWith] pads with.
type PadMode = core.PadMode

const (
	PadEdge      = core.PadEdge      // the element at the edge: 1 1 1 | 1 2 3 | 3 3 3
	PadReflect   = core.PadReflect   // mirrored without the edge: 1 3 2 | 1 2 3 | 2 1 2
	PadSymmetric = core.PadSymmetric // mirrored with the edge: 3 2 1 | 1 2 3 | 3 2 1
	PadWrap      = core.PadWrap      // from the other end: 1 2 3 | 1 2 3 | 1 2 3
)

// PadWith adds elements before and after each axis, as many as lo and hi say, one pair an
// axis, taken from the tensor as the mode says, however many times around. Axes are padded
// one after another.
//
// Shapes: [n, …] → [n+lo+hi, …]. DTypes: that of t. Gradient: added up at the elements.
// Accuracy: exact. Errors: [ErrArgument] for negative numbers and unknown modes, [ErrShape]
// where an axis without elements gets some.
func PadWith(t Tensor, mode PadMode, lohi ...[2]int) Tensor {
	return Tensor(core.PadWith(core.Tensor(t), mode, lohi...))
}
