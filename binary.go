package nx

import (
	"github.com/go-nx/nx/stablehlo"
)

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
// That of an integer by zero is a. Shapes as [Add]. DTypes: real. Gradient: 1,
// -trunc(a/b).
func Remainder[A, B Operand](a A, b B) Tensor {
	return binary("Remainder", stablehlo.OpRemainder, operandOf(a), operandOf(b), realNumber)
}

// Pow returns a to the power of b. Shapes and dtypes as [Add]: an integer to a
// negative power is 0, but for 1 and -1. Gradient: b·a^(b-1), a^b·log a.
func Pow[A, B Operand](a A, b B) Tensor {
	return binary("Pow", stablehlo.OpPower, operandOf(a), operandOf(b), anyNumber)
}

// Atan2 returns the angle of the point (b, a) in [-π, π]. Shapes as [Add].
// DTypes: real, integers become f32.
func Atan2[A, B Operand](a A, b B) Tensor {
	return binary("Atan2", stablehlo.OpAtan2, operandOf(a), operandOf(b), realFloat)
}

// Maximum returns the larger of a and b, NaN when either is. Shapes as [Add].
// DTypes: real. Gradient: to the larger, half to each of equals.
func Maximum[A, B Operand](a A, b B) Tensor {
	return binary("Maximum", stablehlo.OpMaximum, operandOf(a), operandOf(b), ordered)
}

// Minimum returns the smaller of a and b, NaN when either is. As [Maximum].
func Minimum[A, B Operand](a A, b B) Tensor {
	return binary("Minimum", stablehlo.OpMinimum, operandOf(a), operandOf(b), ordered)
}

// BitwiseAnd returns a & b of integers. Shapes as [Add].
func BitwiseAnd[A, B Operand](a A, b B) Tensor {
	return binary("BitwiseAnd", stablehlo.OpAnd, operandOf(a), operandOf(b), bitwise)
}

// BitwiseOr returns a | b of integers. Shapes as [Add].
func BitwiseOr[A, B Operand](a A, b B) Tensor {
	return binary("BitwiseOr", stablehlo.OpOr, operandOf(a), operandOf(b), bitwise)
}

// BitwiseXor returns a ^ b of integers. Shapes as [Add].
func BitwiseXor[A, B Operand](a A, b B) Tensor {
	return binary("BitwiseXor", stablehlo.OpXor, operandOf(a), operandOf(b), bitwise)
}

// LeftShift returns a << b of integers; a count that is negative, or the width or
// more, gives 0.
func LeftShift[A, B Operand](a A, b B) Tensor {
	return binary("LeftShift", stablehlo.OpShiftLeft, operandOf(a), operandOf(b), integerOnly)
}

// RightShift returns a >> b of integers: arithmetic for signed, logical for
// unsigned element types. A count that is negative, or the width or more, leaves
// the sign alone: -1 or 0.
func RightShift[A, B Operand](a A, b B) Tensor {
	return binary("RightShift", stablehlo.OpShiftRightArithmetic, operandOf(a), operandOf(b), integerOnly)
}

// Equal returns whether a == b, as bools. NaN is unequal to all. Shapes as [Add].
// DTypes: compared as the promoted type, in which s64 and u64 may wrap around.
func Equal[A, B Operand](a A, b B) Tensor { return compare("Equal", equal, operandOf(a), operandOf(b)) }

// NotEqual returns whether a != b, as bools. Shapes as [Add].
func NotEqual[A, B Operand](a A, b B) Tensor {
	return compare("NotEqual", notEqual, operandOf(a), operandOf(b))
}

// Less returns whether a < b, as bools; false for NaN. Shapes as [Add]. DTypes: real.
func Less[A, B Operand](a A, b B) Tensor { return compare("Less", less, operandOf(a), operandOf(b)) }

// LessEqual returns whether a <= b, as bools; false for NaN. As [Less].
func LessEqual[A, B Operand](a A, b B) Tensor {
	return compare("LessEqual", lessEqual, operandOf(a), operandOf(b))
}

// Greater returns whether a > b, as bools; false for NaN. As [Less].
func Greater[A, B Operand](a A, b B) Tensor {
	return compare("Greater", greater, operandOf(a), operandOf(b))
}

// GreaterEqual returns whether a >= b, as bools; false for NaN. As [Less].
func GreaterEqual[A, B Operand](a A, b B) Tensor {
	return compare("GreaterEqual", greaterEqual, operandOf(a), operandOf(b))
}

// LogicalAnd returns whether a and b are both non-zero. Shapes as [Add].
func LogicalAnd[A, B Operand](a A, b B) Tensor {
	return logical("LogicalAnd", stablehlo.OpAnd, operandOf(a), operandOf(b))
}

// LogicalOr returns whether a or b is non-zero. Shapes as [Add].
func LogicalOr[A, B Operand](a A, b B) Tensor {
	return logical("LogicalOr", stablehlo.OpOr, operandOf(a), operandOf(b))
}

// LogicalXor returns whether exactly one of a and b is non-zero. Shapes as [Add].
func LogicalXor[A, B Operand](a A, b B) Tensor {
	return logical("LogicalXor", stablehlo.OpXor, operandOf(a), operandOf(b))
}
