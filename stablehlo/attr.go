package stablehlo

import (
	"bytes"
	"math"
	"slices"

	"github.com/go-nx/nx/dtype"
)

// Attr is a compile-time constant of an op, a function or a module. Attributes
// are immutable once built; compare them with [SameAttr].
type Attr interface {
	// String returns the attribute as StableHLO text.
	String() string
	isAttr()
}

// NamedAttr is an attribute with its name.
type NamedAttr struct {
	Name  string
	Value Attr
}

// IntAttr is an integer: 1 : i64. Value holds the two's complement bits, so an
// unsigned 64-bit value above 1<<63-1 is negative here.
type IntAttr struct {
	Value int64
	Type  Type // Scalar of an integer type, or IndexType
}

// FloatAttr is a floating-point number: 1.0e-5 : f32.
type FloatAttr struct {
	Value float64
	Type  Type // Scalar of a float type
}

// BoolAttr is true or false.
type BoolAttr bool

// StringAttr is a string of any bytes.
type StringAttr string

// UnitAttr is an attribute whose presence is its meaning.
type UnitAttr struct{}

// TypeAttr is a type used as an attribute.
type TypeAttr struct{ Type Type }

// SymbolAttr refers to a symbol: @main; Nested holds the parts after "::".
type SymbolAttr struct {
	Name   string
	Nested []string
}

// ArrayAttr is a list: [1, "a"].
type ArrayAttr []Attr

// DictAttr is a dictionary sorted by name: {a = 1, b}.
type DictAttr []NamedAttr

// IntsAttr is a dense array of integers, array<i64: 1, 2>, with a bool as 0 or 1.
type IntsAttr struct {
	Elem   dtype.Type // Bool, S8, S16, S32 or S64
	Values []int64
}

// FloatsAttr is a dense array of floats: array<f32: 1.0>.
type FloatsAttr struct {
	Elem   dtype.Type // F32 or F64
	Values []float64
}

// ElementsAttr is the constant value of a tensor: dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>.
type ElementsAttr struct {
	Type *TensorType // static shape
	// Data holds the elements in row-major order, little-endian, each in
	// [dtype.Type.Size] bytes (see package dtype); a single element if Splat.
	Data  []byte
	Splat bool
}

// EnumAttr is a keyword of an enumeration: #stablehlo<comparison_direction GT>.
type EnumAttr struct {
	Dialect string // "stablehlo" or "chlo"
	Kind    string // "comparison_direction"
	Value   string // "GT"
}

// OpaqueAttr is an attribute of a dialect this package does not know, without
// its leading "#", kept and printed back: sdy.sharding<@mesh, [{}]>.
type OpaqueAttr struct{ Text string }

// LocationAttr is a location used as an attribute: loc("x").
type LocationAttr struct{ Loc Location }

func (IntAttr) isAttr()       {}
func (FloatAttr) isAttr()     {}
func (BoolAttr) isAttr()      {}
func (StringAttr) isAttr()    {}
func (UnitAttr) isAttr()      {}
func (TypeAttr) isAttr()      {}
func (SymbolAttr) isAttr()    {}
func (ArrayAttr) isAttr()     {}
func (DictAttr) isAttr()      {}
func (IntsAttr) isAttr()      {}
func (FloatsAttr) isAttr()    {}
func (*ElementsAttr) isAttr() {}
func (EnumAttr) isAttr()      {}
func (OpaqueAttr) isAttr()    {}
func (LocationAttr) isAttr()  {}

// I64 returns an i64 attribute.
func I64(v int64) IntAttr { return IntAttr{v, Scalar(dtype.S64)} }

// I32 returns an i32 attribute.
func I32(v int32) IntAttr { return IntAttr{int64(v), Scalar(dtype.S32)} }

// I64s returns a dense array of i64, the form of dimension lists.
func I64s(v ...int64) IntsAttr { return IntsAttr{dtype.S64, v} }

// Symbol returns a reference to the symbol @name.
func Symbol(name string) SymbolAttr { return SymbolAttr{Name: name} }

// Get returns the attribute of that name in the dictionary, or nil.
func (d DictAttr) Get(name string) Attr {
	for _, a := range d {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}

// SameAttr reports whether two attributes are equal in every part; NaNs with
// the same bits are equal.
func SameAttr(a, b Attr) bool {
	switch a := a.(type) {
	case IntAttr:
		b, ok := b.(IntAttr)
		return ok && a.Value == b.Value && SameType(a.Type, b.Type)
	case FloatAttr:
		b, ok := b.(FloatAttr)
		return ok && math.Float64bits(a.Value) == math.Float64bits(b.Value) && SameType(a.Type, b.Type)
	case TypeAttr:
		b, ok := b.(TypeAttr)
		return ok && SameType(a.Type, b.Type)
	case SymbolAttr:
		b, ok := b.(SymbolAttr)
		return ok && a.Name == b.Name && slices.Equal(a.Nested, b.Nested)
	case ArrayAttr:
		b, ok := b.(ArrayAttr)
		return ok && slices.EqualFunc(a, b, SameAttr)
	case DictAttr:
		b, ok := b.(DictAttr)
		return ok && slices.EqualFunc(a, b, sameNamed)
	case IntsAttr:
		b, ok := b.(IntsAttr)
		return ok && a.Elem == b.Elem && slices.Equal(a.Values, b.Values)
	case FloatsAttr:
		b, ok := b.(FloatsAttr)
		return ok && a.Elem == b.Elem && slices.EqualFunc(a.Values, b.Values, func(x, y float64) bool {
			return math.Float64bits(x) == math.Float64bits(y)
		})
	case *ElementsAttr:
		b, ok := b.(*ElementsAttr)
		return ok && (a == b || SameType(a.Type, b.Type) && sameElements(a, b))
	case LocationAttr:
		b, ok := b.(LocationAttr)
		return ok && SameLocation(a.Loc, b.Loc)
	case structAttr:
		b, ok := b.(structAttr)
		return ok && sameStruct(a, b)
	}
	return a == b // BoolAttr, StringAttr, UnitAttr, EnumAttr, OpaqueAttr, nil: comparable
}

func sameNamed(a, b NamedAttr) bool { return a.Name == b.Name && SameAttr(a.Value, b.Value) }

// sameElements compares constants of one type; a splat equals the list of equal
// elements that it stands for.
func sameElements(a, b *ElementsAttr) bool {
	if a.Splat == b.Splat {
		return bytes.Equal(a.Data, b.Data)
	}
	if b.Splat {
		a, b = b, a
	}
	n, size := a.Len(), len(a.Data)
	return len(b.Data) == n*size && (n == 0 || bytes.Equal(a.Data, b.Data[:size]) && allEqual(b.Data, size))
}
