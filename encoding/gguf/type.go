package gguf

import (
	"errors"
	"fmt"

	"github.com/go-nx/nx/dtype"
)

// Type is the type of a tensor in a file. Types of blocks keep some elements of a row together, with their scale.
type Type uint32

// The types that [File.Tensor] reads.
const (
	F32  Type = 0
	F16  Type = 1
	Q4_0 Type = 2  // 32 elements: a scale of f16 and 4 bits each
	Q4_1 Type = 3  // the same with an offset of f16
	Q5_0 Type = 6  // 32 elements: a scale of f16 and 5 bits each
	Q5_1 Type = 7  // the same with an offset of f16
	Q8_0 Type = 8  // 32 elements: a scale of f16 and 8 bits each
	Q4_K Type = 12 // 256 elements of 4 bits, with a scale and an offset for every 32
	Q5_K Type = 13 // 256 elements of 5 bits, with a scale and an offset for every 32
	Q6_K Type = 14 // 256 elements of 6 bits, with a scale for every 16
	I8   Type = 24
	I16  Type = 25
	I32  Type = 26
	I64  Type = 27
	F64  Type = 28
	BF16 Type = 30
)

// layout is how a type lies in a file.
type layout struct {
	name         string
	elems, bytes int64 // of a block
	// elem is the type of the elements in memory, Invalid where they cannot be read.
	elem dtype.Type
	// decode turns a block into elements of f32; nil for elements that lie in the file as in memory.
	decode func(dst []float32, block []byte)
}

// layouts are the types that the format has given numbers to.
var layouts = map[Type]layout{
	F32: {"F32", 1, 4, dtype.F32, nil}, F16: {"F16", 1, 2, dtype.F16, nil}, BF16: {"BF16", 1, 2, dtype.BF16, nil},
	F64: {"F64", 1, 8, dtype.F64, nil}, I8: {"I8", 1, 1, dtype.S8, nil}, I16: {"I16", 1, 2, dtype.S16, nil},
	I32: {"I32", 1, 4, dtype.S32, nil}, I64: {"I64", 1, 8, dtype.S64, nil},
	Q4_0: {"Q4_0", 32, 18, dtype.F32, decodeQ40}, Q4_1: {"Q4_1", 32, 20, dtype.F32, decodeQ41},
	Q5_0: {"Q5_0", 32, 22, dtype.F32, decodeQ50}, Q5_1: {"Q5_1", 32, 24, dtype.F32, decodeQ51},
	Q8_0: {"Q8_0", 32, 34, dtype.F32, decodeQ80}, Q4_K: {"Q4_K", 256, 144, dtype.F32, decodeQ4K},
	Q5_K: {"Q5_K", 256, 176, dtype.F32, decodeQ5K}, Q6_K: {"Q6_K", 256, 210, dtype.F32, decodeQ6K},

	9: {name: "Q8_1", elems: 32, bytes: 40}, 10: {name: "Q2_K", elems: 256, bytes: 84},
	11: {name: "Q3_K", elems: 256, bytes: 110}, 15: {name: "Q8_K", elems: 256, bytes: 292},
	16: {name: "IQ2_XXS", elems: 256, bytes: 66}, 17: {name: "IQ2_XS", elems: 256, bytes: 74},
	18: {name: "IQ3_XXS", elems: 256, bytes: 98}, 19: {name: "IQ1_S", elems: 256, bytes: 50},
	20: {name: "IQ4_NL", elems: 32, bytes: 18}, 21: {name: "IQ3_S", elems: 256, bytes: 110},
	22: {name: "IQ2_S", elems: 256, bytes: 82}, 23: {name: "IQ4_XS", elems: 256, bytes: 136},
	29: {name: "IQ1_M", elems: 256, bytes: 56}, 34: {name: "TQ1_0", elems: 256, bytes: 54},
	35: {name: "TQ2_0", elems: 256, bytes: 66}, 39: {name: "MXFP4", elems: 32, bytes: 17},
	40: {name: "NVFP4", elems: 64, bytes: 36}, 41: {name: "Q1_0", elems: 128, bytes: 18},
}

// String is the name of the type in llama.cpp, such as Q8_0.
func (t Type) String() string {
	if l, ok := layouts[t]; ok {
		return l.name
	}
	return fmt.Sprintf("type %d", uint32(t))
}

// DType is the type of the elements that [File.Tensor] returns: that of the file for numbers, f32 for blocks. It is
// [dtype.Invalid] for types that it cannot read.
func (t Type) DType() dtype.Type { return layouts[t].elem }

// Blocks returns how many elements of a row a block of the type has, and its bytes: 1 and the size of an element for
// numbers, 0 and 0 for types that are not known.
func (t Type) Blocks() (elems, bytes int) {
	l := layouts[t]
	return int(l.elems), int(l.bytes)
}

// Info describes a tensor in a file.
type Info struct {
	Name string
	Type Type
	// Shape has the sizes of the axes, the last index varying fastest: a weight is [out, in]. The file has them in the
	// other order.
	Shape []int
}

// size is the number of bytes of a tensor in a file; known is false for types whose blocks are not.
func (i *Info) size() (size int64, known bool, err error) {
	const most = 1 << 62
	n := int64(1)
	for _, d := range i.Shape {
		if d > 0 && n > most/int64(d) {
			return 0, false, fmt.Errorf("the shape %v is too large", i.Shape)
		}
		n *= int64(d)
	}
	l, known := layouts[i.Type]
	if !known {
		return 0, false, nil
	}
	if n > most/l.bytes {
		return 0, false, fmt.Errorf("the shape %v is too large", i.Shape)
	}
	if l.elems > 1 && (len(i.Shape) == 0 || int64(i.Shape[len(i.Shape)-1])%l.elems != 0) {
		return 0, false, fmt.Errorf("rows of the shape %v are not blocks of %d elements, as %s has them", i.Shape, l.elems,
			l.name)
	}
	return n / l.elems * l.bytes, true, nil
}

// Tensor is a tensor in memory.
type Tensor struct {
	Info
	// DType is the type of the elements: that of the file for numbers, f32 for blocks.
	DType dtype.Type
	// Data holds the elements, the last index varying fastest, little-endian, DType.Size() bytes each.
	Data []byte
}

// errNoType is the cause of errors for types that cannot be decoded.
var errNoType = fmt.Errorf("types that are read are F32, F16, BF16, F64, I8 to I64, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, "+
	"Q5_K and Q6_K: %w", errors.ErrUnsupported)
