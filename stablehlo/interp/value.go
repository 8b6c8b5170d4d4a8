package interp

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/go-nx/nx/stablehlo"
)

// Value is the value of an SSA value at run time: a [*Tensor], a [Token] or a [Tuple].
type Value interface{ isValue() }

// Tensor is a tensor at run time. It is immutable once it is the value of an
// op or an argument, so that values may share Data.
type Tensor struct {
	// Type has no dynamic dimension, no bounds and no encoding.
	Type *stablehlo.TensorType
	// Data holds the elements in row-major order as package dtype lays them out.
	Data []byte
}

// Token is the value of a !stablehlo.token; the interpreter runs the ops of a process in order, so it is
// empty.
type Token struct{}

// Tuple is the value of a tuple type.
type Tuple []Value

func (*Tensor) isValue() {}
func (Token) isValue()   {}
func (Tuple) isValue()   {}

// NewTensor returns a tensor of a type with a static shape that holds data,
// which must not be changed later.
func NewTensor(t *stablehlo.TensorType, data []byte) (*Tensor, error) {
	n, ok := t.NumElems()
	size := int64(t.DType().Size())
	if !ok || size == 0 {
		return nil,
			fmt.Errorf("interp: a tensor of type %s cannot be a value: its shape must be static and its element type known", t)
	}
	if !channelsFit(t.Quant(), t.Dims) {
		return nil, fmt.Errorf("interp: a tensor of type %s must have one scale per channel", t)
	}
	if n > math.MaxInt64/size || n*size != int64(len(data)) {
		return nil, fmt.Errorf("interp: a tensor of type %s needs %d bytes per element for %d elements, got %d bytes",
			t, size, n, len(data))
	}
	return &Tensor{plainType(t), data}, nil
}

// plainType returns t without bounds and encoding.
func plainType(t *stablehlo.TensorType) *stablehlo.TensorType {
	if t.Bounds == nil && t.Encoding == nil {
		return t
	}
	return t.WithDims(t.Dims...)
}

// makeTensor returns a zeroed tensor for the result of an op. Sizes are limited so that a small program cannot
// allocate too much memory.
func makeTensor(t *stablehlo.TensorType, dims ...int64) (*Tensor, error) {
	rt := withDims(t, dims)
	n, ok := rt.NumElems()
	size := int64(rt.DType().Size())
	if !ok || size == 0 {
		return nil, faultf(BadShape, "a tensor of type %s cannot be allocated", rt)
	}
	if !channelsFit(rt.Quant(), dims) {
		return nil, faultf(BadShape, "a tensor of type %s must have one scale per channel", rt)
	}
	if n > maxTensorBytes/size {
		return nil, faultf(TooLarge, "a tensor of type %s needs %s; this interpreter allows %d per value", rt,
			bytesText(n, size), int64(maxTensorBytes))
	}
	data, err := allocate(n * size)
	if err != nil {
		return nil, err
	}
	return &Tensor{rt, data}, nil
}

// bytesText reports how much memory n elements of a size take.
func bytesText(n, size int64) string {
	hi, lo := bits.Mul64(uint64(n), uint64(size))
	if hi != 0 {
		return "more than 2^64 bytes"
	}
	return fmt.Sprintf("%d bytes", lo)
}

// withDims returns a plain type of other dimensions, t itself where it is that.
func withDims(t *stablehlo.TensorType, dims []int64) *stablehlo.TensorType {
	if t.Bounds == nil && t.Encoding == nil && equalDims(t.Dims, dims) {
		return t
	}
	return t.WithDims(dims...)
}

// dims returns the shape.
func (t *Tensor) dims() []int64 { return t.Type.Dims }

// size returns the bytes of an element.
func (t *Tensor) size() int { return t.Type.DType().Size() }

// numElems returns the number of elements.
func (t *Tensor) numElems() int { return len(t.Data) / t.size() }

// elem returns the bytes of element i.
func (t *Tensor) elem(i int) []byte {
	s := t.size()
	return t.Data[i*s : (i+1)*s : (i+1)*s]
}
