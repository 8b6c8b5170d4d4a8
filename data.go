package nx

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/go-nx/nx/dtype"
)

// Data returns a copy of the elements in row-major order. T must be the Go
// type of the element type (float32 for f32); [Cast] first otherwise.
func Data[T Number](t Tensor) []T {
	s := t.must("Data")
	requireGoType[T]("Data", t)
	var out []T
	lend("Data", t, func(data []byte) {
		out = make([]T, s.Shape.Size())
		if sameSize[T](s.DType) {
			copy(bytesOf(out), data)
			return
		}
		for i := range out {
			out[i] = fromInt[T](s.DType.LoadInt(data, i))
		}
	})
	return out
}

// bytesOf returns the elements of a slice as they lie in memory.
func bytesOf[T Number](data []T) []byte {
	var v T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(data))), len(data)*int(unsafe.Sizeof(v)))
}

// Item returns the only element of a tensor, converted to T as [Cast] does.
func Item[T Number](t Tensor) T {
	s := t.must("Item")
	if s.Shape.Size() != 1 {
		failOn(ErrShape, "Item", []Tensor{t}, "reduce it (nx.Sum, nx.Mean), or take an element (Tensor.At)", "takes a tensor of one element, this has %d", s.Shape.Size())
	}
	d := goType(reflect.TypeFor[T]())
	from := s.DType
	var room [16]byte
	lend("Item", t, func(data []byte) {
		if from.IsComplex() && d == Bool { // as bool, any part counts
			from, data = Bool, []byte{byte(b2i(from.LoadComplex(data, 0) != 0))}
		}
		if err := dtype.Convert(room[:d.Size()], d, data, from); err != nil {
			failRun("Item", []Tensor{t}, err)
		}
	})
	var out [1]T
	if !sameSize[T](d) {
		return fromInt[T](d.LoadInt(room[:], 0))
	}
	copy(bytesOf(out[:]), room[:])
	return out[0]
}

// fromInt converts to an int or uint of 4 bytes, which some platforms have.
func fromInt[T Number](v int64) T {
	var out T
	switch p := any(&out).(type) {
	case *int:
		*p = int(v)
	case *uint:
		*p = uint(v)
	}
	return out
}

// constName returns the name of the package's constant for an element type.
func constName(d DType) string { return fmt.Sprintf("%c%s", d.String()[0]-'a'+'A', d.String()[1:]) }

// Bytes returns a copy of the elements as they lie in memory: row-major,
// little-endian, types narrower than a byte in one byte each.
func Bytes(t Tensor) (out []byte) {
	t.must("Bytes")
	lend("Bytes", t, func(data []byte) { out = slices.Clone(data) })
	return out
}

// FromBytes returns a tensor of elements as [Bytes] gives them, copied.
func FromBytes(data []byte, shape Shape, d DType, opts ...NewOption) Tensor {
	o := readNewOptions(opts)
	spec := newSpec("FromBytes", Spec{DType: d, Shape: shape, Names: o.names})
	if len(data) != spec.sizeBytes() {
		fail(ErrShape, "FromBytes", "", "%s takes %d bytes, there are %d", spec, spec.sizeBytes(), len(data))
	}
	return newBuffer(local(), spec, local().upload("FromBytes", spec, data))
}
