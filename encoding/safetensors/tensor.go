package safetensors

import (
	"errors"
	"fmt"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/arrayfile"
)

// Info describes a tensor in a file.
type Info struct {
	Name  string
	DType dtype.Type
	Shape []int
}

// Tensor is a tensor in memory.
type Tensor struct {
	Info
	// Data holds the elements, the last index varying fastest, little-endian,
	// DType.Size() bytes each.
	Data []byte
}

// codes names the dtypes in the order of their alignment, by which data is
// sorted in a file.
var codes = []struct {
	name string
	t    dtype.Type
}{
	{"BOOL", dtype.Bool},
	{"F4", dtype.F4E2M1FN},
	{"F6_E2M3", dtype.F6E2M3FN},
	{"F6_E3M2", dtype.F6E3M2FN},
	{"U8", dtype.U8},
	{"I8", dtype.S8},
	{"F8_E5M2", dtype.F8E5M2},
	{"F8_E4M3", dtype.F8E4M3FN},
	{"F8_E8M0", dtype.F8E8M0FNU},
	{"F8_E4M3FNUZ", dtype.F8E4M3FNUZ},
	{"F8_E5M2FNUZ", dtype.F8E5M2FNUZ},
	{"I16", dtype.S16},
	{"U16", dtype.U16},
	{"F16", dtype.F16},
	{"BF16", dtype.BF16},
	{"I32", dtype.S32},
	{"U32", dtype.U32},
	{"F32", dtype.F32},
	{"C64", dtype.C64},
	{"F64", dtype.F64},
	{"I64", dtype.S64},
	{"U64", dtype.U64},
}

// typeOf returns the type that a file calls code.
func typeOf(code string) (dtype.Type, error) {
	for _, c := range codes {
		if c.name == code {
			return c.t, nil
		}
	}
	return dtype.Invalid, fmt.Errorf("dtype %.32q is not known: %w", code, errors.ErrUnsupported)
}

// rank returns the index of t in codes, or -1 for an unsupported type.
func rank(t dtype.Type) int {
	for i, c := range codes {
		if c.t == t {
			return i
		}
	}
	return -1
}

// fileBits returns the bits that an element takes in a file: a BOOL has a byte.
func fileBits(t dtype.Type) int {
	if t == dtype.Bool {
		return 8
	}
	return t.Bits()
}

// numElems returns the number of elements, after checking that no product of sizes overflows, in bits and even
// if another size is zero.
func (i Info) numElems() (int, error) {
	return arrayfile.NumElems(i.Shape, max(8, fileBits(i.DType)))
}

// fileSize returns the bytes that the tensor takes in a file.
func (i Info) fileSize() (int, error) {
	n, err := i.numElems()
	if err != nil {
		return 0, err
	}
	b := n * fileBits(i.DType)
	if b%8 != 0 {
		return 0, fmt.Errorf("%d elements of %d bits must end at a byte", n, fileBits(i.DType))
	}
	return b / 8, nil
}
