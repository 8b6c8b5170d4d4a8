package stablehlo

import (
	"slices"

	"github.com/go-nx/nx/dtype"
)

// Type is the type of a value, of an element or of an attribute. Types are
// immutable once built; compare them with [SameType].
type Type interface {
	// String returns the type as StableHLO text: "tensor<2x?xf32>".
	String() string
	isType()
}

// Dynamic stands for an unknown dimension size ("?") in [TensorType.Dims] and
// for a missing bound in [TensorType.Bounds].
const Dynamic int64 = -1

// Scalar is an element type used as a type: the elem of a tensor, the type of
// an attribute.
type Scalar dtype.Type

// IndexType is MLIR's index, a 64-bit integer here: the element of shape operands.
type IndexType struct{}

// QuantType is a uniform quantised element type: f = (i - zero_point) * scale.
type QuantType struct {
	Storage    dtype.Type // S2…S32 or U2…U32
	Expressed  dtype.Type
	Axis       int // the quantised dimension, or -1 for per-tensor quantisation
	Scales     []float64
	ZeroPoints []int64 // as many as Scales
	Min, Max   int64   // the range of the stored integers, inclusive
}

// TensorType is a ranked tensor, tensor<2x?xf32>. A rank of 0 is a scalar.
type TensorType struct {
	Dims []int64 // sizes, Dynamic where unknown
	Elem Type    // Scalar, IndexType, *QuantType; anything else is rejected by the verifier
	// Bounds holds the upper bound of each dynamic dimension, Dynamic for an unbounded one
	// (#stablehlo.bounds<…>); nil when no dimension is bounded.
	Bounds []int64
	// Encoding is any other encoding attribute, kept and printed back; mostly nil.
	Encoding Attr
}

// UnrankedTensorType is tensor<*xf32>: parsed so that the verifier can refuse it.
type UnrankedTensorType struct{ Elem Type }

// TokenType orders side effects.
type TokenType struct{}

// TupleType is a heterogeneous list, kept for compatibility with HLO.
type TupleType struct{ Elems []Type }

// BufferType is memref<2x3xf32>; only custom calls touch it.
type BufferType struct {
	Dims []int64
	Elem Type
	Rest string // layout and memory space as written, "" mostly
}

// FutureType is the pending result of async_start.
type FutureType struct{ Elems []Type }

// FuncType is the type of a function or of a region.
type FuncType struct{ Ins, Outs []Type }

// NoneType is the type none of MLIR.
type NoneType struct{}

// OtherType is a type outside the specification (i17, !dialect.type<…>), kept and printed back; the verifier
// rejects it where the specification does.
type OtherType struct{ Text string }

func (Scalar) isType()              {}
func (IndexType) isType()           {}
func (*QuantType) isType()          {}
func (*TensorType) isType()         {}
func (*UnrankedTensorType) isType() {}
func (TokenType) isType()           {}
func (*TupleType) isType()          {}
func (*BufferType) isType()         {}
func (*FutureType) isType()         {}
func (*FuncType) isType()           {}
func (NoneType) isType()            {}
func (OtherType) isType()           {}

// Tensor returns the type of a tensor of plain elements.
//
//go:noinline
func Tensor(d dtype.Type, dims ...int64) *TensorType {
	return &TensorType{Dims: dims, Elem: Scalar(d)}
}

// DType returns the storage type of elements of type t: the scalar itself, the storage type of a quantised
// element, S64 for index, the element's for a tensor; Invalid for other types.
func DType(t Type) dtype.Type {
	switch t := t.(type) {
	case Scalar:
		return dtype.Type(t)
	case IndexType:
		return dtype.S64
	case *QuantType:
		return t.Storage
	case *TensorType:
		return DType(t.Elem)
	case *UnrankedTensorType:
		return DType(t.Elem)
	case *BufferType:
		return DType(t.Elem)
	}
	return dtype.Invalid
}

// DType returns the type in which the elements of t are stored.
//
//go:noinline
func (t *TensorType) DType() dtype.Type {
	if s, ok := t.Elem.(Scalar); ok {
		return dtype.Type(s)
	}
	return DType(t.Elem)
}

// Quant returns the quantised element type of t, or nil.
func (t *TensorType) Quant() *QuantType { q, _ := t.Elem.(*QuantType); return q }

// Rank returns the number of dimensions.
func (t *TensorType) Rank() int { return len(t.Dims) }

// IsStatic reports whether all dimension sizes are known.
func (t *TensorType) IsStatic() bool { return !slices.Contains(t.Dims, Dynamic) }

// NumElems returns the number of elements; ok is false when a dimension is
// dynamic or the product does not fit in an int64.
func (t *TensorType) NumElems() (n int64, ok bool) { return numElems(t.Dims) }

func numElems(dims []int64) (int64, bool) {
	n := int64(1)
	if slices.Contains(dims, 0) {
		return 0, !slices.Contains(dims, Dynamic)
	}
	for _, d := range dims {
		if d < 0 || n > (1<<63-1)/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}

// WithDims returns t with other dimension sizes and without bounds or encoding.
//
//go:noinline
func (t *TensorType) WithDims(dims ...int64) *TensorType {
	return &TensorType{Dims: dims, Elem: t.Elem}
}

// WithElem returns t with another element type.
func (t *TensorType) WithElem(elem Type) *TensorType {
	u := *t
	u.Elem = elem
	return &u
}

// IsPerAxis reports whether q has one scale for each slice of dimension Axis.
func (q *QuantType) IsPerAxis() bool { return q.Axis >= 0 }

// SameType reports whether two types are equal in every part.
func SameType(a, b Type) bool {
	switch a := a.(type) {
	case *TensorType:
		b, ok := b.(*TensorType)
		return ok && (a == b || slices.Equal(a.Dims, b.Dims) && SameType(a.Elem, b.Elem) &&
			slices.Equal(a.Bounds, b.Bounds) && SameAttr(a.Encoding, b.Encoding))
	case *QuantType:
		b, ok := b.(*QuantType)
		return ok && (a == b || a.Storage == b.Storage && a.Expressed == b.Expressed && a.Axis == b.Axis &&
			a.Min == b.Min && a.Max == b.Max && slices.Equal(a.Scales, b.Scales) &&
			slices.Equal(a.ZeroPoints, b.ZeroPoints))
	case *UnrankedTensorType:
		b, ok := b.(*UnrankedTensorType)
		return ok && SameType(a.Elem, b.Elem)
	case *TupleType:
		b, ok := b.(*TupleType)
		return ok && slices.EqualFunc(a.Elems, b.Elems, SameType)
	case *FutureType:
		b, ok := b.(*FutureType)
		return ok && slices.EqualFunc(a.Elems, b.Elems, SameType)
	case *BufferType:
		b, ok := b.(*BufferType)
		return ok && slices.Equal(a.Dims, b.Dims) && SameType(a.Elem, b.Elem) && a.Rest == b.Rest
	case *FuncType:
		b, ok := b.(*FuncType)
		return ok && slices.EqualFunc(a.Ins, b.Ins, SameType) && slices.EqualFunc(a.Outs, b.Outs, SameType)
	}
	return a == b // Scalar, IndexType, TokenType, NoneType, OtherType, nil: comparable
}
