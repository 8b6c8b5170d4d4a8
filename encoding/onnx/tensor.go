package onnx

import (
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// DataType is the element type of a tensor, as TensorProto numbers them.
type DataType int32

// StringData is the element type of tensors of strings, which dtype has no type for.
const StringData DataType = 8

var types = map[DataType]dtype.Type{
	1: dtype.F32, 2: dtype.U8, 3: dtype.S8, 4: dtype.U16, 5: dtype.S16, 6: dtype.S32, 7: dtype.S64, 9: dtype.Bool,
	10: dtype.F16, 11: dtype.F64, 12: dtype.U32, 13: dtype.U64, 14: dtype.C64, 15: dtype.C128, 16: dtype.BF16,
	17: dtype.F8E4M3FN, 18: dtype.F8E4M3FNUZ, 19: dtype.F8E5M2, 20: dtype.F8E5M2FNUZ, 21: dtype.U4, 22: dtype.S4,
	23: dtype.F4E2M1FN, 24: dtype.F8E8M0FNU, 25: dtype.U2, 26: dtype.S2,
}

// DType returns the type of package dtype, or an error for strings and unknown numbers.
func (t DataType) DType() (dtype.Type, error) {
	if d, ok := types[t]; ok {
		return d, nil
	}
	if t == StringData {
		return dtype.Invalid, fmt.Errorf("strings are not elements of tensors here")
	}
	return dtype.Invalid, fmt.Errorf("the element type %d is not known", t)
}

// String is the name of the type: f32, string.
func (t DataType) String() string {
	if d, ok := types[t]; ok {
		return d.String()
	}
	if t == StringData {
		return "string"
	}
	return strconv.Itoa(int(t))
}

// Tensor is a TensorProto.
type Tensor struct {
	Name    string
	Dims    []int64
	Type    DataType
	Strings [][]byte // of StringData

	hasRaw   bool
	raw      []byte
	floats   []byte // float_data: f32, and parts of complex numbers
	doubles  []byte
	ints     []int64 // int32_data, int64_data, uint64_data
	external map[string]string
	location int64
}

// External is where the data of a tensor is: a file in the folder of the model.
type External struct {
	Path   string // relative to the folder of the model, with slashes
	Offset int64
	Length int64 // -1 for up to the end of the file
}

// External returns where the data of a tensor is, or nil if it is in the file of the model.
//
// The error names a path that leaves the folder, and offsets that are not numbers.
func (t *Tensor) External() (*External, error) {
	if t.location != 1 {
		return nil, nil
	}
	e := &External{Path: t.external["location"], Length: -1}
	if !filepath.IsLocal(filepath.FromSlash(e.Path)) || strings.ContainsAny(e.Path, "\\\x00") || e.Path == "." {
		return nil, fmt.Errorf("onnx: the data of tensor %q is in %q, which is not in the folder of the model", t.Name,
			e.Path)
	}
	for key, to := range map[string]*int64{"offset": &e.Offset, "length": &e.Length} {
		s, ok := t.external[key]
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("onnx: the %s of the data of tensor %q is %q", key, t.Name, s)
		}
		*to = n
	}
	return e, nil
}

// maxElements bounds the number of elements of a tensor.
const maxElements = 1 << 40

// Shape returns the sizes of the axes, and the number of elements.
func (t *Tensor) Shape() (shape []int, n int64, err error) {
	n = 1
	shape = make([]int, len(t.Dims))
	for i, d := range t.Dims {
		if d < 0 || d > maxElements || d > 0 && n > maxElements/d {
			return nil, 0, fmt.Errorf("onnx: tensor %q has the sizes %v", t.Name, t.Dims)
		}
		shape[i] = int(d)
		n *= d
	}
	return shape, n, nil
}

// PackedSize is the number of bytes of n elements in a file: types of 4 and 2 bits are packed.
func (t DataType) PackedSize(n int64) (int64, error) {
	d, err := t.DType()
	if err != nil {
		return 0, err
	}
	if per := packed(d); per > 1 {
		return (n + per - 1) / per, nil
	}
	return n * int64(d.Size()), nil
}

