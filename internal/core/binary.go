package core

import (
	"github.com/go-nx/nx/stablehlo"
)

var (
	addOp          = binaryOp("Add", stablehlo.OpAdd, anyNumber)
	subOp          = binaryOp("Sub", stablehlo.OpSubtract, anyNumber)
	mulOp          = binaryOp("Mul", stablehlo.OpMultiply, anyNumber)
	divOp          = binaryOp("Div", stablehlo.OpDivide, floatResult)
	quotientOp     = binaryOp("Quotient", stablehlo.OpDivide, integerOnly)
	remainderOp    = binaryOp("Remainder", stablehlo.OpRemainder, realNumber)
	powOp          = binaryOp("Pow", stablehlo.OpPower, anyNumber)
	atan2Op        = binaryOp("Atan2", stablehlo.OpAtan2, realFloat)
	maximumOp      = binaryOp("Maximum", stablehlo.OpMaximum, ordered)
	minimumOp      = binaryOp("Minimum", stablehlo.OpMinimum, ordered)
	bitwiseAndOp   = binaryOp("BitwiseAnd", stablehlo.OpAnd, bitwise)
	bitwiseOrOp    = binaryOp("BitwiseOr", stablehlo.OpOr, bitwise)
	bitwiseXorOp   = binaryOp("BitwiseXor", stablehlo.OpXor, bitwise)
	leftShiftOp    = binaryOp("LeftShift", stablehlo.OpShiftLeft, integerOnly)
	rightShiftOp   = binaryOp("RightShift", stablehlo.OpShiftRightArithmetic, integerOnly)
	equalOp        = comparison("Equal", equal)
	notEqualOp     = comparison("NotEqual", notEqual)
	lessOp         = comparison("Less", less)
	lessEqualOp    = comparison("LessEqual", lessEqual)
	greaterOp      = comparison("Greater", greater)
	greaterEqualOp = comparison("GreaterEqual", greaterEqual)
	logicalAndOp   = logicalOp("LogicalAnd", stablehlo.OpAnd)
	logicalOrOp    = logicalOp("LogicalOr", stablehlo.OpOr)
	logicalXorOp   = logicalOp("LogicalXor", stablehlo.OpXor)
)

// Add implements nx.Add.
func Add[A, B Operand](a A, b B) Tensor { return addOp.call(none{}, operandOf(a), operandOf(b)) }

// Sub implements nx.Sub.
func Sub[A, B Operand](a A, b B) Tensor { return subOp.call(none{}, operandOf(a), operandOf(b)) }

// Mul implements nx.Mul.
func Mul[A, B Operand](a A, b B) Tensor { return mulOp.call(none{}, operandOf(a), operandOf(b)) }

// Div implements nx.Div.
func Div[A, B Operand](a A, b B) Tensor { return divOp.call(none{}, operandOf(a), operandOf(b)) }

// Quotient implements nx.Quotient.
func Quotient[A, B Operand](a A, b B) Tensor {
	return quotientOp.call(none{}, operandOf(a), operandOf(b))
}

// Remainder implements nx.Remainder.
func Remainder[A, B Operand](a A, b B) Tensor {
	return remainderOp.call(none{}, operandOf(a), operandOf(b))
}

// Pow implements nx.Pow.
func Pow[A, B Operand](a A, b B) Tensor { return powOp.call(none{}, operandOf(a), operandOf(b)) }

// Atan2 implements nx.Atan2.
func Atan2[A, B Operand](a A, b B) Tensor { return atan2Op.call(none{}, operandOf(a), operandOf(b)) }

// Maximum implements nx.Maximum.
func Maximum[A, B Operand](a A, b B) Tensor {
	return maximumOp.call(none{}, operandOf(a), operandOf(b))
}

// Minimum implements nx.Minimum.
func Minimum[A, B Operand](a A, b B) Tensor {
	return minimumOp.call(none{}, operandOf(a), operandOf(b))
}

// BitwiseAnd implements nx.BitwiseAnd.
func BitwiseAnd[A, B Operand](a A, b B) Tensor {
	return bitwiseAndOp.call(none{}, operandOf(a), operandOf(b))
}

// BitwiseOr implements nx.BitwiseOr.
func BitwiseOr[A, B Operand](a A, b B) Tensor {
	return bitwiseOrOp.call(none{}, operandOf(a), operandOf(b))
}

// BitwiseXor implements nx.BitwiseXor.
func BitwiseXor[A, B Operand](a A, b B) Tensor {
	return bitwiseXorOp.call(none{}, operandOf(a), operandOf(b))
}

