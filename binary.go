package nx

import "github.com/go-nx/nx/stablehlo"

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

// Add returns a + b.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: promoted, integers wrap
// around; bools become u8. Gradient: 1, 1. Accuracy: correctly rounded.
func Add[A, B Operand](a A, b B) Tensor { return addOp.on(none{}, operandOf(a), operandOf(b)) }

// Sub returns a - b.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: promoted, integers wrap
// around; bools become u8. Gradient: 1, -1. Accuracy: correctly rounded.
func Sub[A, B Operand](a A, b B) Tensor { return subOp.on(none{}, operandOf(a), operandOf(b)) }

// Mul returns a * b.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: promoted, integers wrap
// around; bools become u8. Gradient: b, a. Accuracy: correctly rounded, complex numbers part by
// part.
func Mul[A, B Operand](a A, b B) Tensor { return mulOp.on(none{}, operandOf(a), operandOf(b)) }

// Div returns a / b. x/0 is ±Inf or NaN.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: promoted, integers become
// f32. Gradient: 1/b, -a/b². Accuracy: correctly rounded, ≤ 4 ulp for complex numbers.
func Div[A, B Operand](a A, b B) Tensor { return divOp.on(none{}, operandOf(a), operandOf(b)) }

// Quotient returns the integer quotient a / b, truncated toward zero. Division by zero gives all
// ones, -1 signed.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: integers, promoted; bools
// become u8. Gradient: none, piecewise constant. Accuracy: exact. Errors: [ErrDType] for floats and
// complex numbers.
func Quotient[A, B Operand](a A, b B) Tensor {
	return quotientOp.on(none{}, operandOf(a), operandOf(b))
}

// Remainder returns the remainder of a / b, truncated: it has the sign of a. That of an integer by
// zero is a.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, promoted; bools become
// u8. Gradient: 1, -trunc(a/b). Accuracy: exact. Errors: [ErrDType] for complex numbers.
func Remainder[A, B Operand](a A, b B) Tensor {
	return remainderOp.on(none{}, operandOf(a), operandOf(b))
}

// Pow returns a to the power of b. An integer to a negative power is 0, but for 1 and -1.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: promoted, integers wrap
// around; bools become u8. Gradient: b·a^(b-1), a^b·log a. Accuracy: ≤ 1 ulp; of c128 ≤ 4 + |b|/8.
func Pow[A, B Operand](a A, b B) Tensor { return powOp.on(none{}, operandOf(a), operandOf(b)) }

// Atan2 returns the angle of the point (b, a) in [-π, π].
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, promoted, integers
// become f32. Gradient: b/(a²+b²), -a/(a²+b²). Accuracy: ≤ 1 ulp, in f64 ≤ 2. Errors: [ErrDType]
// for complex numbers.
func Atan2[A, B Operand](a A, b B) Tensor { return atan2Op.on(none{}, operandOf(a), operandOf(b)) }

// Maximum returns the larger of a and b, NaN when either is.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, promoted. Gradient: to
// the larger, half to each of equals. Accuracy: exact. Errors: [ErrDType] for complex numbers.
func Maximum[A, B Operand](a A, b B) Tensor { return maximumOp.on(none{}, operandOf(a), operandOf(b)) }

// Minimum returns the smaller of a and b, NaN when either is.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, promoted. Gradient: to
// the smaller, half to each of equals. Accuracy: exact. Errors: [ErrDType] for complex numbers.
func Minimum[A, B Operand](a A, b B) Tensor { return minimumOp.on(none{}, operandOf(a), operandOf(b)) }

// BitwiseAnd returns a & b.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: integers and bools,
// promoted. Gradient: none. Accuracy: exact. Errors: [ErrDType] for floats and complex numbers.
func BitwiseAnd[A, B Operand](a A, b B) Tensor {
	return bitwiseAndOp.on(none{}, operandOf(a), operandOf(b))
}

// BitwiseOr returns a | b.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: integers and bools,
// promoted. Gradient: none. Accuracy: exact. Errors: [ErrDType] for floats and complex numbers.
func BitwiseOr[A, B Operand](a A, b B) Tensor {
	return bitwiseOrOp.on(none{}, operandOf(a), operandOf(b))
}

