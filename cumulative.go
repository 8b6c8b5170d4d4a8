package nx

import "github.com/go-nx/nx/internal/core"

// CumulativeOption is an option of cumulative functions.
type CumulativeOption = core.CumulativeOption

// CumSum returns for each element the sum of those up to it along an axis, the first by
// default. Options: [Axis], [Reversed] to sum from the end, [As], [SkipNaN].
//
// Shapes: that of t. DTypes: as for [Sum]: integers narrower than 32 bits are summed in 32, bools
// count; floats keep their type and those narrower than f32 are added in f32. Gradient: the sum
// from the other end. Accuracy: at most one rounding per element. Errors: [ErrAxis], [ErrDType] for
// real sums of complex numbers.
func CumSum(t Tensor, opts ...CumulativeOption) Tensor {
	return Tensor(core.CumSum(core.Tensor(t), opts...))
}

// CumProd returns for each element the product of those up to it along an axis, the first
// by default. Options: [Axis], [Reversed] to multiply from the end, [As], [SkipNaN].
//
// Shapes: that of t. DTypes: as for [Prod]: integers narrower than 32 bits are multiplied in 32;
// floats keep their type and those narrower than f32 are multiplied in f32. Gradient: the products
// of the others. Accuracy: at most one rounding per element. Errors: [ErrAxis], [ErrDType] for real
// products of complex numbers.
func CumProd(t Tensor, opts ...CumulativeOption) Tensor {
	return Tensor(core.CumProd(core.Tensor(t), opts...))
}

// CumMax returns for each element the largest of those up to it along an axis, the first
// by default; NaN from the first one on, with [SkipNaN] up to the first number. Options: [Axis],
// [Reversed], [SkipNaN].
//
// Shapes: that of t. DTypes: real. Gradient: to the largest; of equals a half to each side
// of a step, in the order of JAX, by some 25 ops for each of log2 n levels of steps.
// Accuracy: exact. Errors: [ErrAxis], [ErrDType] for complex numbers.
func CumMax(t Tensor, opts ...CumulativeOption) Tensor {
	return Tensor(core.CumMax(core.Tensor(t), opts...))
}

// CumMin returns for each element the smallest of those up to it along an axis, the first
// by default; NaN from the first one on, with [SkipNaN] up to the first number. Options: [Axis],
// [Reversed], [SkipNaN].
//
// Shapes: that of t. DTypes: real. Gradient: to the smallest; of equals a half to each side
// of a step, in the order of JAX. Accuracy: exact. Errors:
// [ErrAxis], [ErrDType] for complex numbers.
func CumMin(t Tensor, opts ...CumulativeOption) Tensor {
	return Tensor(core.CumMin(core.Tensor(t), opts...))
}

// Diff returns the differences of neighbours along an axis, the last by default, n times
// over: t[i+1] - t[i].
//
// Shapes: [m] → [max(m-n, 0)]. DTypes: that of t; integers wrap around, bools become u8. Gradient:
// 1 and -1. Accuracy: one rounding per difference. Errors: [ErrAxis], [ErrArgument] for a negative
// n.
func Diff(t Tensor, n int, opts ...AxisOption) Tensor {
	return Tensor(core.Diff(core.Tensor(t), n, opts...))
}
