package nx

import "github.com/go-nx/nx/internal/core"

// Where returns a where cond is non-zero and b elsewhere. All three broadcast.
//
// Shapes: the three broadcast; names and vectorised axes merge. DTypes: that of a and b, promoted.
// Gradient: to the chosen one. Accuracy: exact. Errors: [ErrShape], [ErrNames].
func Where[A, B Operand](cond Tensor, a A, b B) Tensor {
	return Tensor(core.Where[A, B](core.Tensor(cond), a, b))
}

// Clip limits the elements to [lo, hi]: Minimum(Maximum(t, lo), hi). NaN stays
// NaN.
//
// Shapes: the three broadcast; names and vectorised axes merge. DTypes: real; promoted. Gradient:
// passes inside the closed interval. Accuracy: exact. Errors: [ErrDType] for complex numbers.
func Clip[A, B Operand](t Tensor, lo A, hi B) Tensor {
	return Tensor(core.Clip[A, B](core.Tensor(t), lo, hi))
}

// Relu returns max(t, 0).
//
// Shapes: that of t. DTypes: real. Gradient: 1 above 0, 0 below, half at 0. Accuracy:
// exact. Errors: [ErrDType] for complex numbers.
func Relu(t Tensor) Tensor {
	return Tensor(core.Relu(core.Tensor(t)))
}

// OneHot returns, for a tensor of class indices, 1 at the class and 0
// elsewhere along a new last axis of size n. An index out of range gives zeros.
//
// Shapes: indices […] → […, n]. DTypes: integer indices; the result has the type that is given.
// Gradient: none. Accuracy: exact. Errors: [ErrDType] for indices that are not integers.
func OneHot(t Tensor, n int, d DType) Tensor {
	return Tensor(core.OneHot(core.Tensor(t), n, d))
}

// StopGradient returns t; derivatives do not pass.
//
// Shapes: that of t. DTypes: any. Gradient: zero. Accuracy: exact.
func StopGradient(t Tensor) Tensor {
	return Tensor(core.StopGradient(core.Tensor(t)))
}
