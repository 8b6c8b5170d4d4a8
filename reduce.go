package nx

import "github.com/go-nx/nx/internal/core"

// ArgMax returns the index of the first largest element along one axis, or in the
// flattened tensor when none is given; of the first NaN where there is one. Options:
// [Axis], [KeepAxes], [As], [SkipNaN].
//
// Shapes: the axis is dropped, or kept with size 1. DTypes: real; the result is s32, or the integer
// type of [As]. With [SkipNaN], the index is -1 where all are NaN, as JAX's. Gradient: none. Accuracy:
// exact. Errors: [ErrAxis], [ErrShape] for an axis of size 0, [ErrValue] for an index that its type
// cannot hold, [ErrDType] for an unsigned type with [SkipNaN] of floats.
func ArgMax(t Tensor, opts ...ReduceOption) Tensor {
	return Tensor(core.ArgMax(core.Tensor(t), opts...))
}

// ArgMin returns the index of the first smallest element along one axis, or in the
// flattened tensor when none is given; of the first NaN where there is one. Options:
// [Axis], [KeepAxes], [As], [SkipNaN].
//
// Shapes: the axis is dropped, or kept with size 1. DTypes: real; the result is s32, or the integer
// type of [As]. With [SkipNaN], the index is -1 where all are NaN, as JAX's. Gradient: none. Accuracy:
// exact. Errors: [ErrAxis], [ErrShape] for an axis of size 0, [ErrValue] for an index that its type
// cannot hold, [ErrDType] for an unsigned type with [SkipNaN] of floats.
func ArgMin(t Tensor, opts ...ReduceOption) Tensor {
	return Tensor(core.ArgMin(core.Tensor(t), opts...))
}

// Sum adds the elements along axes, all when none is given. Options: [Axis],
// [KeepAxes], [As], [SkipNaN].
//
// Shapes: reduced axes are dropped, or kept with size 1. DTypes: integers narrower than 32
// bits are summed in 32, bools count; floats keep their type and those narrower than f32
// are added in f32. An empty sum is 0. Gradient: 1. Accuracy: pairwise. Errors: [ErrAxis],
// [ErrDType] for a real sum of complex numbers.
func Sum(t Tensor, opts ...ReduceOption) Tensor {
	return Tensor(core.Sum(core.Tensor(t), opts...))
}

// Prod multiplies the elements along axes, all when none is given. Options: [Axis],
// [KeepAxes], [As], [SkipNaN].
//
// Shapes: reduced axes are dropped, or kept with size 1. DTypes: as for sums: integers
// narrower than 32 bits are multiplied in 32, floats keep their type and those narrower
// than f32 are multiplied in f32. An empty product is 1. Gradient: the product of the
// others. Accuracy: one rounding a factor. Errors: [ErrAxis], [ErrDType] for a real
// product of complex numbers.
func Prod(t Tensor, opts ...ReduceOption) Tensor {
	return Tensor(core.Prod(core.Tensor(t), opts...))
}

// Mean returns the mean along axes, all when none is given. Options: [Axis], [KeepAxes],
// [As], [SkipNaN].
//
// Shapes: reduced axes are dropped, or kept with size 1. DTypes: integers become f32;
// floats narrower than f32 are added in f32. The mean of nothing is NaN. Gradient: 1/n.
// Accuracy: that of [Sum] and a division. Errors: [ErrAxis], [ErrDType] for a result that
// is not a float.
func Mean(t Tensor, opts ...ReduceOption) Tensor {
	return Tensor(core.Mean(core.Tensor(t), opts...))
}

// Var returns the mean squared distance from the mean along axes, all when none is
// given. Options: [Axis], [KeepAxes], [As], [DDOF], [SkipNaN].
//
// Shapes: reduced axes are dropped, or kept with size 1. DTypes: integers become f32; floats
// narrower than f32 are added in f32; real for a complex tensor. Gradient: 2(t-mean)/n. Accuracy:
// two passes, no cancellation. Of what [SkipNaN] leaves, no more than the degrees of freedom have the
// variance NaN. Errors: [ErrAxis], [ErrArgument] for negative degrees of freedom. Source: two passes as
// in Chan, Golub, LeVeque, doi:10.1080/00031305.1983.10483115.
func Var(t Tensor, opts ...VarOption) Tensor {
	return Tensor(core.Var(core.Tensor(t), opts...))
}

// Std returns the square root of [Var]. Options: [Axis], [KeepAxes],
// [As], [DDOF], [SkipNaN].
//
// Shapes: reduced axes are dropped, or kept with size 1. DTypes: integers become f32; floats
// narrower than f32 are added in f32; real for a complex tensor. Gradient: (t-mean)/(n·deviation),
// NaN where all elements are equal. Accuracy: two passes, no cancellation. Errors: [ErrAxis],
// [ErrArgument] for negative degrees of freedom. Source: two passes as in Chan, Golub, LeVeque,
// doi:10.1080/00031305.1983.10483115.
func Std(t Tensor, opts ...VarOption) Tensor {
	return Tensor(core.Std(core.Tensor(t), opts...))
}

// Max returns the largest element along axes, all when none is given; NaN when there is
// one. Options: [Axis], [KeepAxes], [SkipNaN].
//
// Shapes: reduced axes are dropped, or kept with size 1. DTypes: real. Gradient: shared by
// equal largest elements. Accuracy: exact. Errors: [ErrAxis], [ErrShape] for the maximum of
// nothing, [ErrDType] for complex numbers.
func Max(t Tensor, opts ...ReduceOption) Tensor {
	return Tensor(core.Max(core.Tensor(t), opts...))
}

// Min returns the smallest element along axes, all when none is given; NaN when there is
// one. Options: [Axis], [KeepAxes], [SkipNaN].
//
// Shapes: reduced axes are dropped, or kept with size 1. DTypes: real. Gradient: shared by
// equal smallest elements. Accuracy: exact. Errors: [ErrAxis], [ErrShape] for the minimum
// of nothing, [ErrDType] for complex numbers.
func Min(t Tensor, opts ...ReduceOption) Tensor {
	return Tensor(core.Min(core.Tensor(t), opts...))
}

// All returns whether all elements along axes are non-zero, along all axes when none is
// given; true for none. Options: [Axis], [KeepAxes], [SkipNaN].
//
// Shapes: reduced axes are dropped, or kept with size 1. DTypes: any, NaN is not zero; the result
// is bool. Gradient: zero. Accuracy: exact. Errors: [ErrAxis].
func All(t Tensor, opts ...ReduceOption) Tensor {
	return Tensor(core.All(core.Tensor(t), opts...))
}

// Any returns whether any element along axes is non-zero, along all axes when none is
// given; false for none. Options: [Axis], [KeepAxes], [SkipNaN].
//
// Shapes: reduced axes are dropped, or kept with size 1. DTypes: any, NaN is not zero; the result
// is bool. Gradient: zero. Accuracy: exact. Errors: [ErrAxis].
func Any(t Tensor, opts ...ReduceOption) Tensor {
	return Tensor(core.Any(core.Tensor(t), opts...))
}
