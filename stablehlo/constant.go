package stablehlo

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/go-nx/nx/dtype"
)

// Number is a Go type that has an element type.
type Number interface {
	bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 |
		float32 | float64 | complex64 | complex128
}

// Elements returns a constant of the given shape with the element type of T; data holds its elements in
// row-major order, or one element for a splat.
func Elements[T Number](data []T, dims ...int64) (*ElementsAttr, error) {
	d := dtypeOf[T]()
	t := Tensor(d, dims...)
	n, ok := t.NumElems()
	splat := len(data) == 1 && n != 1
	if !ok || !splat && n != int64(len(data)) {
		return nil, fmt.Errorf("stablehlo: got %d elements for a tensor of shape %s", len(data), dimsText(dims))
	}
	b, err := binary.Append(make([]byte, 0, len(data)*d.Size()), binary.LittleEndian, data)
	return &ElementsAttr{Type: t, Data: b, Splat: splat}, err
}

// Full returns a constant of the given type with all elements equal to v,
// rounded to the element type.
func Full(t *TensorType, v float64) (*ElementsAttr, error) {
	d := t.DType()
	if _, ok := t.NumElems(); !ok || d.Size() == 0 {
		return nil, fmt.Errorf("stablehlo: a constant cannot have type %s", t)
	}
	var src [8]byte
	dtype.F64.StoreFloat(src[:], 0, v)
	a := &ElementsAttr{Type: t, Data: make([]byte, d.Size()), Splat: true}
	return a, dtype.Convert(a.Data, d, src[:], dtype.F64)
}

// dtypeOf returns the element type of a Go type.
func dtypeOf[T Number]() dtype.Type {
	switch any(*new(T)).(type) {
	case bool:
		return dtype.Bool
	case int8:
		return dtype.S8
	case int16:
		return dtype.S16
	case int32:
		return dtype.S32
	case int64:
		return dtype.S64
	case uint8:
		return dtype.U8
	case uint16:
		return dtype.U16
	case uint32:
		return dtype.U32
	case uint64:
		return dtype.U64
	case float32:
		return dtype.F32
	case float64:
		return dtype.F64
	case complex64:
		return dtype.C64
	}
	return dtype.C128
}

// RawElements returns a constant whose elements are data: row-major, little-endian, each in [dtype.Type.Size]
// bytes, or one element for a splat. The constant shares the bytes, except if they are few or not in the form
// of package dtype.
func RawElements(t *TensorType, data []byte) (*ElementsAttr, error) {
	n, ok := t.NumElems()
	d := t.DType()
	size := int64(d.Size())
	switch {
	case !ok || size == 0:
		return nil, fmt.Errorf("stablehlo: a constant cannot have type %s", t)
	case int64(len(data)) == size && n != 1: // also of none, as MLIR writes an empty splat
	case n > math.MaxInt64/size || int64(len(data)) != n*size:
		return nil, fmt.Errorf("stablehlo: %d bytes do not fill %s", len(data), t)
	}
	a := &ElementsAttr{Type: t, Data: data, Splat: int64(len(data)) == size}
	if d == dtype.Bool || d.IsInteger() && d.Bits() < 8 {
		a.Data = make([]byte, len(data))
		for i, b := range data {
			d.StoreInt(a.Data, i, int64(b))
		}
	}
	a.normalise()
	return a, nil
}