// packed is the number of elements of a byte.
func packed(d dtype.Type) int64 {
	if b := d.Bits(); b < 8 && d != dtype.Bool {
		return int64(8 / b)
	}
	return 1
}

// Elements returns the elements as package dtype has them in memory. Those that a file has in that form (raw_data of
// types of 8 bits and more) are not copied.
//
// The error is that of a type without a form in memory, of data that has not the size of the shape, and of data in
// another file.
func (t *Tensor) Elements() ([]byte, error) {
	d, err := t.Type.DType()
	if err != nil {
		return nil, fmt.Errorf("onnx: tensor %q: %w", t.Name, err)
	}
	_, n, err := t.Shape()
	if err != nil {
		return nil, err
	}
	if t.location == 1 {
		return nil, fmt.Errorf("onnx: the data of tensor %q is in another file", t.Name)
	}
	if t.hasRaw {
		return Unpack(t.Name, t.Type, t.raw, n)
	}
	return t.typed(d, n)
}

// Unpack returns n elements of a type in memory from their form in a file; those that have the same are not copied.
func Unpack(name string, t DataType, data []byte, n int64) ([]byte, error) {
	d, err := t.DType()
	if err != nil {
		return nil, fmt.Errorf("onnx: tensor %q: %w", name, err)
	}
	want, err := t.PackedSize(n)
	if err != nil {
		return nil, err
	}
	if int64(len(data)) != want {
		return nil, fmt.Errorf("onnx: tensor %q has %d bytes of data, %d elements of %v take %d", name, len(data), n, t,
			want)
	}
	per := packed(d)
	if per == 1 {
		return data, nil
	}
	out := make([]byte, n)
	bits := 8 / per
	for i := range out {
		v := data[int64(i)/per] >> (int64(i) % per * bits) & (1<<bits - 1)
		out[i] = extended(d, v, uint(bits))
	}
	return out, nil
}

// extended is a number of some bits in a byte: signed integers keep their value.
func extended(d dtype.Type, v byte, bits uint) byte {
	if d.IsSigned() && d.IsInteger() && v>>(bits-1) != 0 {
		return v | ^byte(0)<<bits
	}
	return v
}

// typed returns elements that the file has as numbers.
func (t *Tensor) typed(d dtype.Type, n int64) ([]byte, error) {
	check := func(have int64) error {
		if have != n {
			return fmt.Errorf("onnx: tensor %q has %d elements of data, its shape %v has %d", t.Name, have, t.Dims, n)
		}
		return nil
	}
	switch d {
	case dtype.F32, dtype.C64:
		size := int64(d.Size())
		if int64(len(t.floats))%size != 0 {
			return nil, check(int64(len(t.floats)) / size)
		}
		return t.floats, check(int64(len(t.floats)) / size)
	case dtype.F64, dtype.C128:
		return t.doubles, check(int64(len(t.doubles)) / int64(d.Size()))
	}
	if per := packed(d); per > 1 { // a byte of packed elements in each number
		data := make([]byte, len(t.ints))
		for i, v := range t.ints {
			data[i] = byte(v)
		}
		if int64(len(data)) != (n+per-1)/per && int64(len(data)) == n { // old files have an element in each
			for i, v := range data {
				data[i] = extended(d, v&(1<<(8/per)-1), uint(8/per))
			}
			return data, nil
		}
		return Unpack(t.Name, t.Type, data, n)
	}
	if err := check(int64(len(t.ints))); err != nil {
		return nil, err
	}
	size := d.Size()
	out := make([]byte, len(t.ints)*size)
	for i, v := range t.ints { // numbers, or the bits of narrow floats
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(v))
		copy(out[i*size:(i+1)*size], b[:])
	}
	return out, nil
}

// float32s are the numbers of little-endian bytes.
func float32s(b []byte) []float32 {
	if b == nil {
		return nil
	}
	list := make([]float32, len(b)/4)
	for i := range list {
		list[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return list
}
