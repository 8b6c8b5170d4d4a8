package nx

import "github.com/go-nx/nx/internal/core"

// ArrayEqual reports whether two tensors have the same shape, the same vectorised axes
// and equal elements, compared as [Equal] does: NaN is unequal to all, names and element
// types do not matter. It reads the result, so it takes no traced tensors.
func ArrayEqual(a, b Tensor) bool {
	return core.ArrayEqual(core.Tensor(a), core.Tensor(b))
}

// Median returns the middle one of the sorted elements along an axis, or of all when none
// is given; the mean of the two in the middle when their number is even. Where there is a NaN, the
// result is NaN, as NumPy's and that of [Quantile]. Options: [Axis], [KeepAxes], [SkipNaN].
//
// Shapes: the axis is dropped, or kept with size 1. DTypes: real; that of t for an odd
// number, where integers become f32 for an even one. Gradient: to the elements in the
// middle. Accuracy: exact, or a mean of two, which does not overflow. Errors: [ErrAxis], [ErrShape] for
// an axis of size 0, [ErrDType] for complex numbers.
func Median(t Tensor, opts ...ReduceOption) Tensor {
	return Tensor(core.Median(core.Tensor(t), opts...))
}

// Mode returns the element that is there most often along an axis, or of all when none is
// given: the smallest of those. NaN is equal to no element, and the result only where there is nothing
// else, also without [SkipNaN]. Options: [Axis], [KeepAxes], [SkipNaN].
//
// Shapes: the axis is dropped, or kept with size 1. DTypes: real. Gradient: none. Accuracy:
// exact. Errors: [ErrAxis], [ErrShape] for an axis of size 0, [ErrDType] for complex
// numbers.
func Mode(t Tensor, opts ...ReduceOption) Tensor {
	return Tensor(core.Mode(core.Tensor(t), opts...))
}

// Quantile returns the elements below which a share q of the elements lies, along an axis,
// or of all when none is given: between two elements it is interpolated. It is one of them where they
// are equal, and does not fall as q grows. Where there is a NaN, the result is NaN, as NumPy's. Options:
// [Axis], [KeepAxes], [SkipNaN].
//
// Shapes: the axis is dropped, or kept with size 1. DTypes: real; integers become f32. Gradient:
// to the two elements. Accuracy: ≤ 2 ulp of the larger; beside an infinite one it is infinite, and NaN
// between two of them. Errors: [ErrValue] for a q that is not between 0 and 1, and those of [Median].
// Source: definition 7 of Hyndman, Fan, doi:10.1080/00031305.1996.10473566; the interpolation is that
// of C++ (std::lerp, P0811R3).
func Quantile(t Tensor, q float64, opts ...ReduceOption) Tensor {
	return Tensor(core.Quantile(core.Tensor(t), q, opts...))
}

// WeightedMean returns Σ w·t / Σ w along axes, all when none is given. The weights have
// the shape of t, or as many axes as are reduced. Options: [Axis], [KeepAxes], [SkipNaN], which leaves
// an element out with its weight.
//
// Shapes: reduced axes are dropped, or kept with size 1. DTypes: promoted, integers become
// f32; floats narrower than f32 are added in f32. Gradient: w/Σw to t. Accuracy: two sums
// and a division. Errors: [ErrShape] where the weights do not fit, [ErrAxis].
func WeightedMean(t, weights Tensor, opts ...ReduceOption) Tensor {
	return Tensor(core.WeightedMean(core.Tensor(t), core.Tensor(weights), opts...))
}

// Cov returns the covariance matrices of observations, the rows of the last two
// axes: of each pair of columns the mean product of their distances from their means.
// Options: [DDOF] to divide by the number of observations less n.
//
// Shapes: [..., n, d] → [..., d, d]. DTypes: integers become f32; floats narrower than f32 are
// added in f32. Gradient: of the composition. Accuracy: two passes, no cancellation. Errors:
// [ErrShape] for a rank below 2, [ErrArgument]. Source: two passes as in Chan, Golub, LeVeque,
// doi:10.1080/00031305.1983.10483115.
func Cov(t Tensor, opts ...CovOption) Tensor {
	return Tensor(core.Cov(core.Tensor(t), opts...))
}

