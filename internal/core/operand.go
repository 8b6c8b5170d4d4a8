package core

import (
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/weak"
)

// promoted returns the common element type of two operands. One that is weak,
// a Go number or computed only from Go numbers, gives way to the other.
func promoted(a, b *Spec) DType {
	switch {
	case a.weak == b.weak:
		return dtype.Promote(a.DType, b.DType)
	case a.weak:
		return number{Kind: a.DType.Kind()}.PromoteWith(b.DType)
	}
	return number{Kind: b.DType.Kind()}.PromoteWith(a.DType)
}

// checkFits refuses a Go number that elements of type d cannot hold.
func checkFits(op string, d DType, xs ...operand) {
	for _, x := range xs {
		n := x.n
		if x.t != nil {
			if !x.t.isWeakNumber() {
				continue
			}
			n = x.t.rec.num
		}
		if !n.Fits(d) {
			failOn(ErrValue, op, operands(xs...), "cast the other operand to an element type that holds it (nx.Cast)",
				"the number %s does not fit in %s", n.Text(), d)
		}
	}
}

// present refuses an absent tensor.
func present(op string, xs ...operand) {
	for i, x := range xs {
		if x.t == nil && x.n.Kind == dtype.KindInvalid {
			if len(xs) == 1 {
				wrap(nil).must(op)
			}
			fail(ErrAbsent, op, "a field that was never set, or the gradient of one?",
				"operand %d is absent (the zero Tensor)", i)
		}
	}
}

// operands returns operands as tensors, for messages.
func operands(xs ...operand) []Tensor {
	out := make([]Tensor, len(xs))
	for i, x := range xs {
		if out[i] = wrap(x.t); x.t == nil && x.n.Kind != dtype.KindInvalid {
			out[i] = x.tensor(x.n.DType())
		}
	}
	return out
}

// tensor returns the operand as a tensor; a number becomes a scalar of type d.
func (x operand) tensor(d DType) Tensor {
	if x.t != nil {
		return wrap(x.t)
	}
	return wrap(&tensor{spec: scalarSpecs[d], rec: &recipe{num: x.n, isNumber: true, isOperand: true}})
}

// operandsOf returns tensors as operands.
func operandsOf(ts []Tensor) []operand {
	xs := make([]operand, len(ts))
	for i, t := range ts {
		xs[i] = operand{t: t.p}
	}
	return xs
}

// tensors returns operands as tensors; numbers become scalars of type d.
func tensors(d DType, xs []operand) []Tensor {
	out := make([]Tensor, len(xs))
	for i, x := range xs {
		out[i] = x.tensor(d)
	}
	return out
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

// operand is an Operand without generics: a tensor when t is not nil.
type operand struct {
	t *tensor
	n number
}

// operandOf converts without reflection or allocation.
func operandOf[T Operand](v T) operand {
	switch v := any(v).(type) {
	case bool:
		return operand{n: boolNumber(v)}
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
