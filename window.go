package nx

import "github.com/go-nx/nx/internal/core"

// WindowOption is an option of functions of windows that move over a tensor, and of
// [Conv].
type WindowOption = core.WindowOption

// ConvOption is an option of [Conv].
type ConvOption = core.ConvOption

// Same pads so that, with strides of 1, the result has the shape of the operand; the odd
// element goes to the end. Strides do not change the padding: padding="SAME" of JAX is less
// where they are larger than 1, see docs/rosetta.md.
func Same() WindowOption {
	return core.Same()
}

// Padding pads each axis by so many elements before and after, one pair an axis; negative
// numbers cut. Without it nothing is padded.
func Padding(lohi ...[2]int) WindowOption {
	return core.Padding(lohi...)
}

// Strides lets windows move by so many elements along each axis, or along all of them
// when it is one number. Without it they move by 1.
func Strides(n ...int) WindowOption {
	return core.Strides(n...)
}

// Dilation spreads the elements of a window, or of the kernel of a convolution: every
// n-th element belongs to it, for each axis, or for all when it is one number.
func Dilation(n ...int) WindowOption {
	return core.Dilation(n...)
}

// WindowSum adds the elements of each of the windows that move over a tensor: one size an
// axis. Padding counts as 0. Options: [Same], [Padding], [Strides], [Dilation].
//
// Shapes: [n, …] → [(n+lo+hi-(size-1)·dilation-1)/stride+1, …]. DTypes: that of t; integers
// wrap around, bools become u8; floats narrower than f32 are added in f32. Gradient: to
// each element of a window. Accuracy: a sum of the window. Errors: [ErrShape] where no
// window fits, [ErrArgument].
func WindowSum(t Tensor, size []int, opts ...WindowOption) Tensor {
	return Tensor(core.WindowSum(core.Tensor(t), size, opts...))
}

// WindowProd multiplies the elements of each of the windows that move over a tensor: one
// size an axis. Padding counts as 1. Options: [Same], [Padding], [Strides], [Dilation].
//
// Shapes: as [WindowSum]. DTypes: that of t; integers wrap around, bools become u8. Gradient: the
// product of the others. Accuracy: one rounding a factor. Errors: those of [WindowSum].
func WindowProd(t Tensor, size []int, opts ...WindowOption) Tensor {
	return Tensor(core.WindowProd(core.Tensor(t), size, opts...))
}

// WindowMax returns the largest element of each of the windows that move over a tensor,
// one size an axis; NaN where there is one. With [Strides] it is max pooling. Padding is
// beyond all elements. Options: [Same], [Padding], [Strides], [Dilation].
//
// Shapes: as [WindowSum]. DTypes: real. Gradient: to the first of the largest. Accuracy: exact.
// Errors: those of [WindowSum]; [ErrDType] for complex numbers.
func WindowMax(t Tensor, size []int, opts ...WindowOption) Tensor {
	return Tensor(core.WindowMax(core.Tensor(t), size, opts...))
}

// WindowMin returns the smallest element of each of the windows that move over a tensor,
// one size an axis; NaN where there is one. Padding is beyond all elements. Options:
// [Same], [Padding], [Strides], [Dilation].
//
// Shapes: as [WindowSum]. DTypes: real. Gradient: to the first of the smallest. Accuracy: exact.
// Errors: those of [WindowSum]; [ErrDType] for complex numbers.
func WindowMin(t Tensor, size []int, opts ...WindowOption) Tensor {
	return Tensor(core.WindowMin(core.Tensor(t), size, opts...))
}

// WindowMean returns the mean of each of the windows that move over a tensor, one size an
// axis: with [Strides] it is average pooling. Padding counts as elements that are 0.
// Options: [Same], [Padding], [Strides], [Dilation].
//
// Shapes: as [WindowSum]. DTypes: integers become f32; floats narrower than f32 are added in f32.
// Gradient: 1/n to each element. Accuracy: that of [WindowSum] and a division. Errors: those of
// [WindowSum].
func WindowMean(t Tensor, size []int, opts ...WindowOption) Tensor {
	return Tensor(core.WindowMean(core.Tensor(t), size, opts...))
}

// WindowReduce reduces the elements of each window that moves over a tensor by a
// function of two scalars, starting at init, which also stands for padding. The order is
// undefined: f is associative, and init its neutral element. Options: [Same], [Padding],
// [Strides], [Dilation].
//
// Shapes: as [WindowSum]. DTypes: that of t, which init must fit. Gradient: that of f. Accuracy:
// that of f, once per element. Errors: those of [WindowSum]; [ErrState] where f changes the type.
func WindowReduce[V Operand](t Tensor, init V, size []int, f func(acc, x Tensor) Tensor, opts ...WindowOption) Tensor {
	return Tensor(core.WindowReduce[V](core.Tensor(t), init, size, core.Retype[func(acc, x core.Tensor) core.Tensor](f),
		opts...))
}

// WindowScatterMax adds each element of source to the place of the largest element of its
// window over t, on top of init: what the gradient of [WindowMax] does. Of equal elements
// the first one counts. Options: [Same], [Padding], [Strides].
//
// Shapes: source as [WindowMax] of t → that of t. DTypes: real; that of source and init, promoted.
// Gradient: to source, and the sum to init. Accuracy: one rounding where windows share a place.
// Errors: [ErrShape] where source has another shape, [ErrDType] for complex numbers.
func WindowScatterMax[V Operand](t, source Tensor, init V, size []int, opts ...WindowOption) Tensor {
	return Tensor(core.WindowScatterMax[V](core.Tensor(t), core.Tensor(source), init, size, opts...))
}

// WindowScatterMin adds each element of source to the place of the smallest element of its
// window over t, on top of init: what the gradient of [WindowMin] does. Of equal elements the
// first one counts. Options: [Same], [Padding], [Strides].
//
// Shapes: source as [WindowMin] of t → that of t. DTypes: real; that of source and init, promoted.
// Gradient: to source, and the sum to init. Accuracy: one rounding where windows share a place.
// Errors: [ErrShape] where source has another shape, [ErrDType] for complex numbers.
func WindowScatterMin[V Operand](t, source Tensor, init V, size []int, opts ...WindowOption) Tensor {
	return Tensor(core.WindowScatterMin[V](core.Tensor(t), core.Tensor(source), init, size, opts...))
}

// Reduce reduces the elements along axes, all when none is given, by a function of two
// scalars, starting at init. The order is undefined: f is associative, and init its
// neutral element. Options: [Axis], [KeepAxes], [SkipNaN], which takes init in place of NaN.
//
// Shapes: reduced axes are dropped, or kept with size 1. DTypes: that of t, which init must fit.
// Gradient: that of f. Accuracy: that of f, once per element. Errors: [ErrAxis], [ErrState] where f
// changes the type.
func Reduce[V Operand](t Tensor, init V, f func(acc, x Tensor) Tensor, opts ...ReduceOption) Tensor {
	return Tensor(core.Reduce[V](core.Tensor(t), init, core.Retype[func(acc, x core.Tensor) core.Tensor](f), opts...))
}
