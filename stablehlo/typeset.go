package stablehlo

import (
	"slices"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// TypeSet is a set of value types that a spec allows: tensors of some element
// types, narrowed by restrictions, and types that are not tensors.
type TypeSet uint32

// The members and the restrictions of the specification's tables.
const (
	// Elements of ranked tensors.
	TBool TypeSet = 1 << iota
	TSigned
	TUnsigned
	TFloat
	TComplex
	TQuant        // per-tensor quantised
	TQuantPerAxis // per-axis quantised
	TIndex
	// Types that are not ranked tensors.
	TUnranked // tensors of those elements with an unknown rank: CHLO and custom calls
	TToken
	TTuple
	TBuffer
	TFuture
	TAnyType // anything
	// Restrictions on tensors.
	TRank0
	TRank1
	TRank2
	TStatic        // all sizes known
	TStaticOrBound // all sizes known, or a single dynamic dimension with a bound
	T32Bit         // integers of 32 bits
	TF32F64        // floats of type f32 or f64
)

// The unions that specs use.
const (
	TInt               = TSigned | TUnsigned
	TBoolInt           = TBool | TInt
	TIntFloat          = TInt | TFloat
	TFloatComplex      = TFloat | TComplex
	TFloatQuant        = TFloat | TQuant
	TFloatComplexQuant = TFloat | TComplex | TQuant
	TSignedNumber      = TSigned | TFloat | TComplex | TQuant
	TNumber            = TInt | TFloat | TComplex | TQuant
	TPlain             = TBool | TInt | TFloat | TComplex
	TTensor            = TPlain | TQuant
	TTensorAll         = TTensor | TQuantPerAxis
	TChlo              = TTensorAll | TUnranked

	// TShape is a shape operand: a vector of sizes, one per dimension of the result.
	TShape = TInt | TIndex | TRank1 | TStatic
)

const (
	typeSetElems    = TTensorAll | TIndex
	typeSetNoTensor = TToken | TTuple | TBuffer | TFuture
)

// Has reports whether t is a member of the set.
func (s TypeSet) Has(t Type) bool {
	if s&TAnyType != 0 {
		return t != nil
	}
	switch t := t.(type) {
	case *TensorType:
		return s.hasElem(t.Elem) && s.hasShape(t)
	case *UnrankedTensorType:
		return s&TUnranked != 0 && s.hasElem(t.Elem)
	case *BufferType:
		return s&TBuffer != 0 && (TTensor).hasElem(t.Elem)
	case TokenType:
		return s&TToken != 0
	case *TupleType:
		leaf := TTensorAll | TToken | TTuple | TBuffer | s&TUnranked
		return s&TTuple != 0 && !slices.ContainsFunc(t.Elems, func(e Type) bool { return !leaf.Has(e) })
	case *FutureType:
		return s&TFuture != 0
	}
	return false
}

// kindBits holds the bit of a plain element type, by its kind.
var kindBits = [...]TypeSet{
	dtype.KindInvalid: 0,
	dtype.KindBool:    TBool,
	dtype.KindSigned:  TSigned, dtype.KindUnsigned: TUnsigned,
	dtype.KindFloat: TFloat, dtype.KindComplex: TComplex,
}

func (s TypeSet) hasElem(t Type) bool {
	switch t := t.(type) {
	case Scalar:
		d := dtype.Type(t)
		return s&kindBits[d.Kind()] != 0 &&
			(s&T32Bit == 0 || !d.IsInteger() || d.Bits() == 32) &&
			(s&TF32F64 == 0 || !d.IsFloat() || d == dtype.F32 || d == dtype.F64)
	case *QuantType:
		if t.IsPerAxis() {
			return s&TQuantPerAxis != 0
		}
		return s&TQuant != 0
	case IndexType:
		return s&TIndex != 0
	}
	return false
}

func (s TypeSet) hasShape(t *TensorType) bool {
	return (s&TRank0 == 0 || t.Rank() == 0) &&
		(s&TRank1 == 0 || t.Rank() == 1) &&
		(s&TRank2 == 0 || t.Rank() == 2) &&
		(s&TStatic == 0 || t.IsStatic()) &&
		(s&TStaticOrBound == 0 || t.IsStatic() || hasSingleBound(t))
}

// hasSingleBound reports whether exactly one dimension is dynamic and it has a bound.
func hasSingleBound(t *TensorType) bool {
	dynamic, bounded := 0, 0
	for i, d := range t.Dims {
		if d == Dynamic {
			dynamic++
			if i < len(t.Bounds) && t.Bounds[i] != Dynamic {
				bounded++
			}
		}
	}
	return dynamic == 1 && bounded == 1
}

// typeSetWords names the members for messages and documentation.
var typeSetWords = []struct {
	set  TypeSet
	word string
}{
	{TTensorAll, "any element"},
	{TTensor, "any element but per-axis quantised"},
	{TPlain, "bool, integer, float or complex"},
	{TBool, "bool"},
	{TInt, "integer"},
	{TSigned, "signed integer"},
	{TUnsigned, "unsigned integer"},
	{TFloat, "float"},
	{TComplex, "complex"},
	{TQuant | TQuantPerAxis, "quantised"},
	{TQuant, "per-tensor quantised"},
	{TQuantPerAxis, "per-axis quantised"},
	{TIndex, "index"},
}

var typeSetOthers = []struct {
	set  TypeSet
	word string
}{
	{TToken, "token"}, {TTuple, "tuple"}, {TBuffer, "memref"}, {TFuture, "future"},
}

// String describes the set: "scalar of integer", "tensor of bool or integer, or token".
func (s TypeSet) String() string {
	if s&TAnyType != 0 {
		return "any type"
	}
	var parts []string
	if elems := s & typeSetElems; elems != 0 {
		var words []string
		for _, w := range typeSetWords {
			if elems&w.set == w.set {
				words = append(words, w.word)
				elems &^= w.set
			}
		}
		parts = append(parts, s.shapeWord()+" of "+orList(words)+s.elemRestriction())
	}
	for _, w := range typeSetOthers {
		if s&w.set != 0 {
			parts = append(parts, w.word)
		}
	}
	return orList(parts)
}

func (s TypeSet) shapeWord() string {
	word := "tensor"
	switch {
	case s&TRank0 != 0:
		word = "scalar"
	case s&TRank1 != 0:
		word = "vector"
	case s&TRank2 != 0:
		word = "matrix"
	case s&TUnranked != 0:
		word = "ranked or unranked tensor"
	}
	switch {
	case s&TStatic != 0:
		word = "static " + word
	case s&TStaticOrBound != 0:
		word = "static or singly bounded " + word
	}
	return word
}

func (s TypeSet) elemRestriction() string {
	switch {
	case s&T32Bit != 0:
		return " of 32 bits"
	case s&TF32F64 != 0:
		return " (f32 or f64)"
	}
	return ""
}

// orList joins words: "a, b or c".
func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
