package nx

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// kindSet restricts the element types of an op.
type kindSet uint8

const (
	anyNumber  kindSet = iota
	realNumber         // no complex
	integerOnly
	floatResult // integers become f32
	boolResult  // comparison
	logical     // operands as truth values
)

// Add returns a + b.
//
// Shapes: NumPy broadcasting; names merge. DTypes: promoted, integers wrap
// around. Gradient: 1, 1. Accuracy: correctly rounded.
func Add[A, B Operand](a A, b B) Tensor {
	return binary("Add", stablehlo.OpAdd, operandOf(a), operandOf(b), anyNumber)
}

// Sub returns a - b. Shapes, dtypes and accuracy as [Add]. Gradient: 1, -1.
func Sub[A, B Operand](a A, b B) Tensor {
	return binary("Sub", stablehlo.OpSubtract, operandOf(a), operandOf(b), anyNumber)
}

// Mul returns a * b. Shapes, dtypes and accuracy as [Add]. Gradient: b, a.
func Mul[A, B Operand](a A, b B) Tensor {
	return binary("Mul", stablehlo.OpMultiply, operandOf(a), operandOf(b), anyNumber)
}

// Div returns a / b. Shapes as [Add]. DTypes: integers become f32. x/0 is ±Inf
// or NaN. Gradient: 1/b, -a/b². Accuracy: correctly rounded.
func Div[A, B Operand](a A, b B) Tensor {
	return binary("Div", stablehlo.OpDivide, operandOf(a), operandOf(b), floatResult)
}

// Quotient returns the integer quotient a / b, truncated toward zero.
// Shapes as [Add]. DTypes: integers. Division by zero gives all ones (-1
// signed). Gradient: none, piecewise constant.
func Quotient[A, B Operand](a A, b B) Tensor {
	return binary("Quotient", stablehlo.OpDivide, operandOf(a), operandOf(b), integerOnly)
}

// Remainder returns the remainder of a / b, truncated: it has the sign of a.
// Shapes as [Add]. DTypes: real. Gradient: 1, -trunc(a/b).
func Remainder[A, B Operand](a A, b B) Tensor {
	return binary("Remainder", stablehlo.OpRemainder, operandOf(a), operandOf(b), realNumber)
}

// Pow returns a to the power of b. Shapes and dtypes as [Add].
func Pow[A, B Operand](a A, b B) Tensor {
	return binary("Pow", stablehlo.OpPower, operandOf(a), operandOf(b), anyNumber)
}

// Atan2 returns the angle of the point (b, a) in [-π, π]. Shapes as [Add].
// DTypes: real, integers become f32.
func Atan2[A, B Operand](a A, b B) Tensor {
	return binary("Atan2", stablehlo.OpAtan2, operandOf(a), operandOf(b), floatResult)
}

// Maximum returns the larger of a and b, NaN when either is. Shapes as [Add].
// DTypes: real. Gradient: to the larger, half to each of equals.
func Maximum[A, B Operand](a A, b B) Tensor {
	return binary("Maximum", stablehlo.OpMaximum, operandOf(a), operandOf(b), realNumber)
}

// Minimum returns the smaller of a and b, NaN when either is. As [Maximum].
func Minimum[A, B Operand](a A, b B) Tensor {
	return binary("Minimum", stablehlo.OpMinimum, operandOf(a), operandOf(b), realNumber)
}

// BitwiseAnd returns a & b of integers. Shapes as [Add].
func BitwiseAnd[A, B Operand](a A, b B) Tensor {
	return binary("BitwiseAnd", stablehlo.OpAnd, operandOf(a), operandOf(b), integerOnly)
}

// BitwiseOr returns a | b of integers. Shapes as [Add].
func BitwiseOr[A, B Operand](a A, b B) Tensor {
	return binary("BitwiseOr", stablehlo.OpOr, operandOf(a), operandOf(b), integerOnly)
}

// BitwiseXor returns a ^ b of integers. Shapes as [Add].
func BitwiseXor[A, B Operand](a A, b B) Tensor {
	return binary("BitwiseXor", stablehlo.OpXor, operandOf(a), operandOf(b), integerOnly)
}

