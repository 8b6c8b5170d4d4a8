package core

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

// Add implements nx.Add.
func Add[A, B Operand](a A, b B) Tensor { return addOp.on(none{}, operandOf(a), operandOf(b)) }

// Sub implements nx.Sub.
func Sub[A, B Operand](a A, b B) Tensor { return subOp.on(none{}, operandOf(a), operandOf(b)) }

// Mul implements nx.Mul.
func Mul[A, B Operand](a A, b B) Tensor { return mulOp.on(none{}, operandOf(a), operandOf(b)) }

// Div implements nx.Div.
func Div[A, B Operand](a A, b B) Tensor { return divOp.on(none{}, operandOf(a), operandOf(b)) }

// Quotient implements nx.Quotient.
func Quotient[A, B Operand](a A, b B) Tensor {
	return quotientOp.on(none{}, operandOf(a), operandOf(b))
}

// Remainder implements nx.Remainder.
func Remainder[A, B Operand](a A, b B) Tensor {
	return remainderOp.on(none{}, operandOf(a), operandOf(b))
}

// Pow implements nx.Pow.
func Pow[A, B Operand](a A, b B) Tensor { return powOp.on(none{}, operandOf(a), operandOf(b)) }

// Atan2 implements nx.Atan2.
func Atan2[A, B Operand](a A, b B) Tensor { return atan2Op.on(none{}, operandOf(a), operandOf(b)) }

// Maximum implements nx.Maximum.
func Maximum[A, B Operand](a A, b B) Tensor { return maximumOp.on(none{}, operandOf(a), operandOf(b)) }

// Minimum implements nx.Minimum.
func Minimum[A, B Operand](a A, b B) Tensor { return minimumOp.on(none{}, operandOf(a), operandOf(b)) }

// BitwiseAnd implements nx.BitwiseAnd.
func BitwiseAnd[A, B Operand](a A, b B) Tensor {
	return bitwiseAndOp.on(none{}, operandOf(a), operandOf(b))
}

// BitwiseOr implements nx.BitwiseOr.
func BitwiseOr[A, B Operand](a A, b B) Tensor {
	return bitwiseOrOp.on(none{}, operandOf(a), operandOf(b))
}

// BitwiseXor implements nx.BitwiseXor.
func BitwiseXor[A, B Operand](a A, b B) Tensor {
	return bitwiseXorOp.on(none{}, operandOf(a), operandOf(b))
}

// LeftShift implements nx.LeftShift.
func LeftShift[A, B Operand](a A, b B) Tensor {
	return leftShiftOp.on(none{}, operandOf(a), operandOf(b))
}

// RightShift implements nx.RightShift.
func RightShift[A, B Operand](a A, b B) Tensor {
	return rightShiftOp.on(none{}, operandOf(a), operandOf(b))
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
