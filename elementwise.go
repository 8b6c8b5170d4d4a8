package nx

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// promoted returns the common element type of two operands. One that is weak,
// a Go number or computed from them alone, gives way to the other.
func promoted(a, b *Spec) DType {
	switch {
	case a.weak == b.weak:
		return dtype.Promote(a.DType, b.DType)
	case a.weak:
		return number{kind: a.DType.Kind()}.beside(b.DType)
	}
	return number{kind: b.DType.Kind()}.beside(a.DType)
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
		if !n.fits(d) {
			failOn(ErrValue, op, operands(xs...), "cast the other operand to an element type that holds it (nx.Cast)", "the number %s does not fit in %s", n.text(), d)
		}
	}
}

// isWeakNumber reports whether a tensor is computed from Go numbers alone and
// known: it is checked as a number is.
func (p *tensor) isWeakNumber() bool { return p.spec.weak && p.rec != nil && p.rec.isNumber }

// present refuses an absent tensor.
func present(op string, xs ...operand) {
	for i, x := range xs {
		if x.t == nil && x.n.kind == dtype.KindInvalid {
			fail(ErrAbsent, op, "a field that was never set, or the gradient of one?", "operand %d is absent (the zero Tensor)", i)
		}
	}
}

// operands returns operands as tensors, for messages.
func operands(xs ...operand) []Tensor {
	out := make([]Tensor, len(xs))
	for i, x := range xs {
		if out[i] = wrap(x.t); x.t == nil && x.n.kind != dtype.KindInvalid {
			out[i] = x.tensor(x.n.dtype())
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

// computeType returns the element type in which an op computes operands of the
// common type d, or fails.
func (kinds kindSet) computeType(op string, d DType, weak bool, xs ...operand) DType {
	switch kinds {
	case anyNumber, realNumber, integerOnly:
		if d == Bool { // arithmetic on truth values counts
			d = U8
		}
	case floatResult, realFloat:
		d = floating(d, weak)
	}
	switch {
	case d.IsComplex() && (kinds == realNumber || kinds == ordered || kinds == realFloat):
		failOn(ErrDType, op, operands(xs...), "take the parts (nx.Real, nx.Imag) or the magnitude (nx.Abs)", "is not defined for complex numbers")
	case kinds == integerOnly && !d.IsInteger(), kinds == bitwise && !d.IsInteger() && d != Bool:
		failOn(ErrDType, op, operands(xs...), "cast to an integer type first (nx.Cast)", "is defined for integers, not for %s", d)
	}
	return d
}

// floating is the type of results that are no integers: f32 for integers, f64
// for Go numbers.
func floating(d DType, weak bool) DType {
	switch {
	case d.IsFloat() || d.IsComplex():
		return d
	case weak:
		return F64
	}
	return F32
}

// binary applies an element-wise op of two operands.
func binary(op string, code stablehlo.OpCode, a, b operand, kinds kindSet) Tensor {
	sig := signature{op: op, ins: [3]*Spec{a.spec(), b.spec()}}
	if out, ok := again(&sig, a, b); ok {
		return out
	}
	present(op, a, b)
	weak := sig.ins[0].weak && sig.ins[1].weak
	d := kinds.computeType(op, promoted(sig.ins[0], sig.ins[1]), weak, a, b)
	checkFits(op, d, a, b)
	if code == stablehlo.OpShiftRightArithmetic && d.IsUnsigned() {
		code = stablehlo.OpShiftRightLogical
	}
	return elementwise(sig, d, d, weak, a, b, func(e *emitter, x, y *stablehlo.Value) *stablehlo.Value {
		return e.op(code, []*stablehlo.Value{x, y})
	})
}

// direction of a comparison.
type direction string

const (
	equal        direction = "EQ"
	notEqual     direction = "NE"
	less         direction = "LT"
	lessEqual    direction = "LE"
	greater      direction = "GT"
	greaterEqual direction = "GE"
)

func compare(op string, dir direction, a, b operand) Tensor {
	sig := signature{op: op, key: string(dir), ins: [3]*Spec{a.spec(), b.spec()}}
	if out, ok := again(&sig, a, b); ok {
		return out
	}
	present(op, a, b)
	d := promoted(sig.ins[0], sig.ins[1])
	if d.IsComplex() && dir != equal && dir != notEqual {
		failOn(ErrDType, op, operands(a, b), "compare the magnitudes (nx.Abs) or the parts (nx.Real, nx.Imag)", "complex numbers have no order")
	}
	checkFits(op, d, a, b)
	return elementwise(sig, d, Bool, false, a, b, func(e *emitter, x, y *stablehlo.Value) *stablehlo.Value {
		return e.compare(dir, x, y)
	})
}

// logical applies an op to truth values.
func logical(op string, code stablehlo.OpCode, a, b operand) Tensor {
	present(op, a, b)
	a, b = truth(op, a), truth(op, b)
	sig := signature{op: op, ins: [3]*Spec{a.spec(), b.spec()}}
	if out, ok := again(&sig, a, b); ok {
		return out
	}
	return elementwise(sig, Bool, Bool, false, a, b, func(e *emitter, x, y *stablehlo.Value) *stablehlo.Value {
		return e.op(code, []*stablehlo.Value{x, y})
	})
}

// truth returns whether an operand is non-zero.
func truth(op string, x operand) operand {
	if x.spec().DType == Bool {
		return x
	}
	return operand{t: compare(op, notEqual, x, operand{n: zero}).p}
}

// elementwise converts the operands to type d, spreads them over their common
// shape and applies the op.
func elementwise(sig signature, d, result DType, weak bool, a, b operand, emit func(e *emitter, x, y *stablehlo.Value) *stablehlo.Value) Tensor {
	ins := []Tensor{a.tensor(d), b.tensor(d)}
	spec := commonSpec(sig.op, result, weak, ins)
	return apply1(call{op: sig.op, sig: sig, number: d, ins: ins, outs: []*Spec{spec},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			x, y := e.fitRight(e.convert(in[0], d), spec.Shape), e.fitRight(e.convert(in[1], d), spec.Shape)
			return []*stablehlo.Value{emit(e, x, y)}
		}})
}

// compare appends a comparison.
func (e *emitter) compare(dir direction, a, b *stablehlo.Value) *stablehlo.Value {
	kind := "FLOAT"
	switch d := a.Tensor().DType(); {
	case d.IsSigned():
		kind = "SIGNED"
	case d.IsUnsigned() || d == Bool:
		kind = "UNSIGNED"
	}
	return e.op(stablehlo.OpCompare, []*stablehlo.Value{a, b},
		stablehlo.Named("comparison_direction", stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_direction", Value: string(dir)}),
		stablehlo.Named("compare_type", stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_type", Value: kind}))
}