// CovOption is an option of [Cov].
type CovOption = core.CovOption

// Around takes distances from this mean instead of that of the observations.
func Around(mean Tensor) CovOption {
	return core.Around(core.Tensor(mean))
}

// Histogram counts the elements in n bins of equal width from lo to hi; a bin has its lower edge
// in it, the last one hi too. Elements beyond, and NaN, are not counted.
//
// Shapes: [n]. DTypes: real; the counts are s32. Gradient: none. Accuracy: counts are exact; edges
// of bins are NumPy's, lo + i·((hi-lo)/n) rounded at each step, of floats to their type at last.
// Errors: [ErrArgument] for an n below 1, [ErrValue] for bounds that are not in order.
func Histogram(t Tensor, n int, lo, hi float64) Tensor {
	return Tensor(core.Histogram(core.Tensor(t), n, lo, hi))
}

// Bincount counts how often each number from 0 to n-1 is among the elements; others are not counted.
// The length is that of the argument n, for compiled functions, and not that of the largest element.
//
// Shapes: any → [n]. DTypes: integers; the counts are s32. Gradient: none. Accuracy: exact. Errors:
// [ErrDType] for elements that are not integers, [ErrArgument] for a negative n. Source:
// numpy.bincount, which refuses negative numbers.
func Bincount(t Tensor, n int) Tensor {
	return Tensor(core.Bincount(core.Tensor(t), n))
}

// WeightedBincount adds up the weights of the elements that are each number from 0 to n-1; those of
// others are left out. The weights broadcast.
//
// Shapes: any, and weights that spread over it → [n]. DTypes: integers; the sums have the type of the
// weights, bools become u8. Gradient: that of the number to the weights of its elements. Accuracy: the
// order of the sums is undefined. Errors: [ErrDType], [ErrShape] for weights that do not spread,
// [ErrArgument] for a negative n. Source: numpy.bincount.
func WeightedBincount(t, weights Tensor, n int) Tensor {
	return Tensor(core.WeightedBincount(core.Tensor(t), core.Tensor(weights), n))
}

// CloseOption is an option of [IsClose] and [AllClose].
type CloseOption = core.CloseOption

// Tolerance lets a and b be close where |a - b| ≤ absolute + relative·|b|.
func Tolerance(relative, absolute float64) CloseOption {
	return core.Tolerance(relative, absolute)
}

// EqualNaN makes NaN close to NaN.
const EqualNaN = core.EqualNaN

// IsClose returns whether |a - b| ≤ 1e-8 + 1e-5·|b|, as bools; infinities are close to
// themselves. Options: [Tolerance], [EqualNaN].
//
// Shapes: NumPy broadcasting; names merge. DTypes: any; integers are compared in f64. Gradient:
// zero. Accuracy: the difference is rounded as in [Sub], the limit once. Errors: [ErrValue] for
// negative tolerances.
func IsClose[A, B Operand](a A, b B, opts ...CloseOption) Tensor {
	return Tensor(core.IsClose[A, B](a, b, opts...))
}

// AllClose returns whether all elements are close as [IsClose] says, as a bool tensor:
// [Item] makes it a Go bool. Options: [Tolerance], [EqualNaN].
//
// Shapes: scalar. DTypes: any; integers are compared in f64. Gradient: zero. Accuracy: the
// difference is rounded as in [Sub], the limit once. Errors: [ErrValue] for negative
// tolerances.
func AllClose[A, B Operand](a A, b B, opts ...CloseOption) Tensor {
	return Tensor(core.AllClose[A, B](a, b, opts...))
}
