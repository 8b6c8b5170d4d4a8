package dtype

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Load and Store read and write element i of the elements packed in b, Size
// bytes each. Loading looks at no bit beyond the type's width, so that bytes
// from outside need no cleaning. They panic, as an index does, when b is too
// short, and when t is not of the method's kind.

var le = binary.LittleEndian

// LoadBits returns the bits of element i, of any type but C128.
func (t Type) LoadBits(b []byte, i int) uint64 {
	switch t.Size() {
	case 1:
		return uint64(b[i]) & (1<<t.Bits() - 1)
	case 2:
		return uint64(le.Uint16(b[2*i:]))
	case 4:
		return uint64(le.Uint32(b[4*i:]))
	case 8:
		return le.Uint64(b[8*i:])
	}
	panic(fmt.Sprintf("dtype: LoadBits called for %s, whose elements are not 1 to 8 bytes", t))
}

// StoreBits sets element i, of any type but C128, to the low bits of v. Signed
// sub-byte types are sign-extended to their byte; a Bool is set to 1 where the
// lowest bit of v is.
func (t Type) StoreBits(b []byte, i int, v uint64) {
	switch t.Size() {
	case 1:
		b[i] = t.extendByte(byte(v))
	case 2:
		le.PutUint16(b[2*i:], uint16(v))
	case 4:
		le.PutUint32(b[4*i:], uint32(v))
	case 8:
		le.PutUint64(b[8*i:], v)
	default:
		panic(fmt.Sprintf("dtype: StoreBits called for %s, whose elements are not 1 to 8 bytes", t))
	}
}

// extendByte brings a byte of a type of at most 8 bits into the form that
// memory holds: sign-extended for signed types, zero-extended for others.
func (t Type) extendByte(v byte) byte {
	unused := 8 - t.Bits()
	if t.IsSigned() {
		return byte(int8(v<<unused) >> unused)
	}
	return v << unused >> unused
}

// LoadFloat returns element i of a real float type, exactly.
func (t Type) LoadFloat(b []byte, i int) float64 {
	switch t {
	case F32:
		return float64(math.Float32frombits(le.Uint32(b[4*i:])))
	case F64:
		return math.Float64frombits(le.Uint64(b[8*i:]))
	case BF16:
		return float64(math.Float32frombits(uint32(le.Uint16(b[2*i:])) << 16))
	case F16:
		return formats[F16].decode(uint64(le.Uint16(b[2*i:])))
	}
	return t.format("LoadFloat").decode(uint64(b[i]))
}

// StoreFloat sets element i of a real float type to v, rounded as by
// [Type.FromFloat64].
func (t Type) StoreFloat(b []byte, i int, v float64) {
	switch t {
	case F64:
		le.PutUint64(b[8*i:], math.Float64bits(v))
	case F32:
		le.PutUint32(b[4*i:], uint32(F32.FromFloat64(v)))
	case BF16:
		le.PutUint16(b[2*i:], uint16(BF16.FromFloat64(v)))
	case F16:
		le.PutUint16(b[2*i:], uint16(formats[F16].encode(v)))
	default:
		b[i] = byte(t.format("StoreFloat").encode(v))
	}
}

// LoadInt returns element i of an integer type or of Bool (0 or 1): the value,
// for U64 as the int64 of the same bits.
func (t Type) LoadInt(b []byte, i int) int64 {
	switch t {
	case S64, U64:
		return int64(le.Uint64(b[8*i:]))
	case S32:
		return int64(int32(le.Uint32(b[4*i:])))
	case U32:
		return int64(le.Uint32(b[4*i:]))
	case S16:
		return int64(int16(le.Uint16(b[2*i:])))
	case U16:
		return int64(le.Uint16(b[2*i:]))
	case S8:
		return int64(int8(b[i]))
	case U8:
		return int64(b[i])
	case S4:
		return int64(int8(b[i]<<4) >> 4)
	case U4:
		return int64(b[i] & 15)
	case S2:
		return int64(int8(b[i]<<6) >> 6)
	case U2:
		return int64(b[i] & 3)
	case Bool:
		if b[i] != 0 {
			return 1
		}
		return 0
	}
	panic(fmt.Sprintf("dtype: LoadInt called for %s, which is neither an integer type nor bool", t))
}

// LoadUint is LoadInt with the result as uint64: signed values are
// sign-extended to 64 bits.
func (t Type) LoadUint(b []byte, i int) uint64 { return uint64(t.LoadInt(b, i)) }

// StoreInt sets element i of an integer type to v modulo 2 to the width of the
// type, and of Bool to whether v is not zero.
func (t Type) StoreInt(b []byte, i int, v int64) {
	switch t {
	case S64, U64:
		le.PutUint64(b[8*i:], uint64(v))
	case S32, U32:
		le.PutUint32(b[4*i:], uint32(v))
	case S16, U16:
		le.PutUint16(b[2*i:], uint16(v))
	case S8, U8:
		b[i] = byte(v)
	case S4:
		b[i] = byte(int8(v<<4) >> 4)
	case U4:
		b[i] = byte(v) & 15
	case S2:
		b[i] = byte(int8(v<<6) >> 6)
	case U2:
		b[i] = byte(v) & 3
	case Bool:
		b[i] = 0
		if v != 0 {
			b[i] = 1
		}
	default:
		panic(fmt.Sprintf("dtype: StoreInt called for %s, which is neither an integer type nor bool", t))
	}
}

// StoreUint is StoreInt of a uint64.
func (t Type) StoreUint(b []byte, i int, v uint64) { t.StoreInt(b, i, int64(v)) }

// LoadComplex returns element i of a complex type, exactly.
func (t Type) LoadComplex(b []byte, i int) complex128 {
	switch t {
	case C64:
		return complex(F32.LoadFloat(b, 2*i), F32.LoadFloat(b, 2*i+1))
	case C128:
		return complex(F64.LoadFloat(b, 2*i), F64.LoadFloat(b, 2*i+1))
	}
	panic(fmt.Sprintf("dtype: LoadComplex called for %s, which is not a complex type", t))
}

// StoreComplex sets element i of a complex type to v, each part rounded once.
func (t Type) StoreComplex(b []byte, i int, v complex128) {
	switch t {
	case C64, C128:
		r := t.Real()
		r.StoreFloat(b, 2*i, real(v))
		r.StoreFloat(b, 2*i+1, imag(v))
	default:
		panic(fmt.Sprintf("dtype: StoreComplex called for %s, which is not a complex type", t))
	}
}
