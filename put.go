package nx

import "github.com/go-nx/nx/internal/core"

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

// PutSlice returns t with part written over it from the given position on: an
// int or a scalar integer tensor an axis, limited so that the part fits. Names
// merge.
//
// Shapes: that of t; the part is nowhere larger. DTypes: promoted. Gradient: to t outside the part,
// to the part inside. Accuracy: exact. Errors: [ErrShape] for a part that does not fit,
// and for other than a position an axis.
func PutSlice(t, part Tensor, starts ...any) Tensor {
	return Tensor(core.PutSlice(core.Tensor(t), core.Tensor(part), starts...))
}
