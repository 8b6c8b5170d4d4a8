package nx

import "github.com/go-nx/nx/internal/core"

// Options are small values. Each family of ops accepts its own interface, so
// that an option that means nothing to an op does not compile. Two of one kind
// with different values are an error.
type (
	// NewOption is an option of a constructor.
	NewOption = core.NewOption
	// AxisOption is an option of an op along an axis.
	AxisOption = core.AxisOption
	// ReduceOption is an option of a reduction.
	ReduceOption = core.ReduceOption
	// VarOption is an option of [Var] and [Std].
	VarOption = core.VarOption
)

// AxisRef refers to an axis by position, negative from the end, or by name.
type AxisRef interface{ int | string }

// Axis says which axes an op works on, by position (negative from the end) or
// by name. Without it reductions, [Transpose], [Reverse] and [Squeeze] take all axes;
// joining, cutting, taking and inserting take the first one; [Softmax] and
// [LogSoftmax] the last.
func Axis[A AxisRef](axes ...A) AxisOption {
	return core.Axis[A](axes...)
}

// KeepAxes keeps reduced axes with size 1.
const KeepAxes = core.KeepAxes

// SkipNaN leaves elements out that are NaN, as if they were not there; their gradient is 0. What is
// left of nothing but NaN is nothing: the sum is 0, the product 1, the mean, the largest element and
// the median NaN. It changes nothing for integers and bools, which have no NaN.
const SkipNaN = core.SkipNaN

// Names gives a new tensor's axes names, "" for an axis without one.
func Names(names ...string) NewOption {
	return core.Names(names...)
}

// As gives the result an element type.
func As(t DType) interface {
	CumulativeOption
	NewOption
	ReduceOption
	SearchOption
	SortOption
} {
	return core.As(t)
}

// DDOF divides a variance by the number of elements less n instead of by their
// number: 1 gives the unbiased estimate for a sample.
func DDOF(n int) interface {
	CovOption
	VarOption
} {
	return core.DDOF(n)
}
