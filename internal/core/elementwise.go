package core

import (
	"slices"

	"github.com/go-nx/nx/stablehlo"
)

// computeType returns the element type in which an op computes operands of the
// common type d, or fails.
func (kinds kindSet) computeType(op string, d DType, weak bool, xs ...operand) DType {
	switch kinds {
	case anyNumber, realNumber, integerOnly:
		if d == Bool { // arithmetic on bools counts
			d = U8
		}
	case floatResult, realFloat:
		d = floating(d, weak)
	}
	switch {
	case d.IsComplex() && (kinds == realNumber || kinds == ordered || kinds == realFloat):
		failOn(ErrDType, op, operands(xs...), "take the parts (nx.Real, nx.Imag) or the magnitude (nx.Abs)",
			"is not defined for complex numbers")
	case kinds == integerOnly && !d.IsInteger(), kinds == bitwise && !d.IsInteger() && d != Bool:
		failOn(ErrDType, op, operands(xs...), "cast to an integer type first (nx.Cast)",
			"is defined for integers, not for %s", d)
	}
	return d
}

// floating is the type of results that are not integers: f32 for integers, f64
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

// binaryOp is an element-wise operation of two operands.
//
//go:noinline
func binaryOp(name string, code stablehlo.OpCode, kinds kindSet) *operation[none] {
	return elementwise(name, func(d *description[none]) DType {
		d.in = kinds.computeType(d.op, promoted(d.ins[0], d.ins[1]), d.weak(), d.operands...)
		return d.in
	}, func(e *emitter, x, y *stablehlo.Value) *stablehlo.Value {
		code := code
		if code == stablehlo.OpShiftRightArithmetic && x.Tensor().DType().IsUnsigned() {
			code = stablehlo.OpShiftRightLogical
		}
		return e.Value(code, []*stablehlo.Value{x, y})
	})
}

// weak reports whether all operands give way.
func (d *description[A]) weak() bool {
	return !slices.ContainsFunc(d.ins, func(s *Spec) bool { return !s.weak })
}

// elementwise is an operation of two operands that are converted to the type d.in and broadcast to
// their common shape. types sets d.in and returns the type of the result.
//
//go:noinline
func elementwise(name string, types func(d *description[none]) DType,
	emit func(e *emitter, x, y *stablehlo.Value) *stablehlo.Value) *operation[none] {
	return &operation[none]{name: name,
		describe: func(d *description[none]) {
			result := types(d)
			d.returns(commonSpec(name, result, d.weak() && result != Bool, tensors(d.in, d.operands)))
		},
		emit: func(d *description[none], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			shape := d.outs[0].Shape
			x, y := e.fitRight(e.convert(in[0], d.in), shape), e.fitRight(e.convert(in[1], d.in), shape)
			return []*stablehlo.Value{e.convert(emit(e, x, y), d.outs[0].DType)}
		}}
}

// kindSet restricts the element types of an op.
type kindSet uint8

const (
	anyNumber   kindSet = iota
	realNumber          // no complex
	integerOnly         // bools become u8
	bitwise             // integers and bools
	ordered             // real, and bools as they are
	floatResult         // integers become f32
	realFloat           // floatResult without complex
)
