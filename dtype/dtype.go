package dtype

// Type is an element type. The zero value is Invalid.
//
// The order is by kind and then by width; it is not part of the API and must
// not be stored.
type Type uint8

// The element types. Sub-byte types take one byte an element in memory.
const (
	Invalid Type = iota
	Bool
	S2
	S4
	S8
	S16
	S32
	S64
	U2
	U4
	U8
	U16
	U32
	U64
	F4E2M1FN
	F6E2M3FN
	F6E3M2FN
	F8E3M4
	F8E4M3
	F8E4M3FN
	F8E4M3FNUZ
	F8E4M3B11FNUZ
	F8E5M2
	F8E5M2FNUZ
	F8E8M0FNU
	BF16
	F16
	F32
	F64
	C64  // two F32
	C128 // two F64
	numTypes
)

// Kind groups the element types by the arithmetic they have.
type Kind uint8

// The kinds of element types.
const (
	KindInvalid Kind = iota
	KindBool
	KindSigned
	KindUnsigned
	KindFloat
	KindComplex
)

type row struct {
	name string
	kind Kind
	bits uint8 // bits of one element: its width in a file that packs
	size uint8 // bytes of one element in memory
}

var rows = [numTypes]row{
	Invalid:       {"invalid", KindInvalid, 0, 0},
	Bool:          {"bool", KindBool, 1, 1},
	S2:            {"s2", KindSigned, 2, 1},
	S4:            {"s4", KindSigned, 4, 1},
	S8:            {"s8", KindSigned, 8, 1},
	S16:           {"s16", KindSigned, 16, 2},
	S32:           {"s32", KindSigned, 32, 4},
	S64:           {"s64", KindSigned, 64, 8},
	U2:            {"u2", KindUnsigned, 2, 1},
	U4:            {"u4", KindUnsigned, 4, 1},
	U8:            {"u8", KindUnsigned, 8, 1},
	U16:           {"u16", KindUnsigned, 16, 2},
	U32:           {"u32", KindUnsigned, 32, 4},
	U64:           {"u64", KindUnsigned, 64, 8},
	F4E2M1FN:      {"f4e2m1fn", KindFloat, 4, 1},
	F6E2M3FN:      {"f6e2m3fn", KindFloat, 6, 1},
	F6E3M2FN:      {"f6e3m2fn", KindFloat, 6, 1},
	F8E3M4:        {"f8e3m4", KindFloat, 8, 1},
	F8E4M3:        {"f8e4m3", KindFloat, 8, 1},
	F8E4M3FN:      {"f8e4m3fn", KindFloat, 8, 1},
	F8E4M3FNUZ:    {"f8e4m3fnuz", KindFloat, 8, 1},
	F8E4M3B11FNUZ: {"f8e4m3b11fnuz", KindFloat, 8, 1},
	F8E5M2:        {"f8e5m2", KindFloat, 8, 1},
	F8E5M2FNUZ:    {"f8e5m2fnuz", KindFloat, 8, 1},
	F8E8M0FNU:     {"f8e8m0fnu", KindFloat, 8, 1},
	BF16:          {"bf16", KindFloat, 16, 2},
	F16:           {"f16", KindFloat, 16, 2},
	F32:           {"f32", KindFloat, 32, 4},
	F64:           {"f64", KindFloat, 64, 8},
	C64:           {"c64", KindComplex, 64, 8},
	C128:          {"c128", KindComplex, 128, 16},
}

// String returns the name of t: "f32", "s8", "c64".
func (t Type) String() string {
	if t >= numTypes {
		return "invalid"
	}
	return rows[t].name
}

// IsValid reports whether t is one of the element types.
func (t Type) IsValid() bool { return t > Invalid && t < numTypes }

// Kind returns the kind of t.
func (t Type) Kind() Kind {
	if t >= numTypes {
		return KindInvalid
	}
	return rows[t].kind
}

// Bits returns the width of an element in bits: 4 for S4, 64 for C64.
func (t Type) Bits() int {
	if t >= numTypes {
		return 0
	}
	return int(rows[t].bits)
}

// Size returns the bytes that an element takes in memory: 1 for S4, 8 for C64.
func (t Type) Size() int {
	if t >= numTypes {
		return 0
	}
	return int(rows[t].size)
}

// IsInteger reports whether t is a signed or unsigned integer type (not Bool).
func (t Type) IsInteger() bool { k := t.Kind(); return k == KindSigned || k == KindUnsigned }

// IsSigned reports whether t is a signed integer type.
func (t Type) IsSigned() bool { return t.Kind() == KindSigned }

// IsUnsigned reports whether t is an unsigned integer type (not Bool).
func (t Type) IsUnsigned() bool { return t.Kind() == KindUnsigned }

// IsFloat reports whether t is a real floating-point type.
func (t Type) IsFloat() bool { return t.Kind() == KindFloat }

// IsComplex reports whether t is a complex type.
func (t Type) IsComplex() bool { return t.Kind() == KindComplex }

// Real returns the type of the parts of a complex type, and t itself otherwise.
func (t Type) Real() Type {
	switch t {
	case C64:
		return F32
	case C128:
		return F64
	}
	return t
}

// Complex returns the complex type with parts of type t (F32 or F64), or Invalid.
func (t Type) Complex() Type {
	switch t {
	case F32:
		return C64
	case F64:
		return C128
	}
	return Invalid
}