// LeftShift implements nx.LeftShift.
func LeftShift[A, B Operand](a A, b B) Tensor {
	return leftShiftOp.call(none{}, operandOf(a), operandOf(b))
}

// RightShift implements nx.RightShift.
func RightShift[A, B Operand](a A, b B) Tensor {
	return rightShiftOp.call(none{}, operandOf(a), operandOf(b))
}

// Equal implements nx.Equal.
func Equal[A, B Operand](a A, b B) Tensor {
	return compared(equalOp, equal, operandOf(a), operandOf(b))
}

// NotEqual implements nx.NotEqual.
func NotEqual[A, B Operand](a A, b B) Tensor {
	return compared(notEqualOp, notEqual, operandOf(a), operandOf(b))
}

// Less implements nx.Less.
func Less[A, B Operand](a A, b B) Tensor {
	return compared(lessOp, less, operandOf(a), operandOf(b))
}

// LessEqual implements nx.LessEqual.
func LessEqual[A, B Operand](a A, b B) Tensor {
	return compared(lessEqualOp, lessEqual, operandOf(a), operandOf(b))
}

// Greater implements nx.Greater.
func Greater[A, B Operand](a A, b B) Tensor {
	return compared(greaterOp, greater, operandOf(a), operandOf(b))
}

// GreaterEqual implements nx.GreaterEqual.
func GreaterEqual[A, B Operand](a A, b B) Tensor {
	return compared(greaterEqualOp, greaterEqual, operandOf(a), operandOf(b))
}

// LogicalAnd implements nx.LogicalAnd.
func LogicalAnd[A, B Operand](a A, b B) Tensor {
	return logical(logicalAndOp, operandOf(a), operandOf(b))
}

// LogicalOr implements nx.LogicalOr.
func LogicalOr[A, B Operand](a A, b B) Tensor {
	return logical(logicalOrOp, operandOf(a), operandOf(b))
}

// LogicalXor implements nx.LogicalXor.
func LogicalXor[A, B Operand](a A, b B) Tensor {
	return logical(logicalXorOp, operandOf(a), operandOf(b))
}

// comparison compares two operands.
//
//go:noinline
func comparison(name string, dir direction) *operation[none] {
	return elementwise(name, func(d *description[none]) DType {
		d.in = promoted(d.ins[0], d.ins[1])
		if d.in.IsComplex() && dir != equal && dir != notEqual {
			d.fail(ErrDType, "compare the magnitudes (nx.Abs) or the parts (nx.Real, nx.Imag)",
				"complex numbers have no order")
		}
		return Bool
	}, func(e *emitter, x, y *stablehlo.Value) *stablehlo.Value { return e.compare(dir, x, y) })
}

// compared compares two operands: u64 and a signed type, which have no common type, by their
// signs first.
func compared(o *operation[none], dir direction, a, b operand) Tensor {
	s, t := a.spec(), b.spec()
	mixed := func(u, s *Spec) bool { return u.DType == U64 && !u.weak && s.DType.IsSigned() && !s.weak }
	if s == nil || t == nil || !mixed(s, t) && !mixed(t, s) {
		return o.call(none{}, a, b)
	}
	x, y := wrap(a.t), wrap(b.t)
	same := o.call(none{}, operand{t: cast(x, U64).p}, operand{t: cast(y, U64).p})
	negative, whenNegative := x, dir == less || dir == lessEqual || dir == notEqual
	if s.DType == U64 {
		negative, whenNegative = y, dir == greater || dir == greaterEqual || dir == notEqual
	}
	return Where(lessOp.call(none{}, operand{t: negative.p}, operand{n: zero}), whenNegative, same)
}

// logicalOp is an operation on bools.
func logicalOp(name string, code stablehlo.OpCode) *operation[none] {
	return elementwise(name, func(d *description[none]) DType {
		d.in = Bool
		return Bool
	}, func(e *emitter, x, y *stablehlo.Value) *stablehlo.Value {
		return e.Value(code, []*stablehlo.Value{x, y})
	})
}

// logical applies an operation on bools; a number counts as true if it is not zero.
func logical(o *operation[none], a, b operand) Tensor {
	present(o.name, a, b)
	return o.call(none{}, asBool(a), asBool(b))
}

// asBool returns whether an operand is non-zero.
func asBool(x operand) operand {
	if x.spec().DType == Bool {
		return x
	}
	return operand{t: notEqualOp.call(none{}, x, operand{n: zero}).p}
}
