package core

import (
	"slices"
)

// ArrayEqual implements nx.ArrayEqual.
func ArrayEqual(a, b Tensor) bool {
	present("ArrayEqual", operand{t: a.p}, operand{t: b.p})
	if !slices.Equal(a.p.spec.Shape, b.p.spec.Shape) || !slices.Equal(a.p.spec.Vectors, b.p.spec.Vectors) {
		return false
	}
	a, b = devectorized(a).unnamed(), devectorized(b).unnamed()
	return Item[bool](All(Equal(a, b)))
}

// CloseOption is nx.CloseOption.
type CloseOption interface{ closeOption(*closeOptions) }

type closeOptions struct {
	relative, absolute float64
	equalNaN           bool
}

// toleranceOption is the option made by [Tolerance].
type toleranceOption struct{ relative, absolute float64 }

// Tolerance implements nx.Tolerance.
func Tolerance(relative, absolute float64) CloseOption {
	return toleranceOption{relative, absolute}
}

func (o toleranceOption) closeOption(c *closeOptions) {
	c.relative, c.absolute = o.relative, o.absolute
}

// equalNaNOption is the type of [EqualNaN].
type equalNaNOption bool

// EqualNaN is nx.EqualNaN.
const EqualNaN equalNaNOption = true

func (o equalNaNOption) closeOption(c *closeOptions) { c.equalNaN = bool(o) }

// IsClose implements nx.IsClose.
func IsClose[A, B Operand](a A, b B, opts ...CloseOption) Tensor {
	return isClose("IsClose", operandOf(a), operandOf(b), opts)
}

func isClose(op string, p, q operand, opts []CloseOption) Tensor {
	o := closeOptions{relative: 1e-5, absolute: 1e-8}
	distinct(op, opts)
	for _, x := range opts {
		if x != nil {
			x.closeOption(&o)
		}
	}
	if !(o.relative >= 0 && o.absolute >= 0) {
		fail(ErrValue, op, "", "the tolerances must not be negative, got %v and %v", o.relative, o.absolute)
	}
	present(op, p, q)
	defer calledAs(op, operands(p, q)...)
	d := promoted(p.spec(), q.spec())
	if !d.IsFloat() && !d.IsComplex() {
		d = F64
	}
	x, y := cast(p.tensor(p.spec().DType), wide(d)), cast(q.tensor(q.spec().DType), wide(d))
	size := Abs(y)
	near := LessEqual(Abs(Sub(x, y)), Add(o.absolute, Mul(o.relative, size)))
	out := LogicalOr(LogicalAnd(near, LogicalAnd(IsFinite(x), IsFinite(y))), Equal(x, y))
	if o.equalNaN {
		out = LogicalOr(out, LogicalAnd(IsNaN(x), IsNaN(y)))
	}
	return out
}

// AllClose implements nx.AllClose.
func AllClose[A, B Operand](a A, b B, opts ...CloseOption) Tensor {
	return All(isClose("AllClose", operandOf(a), operandOf(b), opts))
}
