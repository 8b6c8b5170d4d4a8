package core

import (
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/weak"
)

// Number lists the Go types that are numbers to an op.
type Number interface {
	bool | int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 |
		float32 | float64 | complex64 | complex128
}

// Operand is what a binary op takes: a tensor or a Go number. A number is
// weak: it takes the tensor's element type where that can hold its kind.
type Operand interface {
	Number |
		~struct { // Tensor, and nx.Tensor, which is defined by it
			_ [0]func()
			p *tensor
		}
}

// number is a Go number, which gives way to the type of a tensor.
type number = weak.Number

var (
	zero = number{Kind: dtype.KindSigned}
	one  = number{Kind: dtype.KindSigned, Int: 1}
)

// operand is an Operand without generics: a tensor when t is not nil.
type operand struct {
	t *tensor
	n number
}

// operandOf converts without reflection or allocation.
func operandOf[T Operand](v T) operand {
	switch v := any(v).(type) {
	case bool:
		n := number{Kind: dtype.KindBool}
		if v {
			n.Int = 1
		}
		return operand{n: n}
	case int:
		return operand{n: number{Kind: dtype.KindSigned, Int: int64(v)}}
	case int8:
		return operand{n: number{Kind: dtype.KindSigned, Int: int64(v)}}
	case int16:
		return operand{n: number{Kind: dtype.KindSigned, Int: int64(v)}}
	case int32:
		return operand{n: number{Kind: dtype.KindSigned, Int: int64(v)}}
	case int64:
		return operand{n: number{Kind: dtype.KindSigned, Int: v}}
	case uint:
		return operand{n: weak.Unsigned(uint64(v))}
	case uint8:
		return operand{n: number{Kind: dtype.KindSigned, Int: int64(v)}}
	case uint16:
		return operand{n: number{Kind: dtype.KindSigned, Int: int64(v)}}
	case uint32:
		return operand{n: number{Kind: dtype.KindSigned, Int: int64(v)}}
	case uint64:
		return operand{n: weak.Unsigned(v)}
	case float32:
		return operand{n: number{Kind: dtype.KindFloat, Re: float64(v)}}
	case float64:
		return operand{n: number{Kind: dtype.KindFloat, Re: v}}
	case complex64:
		return operand{n: number{Kind: dtype.KindComplex, Re: float64(real(v)), Im: float64(imag(v))}}
	case complex128:
		return operand{n: number{Kind: dtype.KindComplex, Re: real(v), Im: imag(v)}}
	}
	return operand{t: (*(*Tensor)(unsafe.Pointer(&v))).p} // the only other type that Operand allows
}

// spec returns the type of an operand: that of a number is a weak scalar.
func (x operand) spec() *Spec {
	if x.t != nil {
		return x.t.spec
	}
	return weakSpecs[x.n.Kind]
}

// weakSpecs are the types of numbers, by kind; nil for an absent operand. They
// are not interned: a number is passed as an element of the type it gives way
// to, unlike a tensor that gives way.
var weakSpecs = func() (specs [dtype.KindComplex + 1]*Spec) {
	for k := dtype.KindBool; int(k) < len(specs); k++ {
		specs[k] = &Spec{DType: number{Kind: k}.DType(), Shape: Shape{}, weak: true}
	}
	return specs
}()
