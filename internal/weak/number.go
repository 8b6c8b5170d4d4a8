// Package weak implements weakly typed numbers, which adapt to the element types of tensors: their promotion,
// the types that can hold them, and their rounding.
package weak

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// Number is a Go number with its full precision.
type Number struct {
	Kind   dtype.Kind // KindBool, KindSigned, KindUnsigned (above MaxInt64), KindFloat or KindComplex
	Int    int64      // a bool or an integer; the bits of an unsigned one
	Re, Im float64    // a float, and the parts of a complex number
}

// Unsigned returns an integer that is not negative.
func Unsigned(v uint64) Number {
	if v <= math.MaxInt64 {
		return Number{Kind: dtype.KindSigned, Int: int64(v)}
	}
	return Number{Kind: dtype.KindUnsigned, Int: int64(v)}
}

// DType is the default element type of the number: s64, u64, f64, c128 or bool.
func (n Number) DType() dtype.Type {
	switch n.Kind {
	case dtype.KindBool:
		return dtype.Bool
	case dtype.KindSigned:
		return dtype.S64
	case dtype.KindUnsigned:
		return dtype.U64
	case dtype.KindFloat:
		return dtype.F64
	}
	return dtype.C128
}

// PromoteWith returns the element type of a tensor of type t with the number: t
// where it has the number's kind, and the smallest type of the number's kind
// where it has not.
func (n Number) PromoteWith(t dtype.Type) dtype.Type {
	switch n.Kind {
	case dtype.KindSigned, dtype.KindUnsigned:
		if t == dtype.Bool {
			return dtype.U8
		}
	case dtype.KindFloat:
		if !t.IsFloat() && !t.IsComplex() {
			return dtype.F32
		}
	case dtype.KindComplex:
		if !t.IsComplex() {
			if t == dtype.F64 {
				return dtype.C128
			}
			return dtype.C64
		}
	}
	return t
}

// Fits reports whether a tensor of element type t can hold the number. A float
// type rounds it, but does not make an infinity of it.
func (n Number) Fits(t dtype.Type) bool {
	switch {
	case t.IsFloat():
		return n.Kind != dtype.KindComplex && Holds(t, n.Float())
	case t.IsComplex():
		return Holds(t.Real(), n.Float()) && Holds(t.Real(), n.Im)
	case n.Kind == dtype.KindFloat || n.Kind == dtype.KindComplex:
		return false
	case t == dtype.Bool:
		return n.Kind != dtype.KindUnsigned && n.Int&^1 == 0
	case n.Kind == dtype.KindUnsigned:
		return t == dtype.U64
	case t.IsUnsigned():
		return n.Int >= 0 && bits.Len64(uint64(n.Int)) <= t.Bits()
	}
	limit := int64(1) << (t.Bits() - 1)
	return t.Bits() == 64 || n.Int >= -limit && n.Int < limit
}

// Holds reports whether a float type has a number that v rounds to.
func Holds(t dtype.Type, v float64) bool {
	var r float64
	switch {
	case t == dtype.F64:
		return true
	case t == dtype.F32:
		r = float64(float32(v))
	case !t.HasNaN(): // there v becomes the largest number
		return math.Abs(v) <= t.MaxFinite()
	default:
		r = t.Float64(t.FromFloat64(v))
	}
	return v-v != 0 && (r == v || r != r && v != v) || v-v == 0 && r-r == 0
}

// Encode writes the number as an element of type t, rounding once.
func (n Number) Encode(t dtype.Type, b []byte) {
	switch {
	case t.IsComplex():
		t.StoreComplex(b, 0, n.Complex())
	case t.IsFloat():
		t.StoreFloat(b, 0, n.Float())
	case n.Kind == dtype.KindUnsigned:
		t.StoreUint(b, 0, uint64(n.Int))
	default:
		t.StoreInt(b, 0, n.Int)
	}
}

// Decode reads an element of type t: the inverse of Encode.
func Decode(t dtype.Type, b []byte) Number {
	switch {
	case t.IsComplex():
		c := t.LoadComplex(b, 0)
		return Number{Kind: dtype.KindComplex, Re: real(c), Im: imag(c)}
	case t.IsFloat():
		return Number{Kind: dtype.KindFloat, Re: t.LoadFloat(b, 0)}
	case t.IsUnsigned():
		return Unsigned(t.LoadUint(b, 0))
	}
	n := Number{Kind: dtype.KindSigned, Int: t.LoadInt(b, 0)}
	if t == dtype.Bool {
		n.Kind = dtype.KindBool
	}
	return n
}

// Float returns the number, or the real part of a complex one.
func (n Number) Float() float64 {
	switch n.Kind {
	case dtype.KindFloat, dtype.KindComplex:
		return n.Re
	case dtype.KindUnsigned:
		return float64(uint64(n.Int))
	}
	return float64(n.Int)
}

// Complex returns the number as a complex one.
func (n Number) Complex() complex128 {
	return complex(n.Float(), n.Im)
}

// Same reports whether two numbers are equal in kind and bits.
func (n Number) Same(m Number) bool {
	return n.Kind == m.Kind && n.Int == m.Int &&
		math.Float64bits(n.Re) == math.Float64bits(m.Re) && math.Float64bits(n.Im) == math.Float64bits(m.Im)
}

// Text returns the number for messages and cache keys, exactly.
func (n Number) Text() string {
	switch n.Kind {
	case dtype.KindBool:
		return strconv.FormatBool(n.Int != 0)
	case dtype.KindSigned:
		return strconv.FormatInt(n.Int, 10)
	case dtype.KindUnsigned:
		return strconv.FormatUint(uint64(n.Int), 10)
	case dtype.KindFloat:
		s := strconv.FormatFloat(n.Re, 'g', -1, 64)
		if !strings.ContainsAny(s, ".eIN") {
			s += ".0"
		}
		return s
	}
	return strings.Trim(strconv.FormatComplex(n.Complex(), 'g', -1, 128), "()")
}
