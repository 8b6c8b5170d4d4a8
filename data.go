package nx

import "github.com/go-nx/nx/internal/core"

// Data returns a copy of the elements in row-major order, converted to T as [Cast] does. [View]
// passes them without a copy if T is their Go type.
func Data[T Number](t Tensor) []T {
	return core.Data[T](core.Tensor(t))
}

// Item returns the only element of a tensor, converted to T as [Cast] does.
func Item[T Number](t Tensor) T {
	return core.Item[T](core.Tensor(t))
}

// Nested returns the elements as nested slices or arrays, one level per axis, of numbers, converted
// as by [Cast]:
//
//	rows := nx.Nested[[][]float32](t)
//
// It is the inverse of [New]. A scalar is a number; vectorised axes are the first ones.
func Nested[S any](t Tensor) (out S) {
	return core.Nested[S](core.Tensor(t))
}

// Bytes returns a copy of the elements as they lie in memory: row-major,
// little-endian, types narrower than a byte in one byte each.
func Bytes(t Tensor) (out []byte) {
	return core.Bytes(core.Tensor(t))
}

// FromBytes returns a tensor of elements as [Bytes] returns them, copied.
//
// Shapes: shape. DTypes: the one that is given. Gradient: none. Accuracy: exact. Errors: [ErrShape]
// where the shape does not fit the bytes.
func FromBytes(data []byte, shape Shape, d DType, opts ...NewOption) Tensor {
	return Tensor(core.FromBytes(data, shape, d, opts...))
}

// View calls f with the elements of a tensor in row-major order, without a copy if they are in host
// memory. f must neither change the slice nor keep it. T is as for [Data].
func View[T Number](t Tensor, f func(data []T)) {
	core.View[T](core.Tensor(t), f)
}

// FromSliceShared returns a tensor that shares the memory of a flat slice, in row-major order, if
// the device computes in host memory; it copies elsewhere. The elements must not change while the
// tensor is used.
//
// Shapes: shape. DTypes: that of the Go type: float64 is f64, int s64. Gradient: none. Accuracy:
// exact. Errors: [ErrShape] where the shape does not fit the slice.
func FromSliceShared[T Number](data []T, shape Shape, opts ...NewOption) Tensor {
	return Tensor(core.FromSliceShared[T](data, shape, opts...))
}
