package nx

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Data returns a copy of the elements in row-major order. T must be the Go
// type of the element type (float32 for f32); [Cast] first otherwise.
func Data[T Number](t Tensor) []T {
	s := t.must("Data")
	requireGoType[T]("Data", t)
	out := make([]T, s.Shape.Size())
	if sameSize[T](s.DType) {
		readInto("Data", t, bytesOf(out))
		return out
	}
	b := read("Data", t)
	for i := range out {
		out[i] = fromInt[T](s.DType.LoadInt(b, i), s.DType == U64)
	}
	return out
}

// bytesOf returns the elements of a slice as they lie in memory.
func bytesOf[T Number](data []T) []byte {
	var v T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(data))), len(data)*int(unsafe.Sizeof(v)))
}

// Item returns the only element of a tensor, converted to T.
func Item[T Number](t Tensor) T {
	s := t.must("Item")
	if s.Shape.Size() != 1 {
		failOn(ErrShape, "Item", []Tensor{t}, "reduce it (nx.Sum, nx.Mean), or take an element (Tensor.At)", "takes a tensor of one element, this has %d", s.Shape.Size())
	}
	b := read("Item", t)
	var c complex128
	switch d := s.DType; {
	case d.IsComplex():
		c = d.LoadComplex(b, 0)
	case d.IsFloat():
		c = complex(d.LoadFloat(b, 0), 0)
	default:
		return fromInt[T](d.LoadInt(b, 0), d == U64)
	}
	return fromComplex[T](c)
}

func fromInt[T Number](v int64, isUnsigned bool) T {
	var out T
	r := reflect.ValueOf(&out).Elem()
	switch {
	case r.Kind() == reflect.Bool:
		r.SetBool(v != 0)
	case r.CanInt():
		r.SetInt(v)
	case r.CanUint():
		r.SetUint(uint64(v))
	case r.CanFloat() && isUnsigned:
		r.SetFloat(float64(uint64(v)))
	case r.CanFloat():
		r.SetFloat(float64(v))
	default:
		r.SetComplex(complex(float64(v), 0))
	}
	return out
}

func fromComplex[T Number](c complex128) T {
	var out T
	r := reflect.ValueOf(&out).Elem()
	switch {
	case r.Kind() == reflect.Bool:
		r.SetBool(c != 0)
	case r.CanInt():
		r.SetInt(int64(real(c)))
	case r.CanUint():
		r.SetUint(uint64(real(c)))
	case r.CanFloat():
		r.SetFloat(real(c))
	default:
		r.SetComplex(c)
	}
	return out
}

// constName returns the name of the package's constant for an element type.
func constName(d DType) string { return fmt.Sprintf("%c%s", d.String()[0]-'a'+'A', d.String()[1:]) }

// Bytes returns a copy of the elements as they lie in memory: row-major,
// little-endian, types narrower than a byte in one byte each.
func Bytes(t Tensor) []byte { return read("Bytes", t) }

// FromBytes returns a tensor of elements as [Bytes] gives them, copied.
func FromBytes(data []byte, shape Shape, d DType, opts ...NewOption) Tensor {
	var o newOptions
	for _, x := range opts {
		x.newOption(&o)
	}
	spec := newSpec("FromBytes", Spec{DType: d, Shape: shape, Names: o.names})
	if len(data) != spec.sizeBytes() {
		fail(ErrShape, "FromBytes", "", "%s takes %d bytes, there are %d", spec, spec.sizeBytes(), len(data))
	}
	return newBuffer(spec, upload("FromBytes", spec, data))
}
