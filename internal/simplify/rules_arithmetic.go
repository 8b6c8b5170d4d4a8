package simplify

import (
	"math"

	"github.com/go-nx/nx/stablehlo"
)

func arithmeticRules() []Rule {
	return []Rule{
		{"add_zero", stablehlo.OpAdd, eitherNeutral(addsNothing)},
		{"add_negate", stablehlo.OpAdd, SingleResult(addNegate)},
		{"subtract_zero", stablehlo.OpSubtract, neutral(subtractsNothing)},
		{"subtract_negate", stablehlo.OpSubtract, SingleResult(subtractNegate)},
		{"subtract_self", stablehlo.OpSubtract, SingleResult(cancelling)},
		{"multiply_one", stablehlo.OpMultiply, eitherNeutral(isOne)},
		{"multiply_zero", stablehlo.OpMultiply, absorbing(isZero)},
		{"divide_one", stablehlo.OpDivide, neutral(isOne)},
		{"divide_power_of_two", stablehlo.OpDivide, SingleResult(divideByPowerOfTwo)},
		{"remainder_one", stablehlo.OpRemainder, SingleResult(remainderByOne)},
		{"power_zero", stablehlo.OpPower, SingleResult(powerZero)},
		{"power_one", stablehlo.OpPower, neutral(isOne)},
		{"power_two", stablehlo.OpPower, SingleResult(powerTwo)},
		{"power_minus_one", stablehlo.OpPower, SingleResult(powerMinusOne)},
		{"maximum_lowest", stablehlo.OpMaximum, eitherNeutral(isLowest)},
		{"maximum_highest", stablehlo.OpMaximum, absorbing(isHighest)},
		{"maximum_self", stablehlo.OpMaximum, SingleResult(idempotent)},
		{"minimum_highest", stablehlo.OpMinimum, eitherNeutral(isHighest)},
		{"minimum_lowest", stablehlo.OpMinimum, absorbing(isLowest)},
		{"minimum_self", stablehlo.OpMinimum, SingleResult(idempotent)},
		{"negate_negate", stablehlo.OpNegate, SingleResult(negateNegate)},
		{"abs_negate", stablehlo.OpAbs, SingleResult(absNegate)},
		{"real_complex", stablehlo.OpReal, inverse(stablehlo.OpComplex)},
		{"imag_complex", stablehlo.OpImag, SingleResult(imagOfComplex)},
		{"complex_parts", stablehlo.OpComplex, SingleResult(complexOfParts)},
	}
}

// negated returns the value whose negation is v, or nil. Unsigned types have no such value.
func negated(v *stablehlo.Value) *stablehlo.Value {
	d := v.Tensor().DType()
	if op := DefinedBy(v, stablehlo.OpNegate); op != nil && (!d.IsFloat() || d.HasNegative()) {
		return op.Operands[0]
	}
	return nil
}

func negateNegate(_ Emitter, op *stablehlo.Op) *stablehlo.Value { return negated(op.Operands[0]) }

// addNegate writes x + (-y) as x - y, which is the same before rounding.
func addNegate(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	x, y := op.Operands[0], op.Operands[1]
	if v := negated(y); v != nil {
		return e.Sub(x, v)
	}
	if v := negated(x); v != nil {
		return e.Sub(y, v)
	}
	return nil
}

func subtractNegate(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	if v := negated(op.Operands[1]); v != nil {
		return e.Add(op.Operands[0], v)
	}
	return nil
}

// divideByPowerOfTwo multiplies by the reciprocal if the type has it: both round the same quotient.
func divideByPowerOfTwo(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	s, ok := SplatOf(op.Operands[1])
	if !ok || !s.d.IsFloat() {
		return nil
	}
	v := s.d.LoadFloat(s.data, 0)
	if f, _ := math.Frexp(v); math.Abs(f) != 0.5 {
		return nil
	}
	var b [8]byte
	s.d.StoreFloat(b[:], 0, 1/v)
	if s.d.LoadFloat(b[:], 0) != 1/v || math.IsInf(1/v, 0) {
		return nil
	}
	return e.Mul(op.Operands[0], e.Full(op.Operands[1].Tensor(), 1/v))
}

func remainderByOne(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	if s, ok := SplatOf(op.Operands[1]); ok && IsDiscrete(s.d) && isOne(s) {
		return e.Full(op.Result().Tensor(), 0)
	}
	return nil
}

// powerZero is 1, also for NaN.
func powerZero(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	t := op.Result().Tensor()
	if s, ok := SplatOf(op.Operands[1]); ok && (isZero(s) || s.d.IsFloat() && s.d.LoadFloat(s.data, 0) == 0) {
		return e.Full(t, 1)
	}
	return nil
}

// powerTwo is a multiplication, which rounds once: no power is more accurate.
func powerTwo(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	if Holds(op.Operands[1], func(s Splat) bool { return s.Is(2) }) {
		return e.Mul(op.Operands[0], op.Operands[0])
	}
	return nil
}

// powerMinusOne is a division, only for floats: integers truncate it.
func powerMinusOne(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	t := op.Result().Tensor()
	if t.DType().IsFloat() && Holds(op.Operands[1], func(s Splat) bool { return s.Is(-1) }) {
		return e.Div(e.Full(t, 1), op.Operands[0])
	}
	return nil
}

func absNegate(e Emitter, op *stablehlo.Op) *stablehlo.Value {
	if v := negated(op.Operands[0]); v != nil && !v.Tensor().DType().IsComplex() {
		return e.Do(stablehlo.OpAbs, v)
	}
	return nil
}

func imagOfComplex(_ Emitter, op *stablehlo.Op) *stablehlo.Value {
	if d := DefinedBy(op.Operands[0], stablehlo.OpComplex); d != nil {
		return d.Operands[1]
	}
	return nil
}

// complexOfParts reassembles the parts of one number.
func complexOfParts(_ Emitter, op *stablehlo.Op) *stablehlo.Value {
	re, im := DefinedBy(op.Operands[0], stablehlo.OpReal), DefinedBy(op.Operands[1], stablehlo.OpImag)
	if re == nil || im == nil || re.Operands[0] != im.Operands[0] {
		return nil
	}
	return re.Operands[0]
}
