package nx

import (
	"math"
	"math/bits"

	"github.com/go-nx/nx/dtype"
)

// Number lists the Go types that are numbers to an op.
type Number interface {
	bool | int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 |
		float32 | float64 | complex64 | complex128
}

// Operand is what a binary op takes: a tensor or a Go number. A number is
// weak: it takes the tensor's element type where that can hold its kind.
type Operand interface{ Tensor | Number }

// number is a Go number with its full precision.
type number struct {
	kind  dtype.Kind // KindBool, KindSigned, KindUnsigned (above MaxInt64), KindFloat or KindComplex
	i     int64      // of a bool or an integer; the bits of an unsigned one
	f, im float64    // of a float or a complex number
}

var (
	zero = number{kind: dtype.KindSigned}
	one  = number{kind: dtype.KindSigned, i: 1}
)

// operand is an Operand without generics: a tensor when t is not nil.
type operand struct {
	t *tensor
	n number
}

// operandOf converts without reflection or allocation.
func operandOf[T Operand](v T) operand {
	switch v := any(v).(type) {
	case Tensor:
		return operand{t: v.p}
	case bool:
		n := number{kind: dtype.KindBool}
		if v {
			n.i = 1
		}
		return operand{n: n}
	case int:
		return operand{n: number{kind: dtype.KindSigned, i: int64(v)}}
	case int8:
		return operand{n: number{kind: dtype.KindSigned, i: int64(v)}}
	case int16:
		return operand{n: number{kind: dtype.KindSigned, i: int64(v)}}
	case int32:
		return operand{n: number{kind: dtype.KindSigned, i: int64(v)}}
	case int64:
		return operand{n: number{kind: dtype.KindSigned, i: v}}
	case uint:
		return operand{n: unsigned(uint64(v))}
	case uint8:
		return operand{n: number{kind: dtype.KindSigned, i: int64(v)}}
	case uint16:
		return operand{n: number{kind: dtype.KindSigned, i: int64(v)}}
	case uint32:
		return operand{n: number{kind: dtype.KindSigned, i: int64(v)}}
	case uint64:
		return operand{n: unsigned(v)}
	case float32:
		return operand{n: number{kind: dtype.KindFloat, f: float64(v)}}
	case float64:
		return operand{n: number{kind: dtype.KindFloat, f: v}}
	case complex64:
		return operand{n: number{kind: dtype.KindComplex, f: float64(real(v)), im: float64(imag(v))}}
	case complex128:
		return operand{n: number{kind: dtype.KindComplex, f: real(v), im: imag(v)}}
	}
	panic("nx: a type outside Operand")
}

func unsigned(v uint64) number {
	if v <= math.MaxInt64 {
		return number{kind: dtype.KindSigned, i: int64(v)}
	}
	return number{kind: dtype.KindUnsigned, i: int64(v)}
}

// dtype is the element type of the number alone: s64, u64, f64, c128 or bool.
func (n number) dtype() DType {
	switch n.kind {
	case dtype.KindBool:
		return Bool
	case dtype.KindSigned:
		return S64
	case dtype.KindUnsigned:
		return U64
	case dtype.KindFloat:
		return F64
	}
	return C128
}

// beside returns the element type of a tensor of type t with the number: t
// where it has the number's kind, and the smallest type of the number's kind
// where it has not.
func (n number) beside(t DType) DType {
	switch n.kind {
	case dtype.KindSigned, dtype.KindUnsigned:
		if t == Bool {
			return U8
		}
	case dtype.KindFloat:
		if !t.IsFloat() && !t.IsComplex() {
			return F32
		}
	case dtype.KindComplex:
		if !t.IsComplex() {
			if t == F64 {
				return C128
			}
			return C64
		}
	}
	return t
}

// fits reports whether a tensor of element type t can hold the number. A float
// type rounds it, but does not make an infinity of it.
func (n number) fits(t DType) bool {
	switch {
	case t.IsFloat():
		return n.kind != dtype.KindComplex && holds(t, n.float())
	case t.IsComplex():
		return holds(t.Real(), n.float()) && holds(t.Real(), n.im)
	case n.kind == dtype.KindFloat || n.kind == dtype.KindComplex:
		return false
	case t == Bool:
		return n.kind != dtype.KindUnsigned && n.i&^1 == 0
	case n.kind == dtype.KindUnsigned:
		return t == U64
	case t.IsUnsigned():
		return n.i >= 0 && bits.Len64(uint64(n.i)) <= t.Bits()
	}
	limit := int64(1) << (t.Bits() - 1)
	return t.Bits() == 64 || n.i >= -limit && n.i < limit
}

// holds reports whether a float type has a number that v rounds to.
func holds(t DType, v float64) bool {
	var r float64
	switch {
	case t == F64:
		return true
	case t == F32:
		r = float64(float32(v))
	case !t.HasNaN(): // there v becomes the largest number
		return math.Abs(v) <= t.MaxFinite()
	default:
		r = t.Float64(t.FromFloat64(v))
	}
	return v-v != 0 && (r == v || r != r && v != v) || v-v == 0 && r-r == 0
}

// encode writes the number as an element of type t, rounding once.
func (n number) encode(t DType, b []byte) {
	switch {
	case t.IsComplex():
		t.StoreComplex(b, 0, n.complex())
	case t.IsFloat():
		t.StoreFloat(b, 0, n.float())
	case n.kind == dtype.KindUnsigned:
		t.StoreUint(b, 0, uint64(n.i))
	default:
		t.StoreInt(b, 0, n.i)
	}
}

// decode reads an element of type t: the inverse of encode.
func decode(t DType, b []byte) number {
	switch {
	case t.IsComplex():
		c := t.LoadComplex(b, 0)
		return number{kind: dtype.KindComplex, f: real(c), im: imag(c)}
	case t.IsFloat():
		return number{kind: dtype.KindFloat, f: t.LoadFloat(b, 0)}
	case t.IsUnsigned():
		return unsigned(t.LoadUint(b, 0))
	}
	n := number{kind: dtype.KindSigned, i: t.LoadInt(b, 0)}
	if t == Bool {
		n.kind = dtype.KindBool
	}
	return n
}

func (n number) float() float64 {
	switch n.kind {
	case dtype.KindFloat, dtype.KindComplex:
		return n.f
	case dtype.KindUnsigned:
		return float64(uint64(n.i))
	}
	return float64(n.i)
}

func (n number) complex() complex128 {
	return complex(n.float(), n.im)
}

// same reports whether two numbers are equal in kind and bits.
func (n number) same(m number) bool {
	return n.kind == m.kind && n.i == m.i &&
		math.Float64bits(n.f) == math.Float64bits(m.f) && math.Float64bits(n.im) == math.Float64bits(m.im)
}

// spec returns the type of an operand: that of a number is a weak scalar.
func (x operand) spec() *Spec {
	if x.t != nil {
		return x.t.spec
	}
	return weakSpecs[x.n.kind]
}

// weakSpecs are the types of numbers, by kind; nil for an absent operand. They
// are not interned: a number is passed as an element of the type it gives way
// to, unlike a tensor that gives way.
var weakSpecs = func() (specs [dtype.KindComplex + 1]*Spec) {
	for k := dtype.KindBool; int(k) < len(specs); k++ {
		specs[k] = &Spec{DType: number{kind: k}.dtype(), Shape: Shape{}, weak: true}
	}
	return specs
}()
