package nx

import "github.com/go-nx/nx/internal/core"

// New returns a tensor of a Go number, or of slices or arrays of numbers nested to any depth,
// copied. Go types map exactly: float64 to f64, int to s64, bool to bool. A single int, float64 or
// complex128, the types of Go's constants, takes the type of the other operand, as a Go number
// does: New(0.5) is f64, and f32 with an f32 tensor.
//
// Options: [Names]; [As] converts the values, which must fit.
//
// Shapes: that of the nested slices. DTypes: that of the Go numbers, or of [As]. Gradient: none.
// Accuracy: rounded once, by [As]. Errors: [ErrRagged] for slices of different lengths, [ErrValue]
// for values that do not fit.
func New(data any, opts ...NewOption) Tensor {
	return Tensor(core.New(data, opts...))
}

// FromSlice returns a tensor of a flat slice, copied, in row-major order.
//
// Shapes: shape. DTypes: that of the Go type: float64 is f64, int s64. Gradient: none. Accuracy:
// exact. Errors: [ErrShape] where the shape does not fit the slice.
func FromSlice[T Number](data []T, shape Shape, opts ...NewOption) Tensor {
	return Tensor(core.FromSlice[T](data, shape, opts...))
}

// Full returns a tensor of equal elements. The value must fit the element type.
//
// Shapes: shape. DTypes: any that is given. Gradient: none. Accuracy: rounded once. Errors:
// [ErrValue] for a value that does not fit.
func Full[V Number](shape Shape, v V, d DType, opts ...NewOption) Tensor {
	return Tensor(core.Full[V](shape, v, d, opts...))
}

// Zeros returns a tensor of zeros.
//
// Shapes: shape. DTypes: any that is given. Gradient: none. Accuracy: exact.
func Zeros(shape Shape, d DType, opts ...NewOption) Tensor {
	return Tensor(core.Zeros(shape, d, opts...))
}

// Ones returns a tensor of ones.
//
// Shapes: shape. DTypes: any that is given. Gradient: none. Accuracy: exact.
func Ones(shape Shape, d DType, opts ...NewOption) Tensor {
	return Tensor(core.Ones(shape, d, opts...))
}

// FullLike returns a tensor of equal elements with the type, shape and names of t.
//
// Shapes: that of t. DTypes: that of t. Gradient: none. Accuracy: rounded once. Errors: [ErrValue]
// for a value that does not fit.
func FullLike[V Number](t Tensor, v V) Tensor {
	return Tensor(core.FullLike[V](core.Tensor(t), v))
}

// Scalar returns a number as a tensor without axes of the element type of like, for functions that take tensors
// only, and for the start of a loop: a carry that begins as nx.Scalar(0, x) keeps the type of x, where
// nx.New(float32(0)) is f32 beside any x. Arithmetic needs none: Go's constants take the type of the tensor.
//
// Shapes: []. DTypes: that of like. Gradient: none. Accuracy: rounded once. Errors: [ErrValue] for a value that
// does not fit.
func Scalar[V Number](v V, like Tensor) Tensor {
	return Tensor(core.Scalar[V](v, core.Tensor(like)))
}

// ZerosLike returns zeros with the type, shape and names of t. [tree.ZerosLike] is that of a container.
//
// Shapes: that of t. DTypes: that of t. Gradient: none. Accuracy: exact.
func ZerosLike(t Tensor) Tensor {
	return Tensor(core.ZerosLike(core.Tensor(t)))
}

// OnesLike returns ones with the type, shape and names of t.
//
// Shapes: that of t. DTypes: that of t. Gradient: none. Accuracy: exact.
func OnesLike(t Tensor) Tensor {
	return Tensor(core.OnesLike(core.Tensor(t)))
}

// Iota returns a tensor that counts from 0 along an axis, or over all elements
// in row-major order when no axis is given.
//
// Shapes: shape. DTypes: any that is given but bool. Gradient: none. Accuracy: rounded once.
// Errors: [ErrAxis], [ErrDType].
func Iota(shape Shape, d DType, opts ...AxisOption) Tensor {
	return Tensor(core.Iota(shape, d, opts...))
}

// Eye returns a matrix with ones on the diagonal and zeros elsewhere: the identity
// when it is square. Axes before the last two repeat it.
//
// Shapes: shape, of two or more axes. DTypes: any that is given. Gradient: none. Accuracy: exact.
// Errors: [ErrShape] for fewer.
func Eye(shape Shape, d DType, opts ...NewOption) Tensor {
	return Tensor(core.Eye(shape, d, opts...))
}

// HalfOpen leaves the last number out of a [Linspace], whose numbers are then (hi-lo)/n
// apart.
const HalfOpen = core.HalfOpen

// Linspace returns n numbers evenly spaced from lo to hi, both included and exact;
// only lo when n is 1. Options: [HalfOpen].
//
// Shapes: [n]. DTypes: floats, computed in f64, and integers, truncated. Gradient: none. Accuracy:
// each number is reached from the nearer end, so that the numbers of a symmetric range are
// symmetric. Where a limit is infinite or NaN, all numbers between the limits are their sum: infinite
// or NaN. Errors: [ErrDType], [ErrValue] for limits that do not fit.
func Linspace[A, B Number](lo A, hi B, n int, d DType, opts ...NewOption) Tensor {
	return Tensor(core.Linspace[A, B](lo, hi, n, d, opts...))
}