// BitwiseXor returns a ^ b.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: integers and bools,
// promoted. Gradient: none. Accuracy: exact. Errors: [ErrDType] for floats and complex numbers.
func BitwiseXor[A, B Operand](a A, b B) Tensor {
	return bitwiseXorOp.on(none{}, operandOf(a), operandOf(b))
}

// LeftShift returns a << b; a count that is negative, or the width or more, gives 0.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: integers, promoted; bools
// become u8. Gradient: none. Accuracy: exact. Errors: [ErrDType] for floats and complex numbers.
func LeftShift[A, B Operand](a A, b B) Tensor {
	return leftShiftOp.on(none{}, operandOf(a), operandOf(b))
}

// RightShift returns a >> b: arithmetic for signed, logical for unsigned element types. A count
// that is negative, or the width or more, leaves the sign alone: -1 or 0.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: integers, promoted; bools
// become u8. Gradient: none. Accuracy: exact. Errors: [ErrDType] for floats and complex numbers.
func RightShift[A, B Operand](a A, b B) Tensor {
	return rightShiftOp.on(none{}, operandOf(a), operandOf(b))
}

// Equal returns whether a == b. NaN is unequal to all.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: compared as the promoted
// type, in which s64 and u64 may wrap around; the result is bool. Gradient: zero. Accuracy: exact.
func Equal[A, B Operand](a A, b B) Tensor {
	return compared(equalOp, equal, operandOf(a), operandOf(b))
}

// NotEqual returns whether a != b. NaN is unequal to all.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: compared as the promoted
// type, in which s64 and u64 may wrap around; the result is bool. Gradient: zero. Accuracy: exact.
func NotEqual[A, B Operand](a A, b B) Tensor {
	return compared(notEqualOp, notEqual, operandOf(a), operandOf(b))
}

// Less returns whether a < b; false for NaN.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, compared as the
// promoted type; the result is bool. Gradient: zero. Accuracy: exact. Errors: [ErrDType] for
// complex numbers.
func Less[A, B Operand](a A, b B) Tensor {
	return compared(lessOp, less, operandOf(a), operandOf(b))
}

// LessEqual returns whether a <= b; false for NaN.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, compared as the
// promoted type; the result is bool. Gradient: zero. Accuracy: exact. Errors: [ErrDType] for
// complex numbers.
func LessEqual[A, B Operand](a A, b B) Tensor {
	return compared(lessEqualOp, lessEqual, operandOf(a), operandOf(b))
}

// Greater returns whether a > b; false for NaN.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, compared as the
// promoted type; the result is bool. Gradient: zero. Accuracy: exact. Errors: [ErrDType] for
// complex numbers.
func Greater[A, B Operand](a A, b B) Tensor {
	return compared(greaterOp, greater, operandOf(a), operandOf(b))
}

// GreaterEqual returns whether a >= b; false for NaN.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, compared as the
// promoted type; the result is bool. Gradient: zero. Accuracy: exact. Errors: [ErrDType] for
// complex numbers.
func GreaterEqual[A, B Operand](a A, b B) Tensor {
	return compared(greaterEqualOp, greaterEqual, operandOf(a), operandOf(b))
}

// LogicalAnd returns whether a and b are both non-zero.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: any, NaN is not zero; the
// result is bool. Gradient: zero. Accuracy: exact.
func LogicalAnd[A, B Operand](a A, b B) Tensor {
	return logical(logicalAndOp, operandOf(a), operandOf(b))
}

// LogicalOr returns whether a or b is non-zero.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: any, NaN is not zero; the
// result is bool. Gradient: zero. Accuracy: exact.
func LogicalOr[A, B Operand](a A, b B) Tensor {
	return logical(logicalOrOp, operandOf(a), operandOf(b))
}

// LogicalXor returns whether exactly one of a and b is non-zero.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: any, NaN is not zero; the
// result is bool. Gradient: zero. Accuracy: exact.
func LogicalXor[A, B Operand](a A, b B) Tensor {
	return logical(logicalXorOp, operandOf(a), operandOf(b))
}
