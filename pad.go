package nx

import "github.com/go-nx/nx/internal/core"

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