// LeftShift returns a << b of integers; a count of the width or more gives 0.
func LeftShift[A, B Operand](a A, b B) Tensor {
	return binary("LeftShift", stablehlo.OpShiftLeft, operandOf(a), operandOf(b), integerOnly)
}

// RightShift returns a >> b of integers: arithmetic for signed, logical for
// unsigned element types.
func RightShift[A, B Operand](a A, b B) Tensor {
	x, y := operandOf(a), operandOf(b)
	code := stablehlo.OpShiftRightArithmetic
	if t := promoted("RightShift", x, y); t.IsUnsigned() {
		code = stablehlo.OpShiftRightLogical
	}
	return binary("RightShift", code, x, y, integerOnly)
}

// Equal returns whether a == b, as bools. NaN is unequal to all. Shapes as [Add].
func Equal[A, B Operand](a A, b B) Tensor { return compare("Equal", "EQ", operandOf(a), operandOf(b)) }

// NotEqual returns whether a != b, as bools. Shapes as [Add].
func NotEqual[A, B Operand](a A, b B) Tensor {
	return compare("NotEqual", "NE", operandOf(a), operandOf(b))
}

// Less returns whether a < b, as bools; false for NaN. Shapes as [Add]. DTypes: real.
func Less[A, B Operand](a A, b B) Tensor { return compare("Less", "LT", operandOf(a), operandOf(b)) }

// LessEqual returns whether a <= b, as bools; false for NaN. As [Less].
func LessEqual[A, B Operand](a A, b B) Tensor {
	return compare("LessEqual", "LE", operandOf(a), operandOf(b))
}

// Greater returns whether a > b, as bools; false for NaN. As [Less].
func Greater[A, B Operand](a A, b B) Tensor {
	return compare("Greater", "GT", operandOf(a), operandOf(b))
}

// GreaterEqual returns whether a >= b, as bools; false for NaN. As [Less].
func GreaterEqual[A, B Operand](a A, b B) Tensor {
	return compare("GreaterEqual", "GE", operandOf(a), operandOf(b))
}

// LogicalAnd returns whether a and b are both non-zero. Shapes as [Add].
func LogicalAnd[A, B Operand](a A, b B) Tensor {
	return binary("LogicalAnd", stablehlo.OpAnd, operandOf(a), operandOf(b), logical)
}

// LogicalOr returns whether a or b is non-zero. Shapes as [Add].
func LogicalOr[A, B Operand](a A, b B) Tensor {
	return binary("LogicalOr", stablehlo.OpOr, operandOf(a), operandOf(b), logical)
}

// LogicalXor returns whether exactly one of a and b is non-zero. Shapes as [Add].
func LogicalXor[A, B Operand](a A, b B) Tensor {
	return binary("LogicalXor", stablehlo.OpXor, operandOf(a), operandOf(b), logical)
}

// promoted returns the common element type of two operands, before the rules
// of an op.
func promoted(op string, a, b operand) DType {
	switch {
	case a.t == nil && b.t == nil:
		return weakType(dtype.Promote(a.n.dtype(), b.n.dtype()))
	case a.t == nil:
		return checkFits(op, b, a, a.n.beside(b.t.spec.DType))
	case b.t == nil:
		return checkFits(op, a, b, b.n.beside(a.t.spec.DType))
	case a.t.weak && !b.t.weak:
		return besideWeak(b.t.spec.DType, a.t.spec.DType)
	case b.t.weak && !a.t.weak:
		return besideWeak(a.t.spec.DType, b.t.spec.DType)
	}
	return dtype.Promote(a.t.spec.DType, b.t.spec.DType)
}

// weakType is the type of an op on numbers alone.
func weakType(t DType) DType { return t }

// besideWeak is the type of a tensor of type t with a weak one.
func besideWeak(t, weak DType) DType { return number{kind: weak.Kind()}.beside(t) }

func checkFits(op string, t, n operand, d DType) DType {
	if !n.n.fits(d) {
		failOn(ErrValue, op, []Tensor{wrap(t.t)}, "cast the tensor to a wider type first (nx.Cast)",
			"the number %s does not fit in %s", n.n.text(), d)
	}
	return d
}

