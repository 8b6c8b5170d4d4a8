package model

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/encoding/safetensors"
	"github.com/go-nx/nx/internal/mapped"
	"github.com/go-nx/nx/stablehlo"
)

// Array is an array of a file, read when it is asked for.
type Array struct {
	File, Name string
	Header     npy.Header
	Read       func() (npy.Array, error)
	// Map returns the array where it lies in the file, which is memory as long as the
	// owner is reachable; nil where that is not possible.
	Map func() (a *npy.Array, owner any)
}

// Get maps the array, or reads it. Of a mapped one owner must be kept.
func (a *Array) Get() (data npy.Array, owner any, err error) {
	if a.Map != nil {
		if m, owner := a.Map(); m != nil {
			return *m, owner, nil
		}
	}
	data, err = a.Read()
	return data, nil, err
}

// mapping maps a file when the first of its arrays is asked for.
type mapping func() (*mapped.File, error)

func newMapping(file string) mapping {
	return sync.OnceValues(func() (*mapped.File, error) { return mapped.Open(file) })
}

// of returns how to map the array whose elements are a section of the file: those of
// types of which each bit pattern is an element that lies in memory as it does there.
func (m mapping) of(h npy.Header, section *io.SectionReader) func() (*npy.Array, any) {
	_, at, size := section.Outer()
	item := h.DType.Size()
	if h.DType == dtype.Bool || h.DType.Bits() < 8 || item == 0 || at%int64(h.DType.Real().Size()) != 0 || size == 0 {
		return nil
	}
	return func() (*npy.Array, any) {
		f, err := m()
		if err != nil || at+size > int64(len(f.Data)) {
			return nil, nil
		}
		return &npy.Array{Header: h, Data: f.Data[at : at+size : at+size]}, f
	}
}

// OpenArrays lists the arrays of a file: .safetensors, .npz, or .npy, whose array
// has the name of the file. They are read until close is called.
func OpenArrays(file string) (list []Array, close func() error, err error) {
	switch kindOf(file) {
	case ".safetensors":
		f, err := safetensors.Open(file)
		if err != nil {
			return nil, nil, err
		}
		m := newMapping(file)
		for _, info := range f.Infos() {
			h := npy.Header{DType: info.DType, Shape: info.Shape}
			a := Array{File: file, Name: info.Name, Header: h, Read: func() (npy.Array, error) {
				t, err := f.Tensor(info.Name)
				return npy.Array{Header: h, Data: t.Data}, err
			}}
			if section, err := f.Section(info.Name); err == nil {
				a.Map = m.of(h, section)
			}
			list = append(list, a)
		}
		return list, f.Close, nil
	case ".npy":
		a, err := readNPY(file, strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
		return []Array{a}, func() error { return nil }, err
	default:
		z, err := npy.OpenZip(file)
		if err != nil {
			return nil, nil, err
		}
		m := newMapping(file)
		for _, name := range z.Names() {
			h, err := z.Header(name)
			if err != nil {
				return nil, nil, errors.Join(fmt.Errorf("%s: %w", file, err), z.Close())
			}
			a := Array{File: file, Name: name, Header: h, Read: func() (npy.Array, error) { return z.Array(name) }}
			if section := z.Section(name); section != nil {
				a.Map = m.of(h, section)
			}
			list = append(list, a)
		}
		return list, z.Close, nil
	}
}

// kindOf returns the extension that stands for the format of a file: its own, or
// that of what it starts with. An archive is assumed where neither tells.
func kindOf(file string) string {
	ext := strings.ToLower(filepath.Ext(file))
	if ext == ".safetensors" || ext == ".npz" || ext == ".npy" {
		return ext
	}
	f, err := os.Open(file)
	if err != nil {
		return ".npz"
	}
	defer f.Close()
	var head [9]byte
	n, _ := io.ReadFull(f, head[:])
	switch {
	case strings.HasPrefix(string(head[:n]), "\x93NUMPY"):
		return ".npy"
	case n == len(head) && head[8] == '{':
		return ".safetensors"
	}
	return ".npz"
}

func readNPY(file, name string) (Array, error) {
	a, err := npy.ReadFile(file)
	return Array{File: file, Name: name, Header: a.Header, Read: func() (npy.Array, error) { return a, nil }}, err
}

// Value returns the array of a parameter's file.
func (q *Param) Value() (Array, error) { return readNPY(q.File, q.Name) }

// ForeignToNumPy reports the types that travel as their bits.
func ForeignToNumPy(d dtype.Type) bool {
	return d == dtype.BF16 || d.IsFloat() && d.Bits() <= 8 || d.IsInteger() && d.Bits() < 8
}

// Holds reports whether items as h says are elements of type d, or their bits.
func Holds(h npy.Header, d dtype.Type) bool {
	switch {
	case h.DType == d:
		return true
	case !ForeignToNumPy(d):
		return false
	case d.Size() == 2:
		return h.DType == dtype.U16 || h.Void == 2
	}
	return h.DType == dtype.U8 || h.Void == 1 || h.DType == dtype.S8 && d.IsSigned()
}

// Fits reports whether a shape is one of those that dims allows.
func Fits(shape []int, dims []int64) bool {
	if len(shape) != len(dims) {
		return false
	}
	for i, d := range dims {
		if d != stablehlo.Dynamic && int64(shape[i]) != d {
			return false
		}
	}
	return true
}

// CastHint says what to do about the types that NumPy makes by default, "" when
// that is not what is wrong.
func CastHint(h npy.Header, t *stablehlo.TensorType) string {
	if !Fits(h.Shape, t.Dims) {
		return ""
	}
	switch d := t.DType(); {
	case h.DType == dtype.S64 && d == dtype.S32:
		return ": NumPy makes integers int64: save x.astype(np.int32)"
	case h.DType == dtype.F64 && d == dtype.F32:
		return ": NumPy makes floats float64: save x.astype(np.float32)"
	}
	return ""
}

// Elements gives the bits of an array the element type d.
func Elements(a npy.Array, d dtype.Type) (npy.Array, error) {
	if a.DType == d {
		return a, nil // it holds elements of that type, checked when it was read
	}
	if d.Bits() < 8 && d != dtype.Bool {
		for i, b := range a.Data {
			stored := []byte{0}
			d.StoreBits(stored, 0, uint64(b))
			if b != stored[0] && b>>d.Bits() != 0 { // a negative one need not be sign-extended
				return a, fmt.Errorf("element %d is the byte 0x%02x, which is no %s", i, b, d)
			}
		}
	}
	return a.As(d)
}
