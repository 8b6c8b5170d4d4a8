package simplify

import (
	"math"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

func logicRules() []Rule {
	return []Rule{
		{"and_ones", stablehlo.OpAnd, eitherNeutral(isOnes)},
		{"and_zero", stablehlo.OpAnd, absorbing(isZero)},
		{"and_self", stablehlo.OpAnd, SingleResult(idempotent)},
		{"or_zero", stablehlo.OpOr, eitherNeutral(isZero)},
		{"or_ones", stablehlo.OpOr, absorbing(isOnes)},
		{"or_self", stablehlo.OpOr, SingleResult(idempotent)},
		{"xor_zero", stablehlo.OpXor, eitherNeutral(isZero)},
		{"xor_self", stablehlo.OpXor, SingleResult(cancelling)},
		{"not_not", stablehlo.OpNot, inverse(stablehlo.OpNot)},
		{"shift_left_zero", stablehlo.OpShiftLeft, neutral(isZero)},
		{"shift_right_logical_zero", stablehlo.OpShiftRightLogical, neutral(isZero)},
		{"shift_right_arithmetic_zero", stablehlo.OpShiftRightArithmetic, neutral(isZero)},
		{"compare_self", stablehlo.OpCompare, SingleResult(compareSelf)},
		{"select_constant", stablehlo.OpSelect, SingleResult(selectConstant)},
		{"select_same", stablehlo.OpSelect, SingleResult(selectSame)},
		{"select_bool", stablehlo.OpSelect, SingleResult(selectBool)},
		{"select_not", stablehlo.OpSelect, SingleResult(selectNot)},
		{"convert_same", stablehlo.OpConvert, SingleResult(sameType)},
		{"convert_convert", stablehlo.OpConvert, SingleResult(convertConvert)},
		{"convert_iota", stablehlo.OpConvert, SingleResult(convertIota)},
		{"bitcast_same", stablehlo.OpBitcastConvert, SingleResult(sameType)},
	}
}

// compareSelf compares a discrete value with itself; a float may be NaN.
func compareSelf(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	x := op.Operands[0]
	if x != op.Operands[1] || !IsDiscrete(x.Tensor().DType()) {
		return nil
	}
	v := 0.0
	switch op.Str("comparison_direction") {
	case "EQ", "LE", "GE":
		v = 1
	}
	return e.Full(op.Result().Tensor(), v)
}

func selectConstant(_ Emitter, op *stablehlo.Op) *stablehlo.Value {
	s, ok := SplatOf(op.Operands[0])
	switch {
	case !ok:
		return nil
	case isZero(s):
		return op.Operands[2]
	}
	return op.Operands[1]
}

func selectSame(_ Emitter, op *stablehlo.Op) *stablehlo.Value {
	if op.Operands[1] == op.Operands[2] {
		return op.Operands[1]
	}
	return nil
}

// selectBool replaces a selection of true and false, or false and true, by the predicate or its
// negation.
func selectBool(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	p := op.Operands[0]
	on, ok := SplatOf(op.Operands[1])
	off, both := SplatOf(op.Operands[2])
	if !ok || !both || !stablehlo.SameType(p.Type(), op.Result().Type()) {
		return nil
	}
	switch {
	case isZero(on) && isOnes(off):
		return e.Do(stablehlo.OpNot, p)
	case isOnes(on) && isZero(off):
		return p
	}
	return nil
}

func selectNot(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	if d := DefinedBy(op.Operands[0], stablehlo.OpNot); d != nil {
		return e.Select(d.Operands[0], op.Operands[2], op.Operands[1])
	}
	return nil
}

// sameType is a conversion to the type of the operand.
func sameType(_ Emitter, op *stablehlo.Op) *stablehlo.Value {
	if stablehlo.SameType(op.Operands[0].Type(), op.Result().Type()) {
		return op.Operands[0]
	}
	return nil
}

// convertConvert skips a conversion that is exact: the one after it only depends on the value.
func convertConvert(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	inner := DefinedBy(op.Operands[0], stablehlo.OpConvert)
	if inner == nil {
		return nil
	}
	x := inner.Operands[0]
	from, by, to := x.Tensor().DType(), inner.Result().Tensor().DType(), op.Result().Tensor().DType()
	switch {
	case from.IsFloat() && by.IsFloat() && by.Contains(from):
	case from.IsInteger() && by.IsInteger() && widens(from, by):
	case from == dtype.Bool && to == dtype.Bool && (by.IsInteger() || by.IsFloat() && by.HasZero()):
	case from == to && from.IsInteger() && by.IsFloat() && by.MantissaBits() >= from.Bits() &&
		by.MaxFinite() >= math.Ldexp(1, from.Bits()):
	default:
		return nil
	}
	return e.Convert(x, to)
}

// convertIota writes an iota of the result type if both types represent all of its numbers.
func convertIota(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	iota := DefinedBy(op.Operands[0], stablehlo.OpIota)
	if iota == nil {
		return nil
	}
	from, to, dim := iota.Result().Tensor(), op.Result().Tensor(), int(iota.Int("iota_dimension", -1))
	if dim < 0 || dim >= len(from.Dims) || !from.IsStatic() ||
		!holdsInts(from.DType(), from.Dims[dim]) || !holdsInts(to.DType(), from.Dims[dim]) {
		return nil
	}
	return e.Iota(to.DType(), to.Dims, dim)
}

// holdsInts reports whether a type represents all integers from 0 to n-1.
func holdsInts(t dtype.Type, n int64) bool {
	switch {
	case t.IsInteger():
		return n <= 1 || uint64(n-1) <= t.MaxInt()
	case t.IsFloat():
		return t.HasZero() && n <= 1<<(t.MantissaBits()+1) && float64(n-1) <= t.MaxFinite()
	}
	return false
}

// widens reports whether one integer type represents all values of another.
func widens(from, to dtype.Type) bool {
	if from.IsSigned() == to.IsSigned() {
		return from.Bits() <= to.Bits()
	}
	return to.IsSigned() && from.Bits() < to.Bits()
}