// binary applies an element-wise op of two operands.
func binary(op string, code stablehlo.OpCode, a, b operand, kinds kindSet) Tensor {
	a, b = present(op, a), present(op, b)
	d := promoted(op, a, b)
	switch kinds {
	case realNumber:
		if d.IsComplex() {
			failOn(ErrDType, op, operands(a, b), "", "is not defined for complex numbers")
		}
	case integerOnly:
		if d == Bool {
			d = U8
		}
		if !d.IsInteger() {
			failOn(ErrDType, op, operands(a, b), "cast to an integer type first (nx.Cast)", "is defined for integers, not for %s", d)
		}
	case floatResult:
		d = floating(d)
		if d.IsComplex() && code == stablehlo.OpAtan2 {
			failOn(ErrDType, op, operands(a, b), "", "is not defined for complex numbers")
		}
	case logical:
		return logicalOp(op, code, a, b)
	default:
		if d == Bool { // arithmetic on truth values counts
			d = U8
		}
	}
	return elementwise(op, code, d, d, a, b, "")
}

// floating is the type of results that are no integers.
func floating(d DType) DType {
	if d.IsFloat() || d.IsComplex() {
		return d
	}
	return F32
}

func compare(op, direction string, a, b operand) Tensor {
	a, b = present(op, a), present(op, b)
	d := promoted(op, a, b)
	if d.IsComplex() && direction != "EQ" && direction != "NE" {
		failOn(ErrDType, op, operands(a, b), "compare the magnitudes (nx.Abs) or the parts", "complex numbers have no order")
	}
	return elementwise(op, stablehlo.OpCompare, d, Bool, a, b, direction)
}

func logicalOp(op string, code stablehlo.OpCode, a, b operand) Tensor {
	truth := func(x operand) operand {
		if x.t != nil && x.t.spec.DType == Bool {
			return x
		}
		return operand{t: compare(op, "NE", x, operand{n: number{kind: dtype.KindSigned}}).p}
	}
	return elementwise(op, code, Bool, Bool, truth(a), truth(b), "")
}

// elementwise converts the operands to type d, spreads them over their common
// shape and applies the op.
func elementwise(op string, code stablehlo.OpCode, d, result DType, a, b operand, direction string) Tensor {
	ins := make([]Tensor, 2)
	ins[0], ins[1] = a.tensor(d), b.tensor(d)
	spec := commonSpec(op, result, ins)
	return apply1(call{op: op, key: d.String(), ins: ins, outs: []*Spec{spec},
		emit: func(e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			args := make([]*stablehlo.Value, len(in))
			for i, v := range in {
				args[i] = e.fitRight(e.convert(v, d), spec.Shape)
			}
			if direction != "" {
				return []*stablehlo.Value{e.compare(direction, args[0], args[1])}
			}
			return []*stablehlo.Value{e.op(code, args)}
		}})
}

// compare appends a comparison.
func (e *emitter) compare(direction string, a, b *stablehlo.Value) *stablehlo.Value {
	kind := "FLOAT"
	switch d := a.Tensor().DType(); {
	case d.IsSigned():
		kind = "SIGNED"
	case d.IsUnsigned() || d == Bool:
		kind = "UNSIGNED"
	}
	return e.op(stablehlo.OpCompare, []*stablehlo.Value{a, b},
		stablehlo.Named("comparison_direction", stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_direction", Value: direction}),
		stablehlo.Named("compare_type", stablehlo.EnumAttr{Dialect: "stablehlo", Kind: "comparison_type", Value: kind}))
}

// present refuses an absent tensor.
func present(op string, x operand) operand {
	if x.t == nil && x.n.kind == dtype.KindInvalid {
		fail(ErrAbsent, op, "a field that was never set, or the gradient of one?", "an operand is absent (the zero Tensor)")
	}
	return x
}

// operands returns the tensors for messages.
func operands(xs ...operand) []Tensor {
	out := make([]Tensor, len(xs))
	for i, x := range xs {
		out[i] = x.tensor(x.dtype())
	}
	return out
}

func (x operand) dtype() DType {
	if x.t != nil {
		return x.t.spec.DType
	}
	return x.n.dtype()
}

// tensor returns the operand as a tensor; a number becomes a scalar of type d.
func (x operand) tensor(d DType) Tensor {
	if x.t != nil {
		return wrap(x.t)
	}
	return scalarTensor(d, x.n)
}
