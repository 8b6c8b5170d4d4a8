package nx

import "github.com/go-nx/nx/internal/core"

// Add returns a + b.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: promoted, integers wrap
// around; bools become u8. Gradient: 1, 1. Accuracy: correctly rounded.
func Add[A, B Operand](a A, b B) Tensor {
	return Tensor(core.Add[A, B](a, b))
}

// Sub returns a - b.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: promoted, integers wrap
// around; bools become u8. Gradient: 1, -1. Accuracy: correctly rounded.
func Sub[A, B Operand](a A, b B) Tensor {
	return Tensor(core.Sub[A, B](a, b))
}

// Mul returns a * b.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: promoted, integers wrap
// around; bools become u8. Gradient: b, a. Accuracy: correctly rounded, complex numbers part by
// part.
func Mul[A, B Operand](a A, b B) Tensor {
	return Tensor(core.Mul[A, B](a, b))
}

// Div returns a / b. x/0 is ±Inf or NaN.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: promoted, integers become
// f32. Gradient: 1/b, -a/b². Accuracy: correctly rounded, ≤ 4 ulp for complex numbers.
func Div[A, B Operand](a A, b B) Tensor {
	return Tensor(core.Div[A, B](a, b))
}

// Quotient returns the integer quotient a / b, truncated toward zero. Division by zero returns all
// ones, -1 signed.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: integers, promoted; bools
// become u8. Gradient: none, piecewise constant. Accuracy: exact. Errors: [ErrDType] for floats and
// complex numbers.
func Quotient[A, B Operand](a A, b B) Tensor {
	return Tensor(core.Quotient[A, B](a, b))
}

// Remainder returns the remainder of a / b, truncated: it has the sign of a. That of an integer by
// zero is a.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, promoted; bools become
// u8. Gradient: 1, -trunc(a/b). Accuracy: exact. Errors: [ErrDType] for complex numbers.
func Remainder[A, B Operand](a A, b B) Tensor {
	return Tensor(core.Remainder[A, B](a, b))
}

// Pow returns a to the power of b. An integer to a negative power is 0, but for 1 and -1.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: promoted, integers wrap
// around; bools become u8. Gradient: b·a^(b-1), a^b·log a. Accuracy: ≤ 1 ulp; of c128 ≤ 4 + |b|/8.
func Pow[A, B Operand](a A, b B) Tensor {
	return Tensor(core.Pow[A, B](a, b))
}

// Atan2 returns the angle of the point (b, a) in [-π, π].
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, promoted, integers
// become f32. Gradient: b/(a²+b²), -a/(a²+b²). Accuracy: ≤ 1 ulp, in f64 ≤ 2. Errors: [ErrDType]
// for complex numbers.
func Atan2[A, B Operand](a A, b B) Tensor {
	return Tensor(core.Atan2[A, B](a, b))
}

// Maximum returns the larger of a and b, NaN when either is.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, promoted. Gradient: to
// the larger, half to each of equals. Accuracy: exact. Errors: [ErrDType] for complex numbers.
func Maximum[A, B Operand](a A, b B) Tensor {
	return Tensor(core.Maximum[A, B](a, b))
}

// Minimum returns the smaller of a and b, NaN when either is.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, promoted. Gradient: to
// the smaller, half to each of equals. Accuracy: exact. Errors: [ErrDType] for complex numbers.
func Minimum[A, B Operand](a A, b B) Tensor {
	return Tensor(core.Minimum[A, B](a, b))
}

// BitwiseAnd returns a & b.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: integers and bools,
// promoted. Gradient: none. Accuracy: exact. Errors: [ErrDType] for floats and complex numbers.
func BitwiseAnd[A, B Operand](a A, b B) Tensor {
	return Tensor(core.BitwiseAnd[A, B](a, b))
}

// BitwiseOr returns a | b.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: integers and bools,
// promoted. Gradient: none. Accuracy: exact. Errors: [ErrDType] for floats and complex numbers.
func BitwiseOr[A, B Operand](a A, b B) Tensor {
	return Tensor(core.BitwiseOr[A, B](a, b))
}

// BitwiseXor returns a ^ b.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: integers and bools,
// promoted. Gradient: none. Accuracy: exact. Errors: [ErrDType] for floats and complex numbers.
func BitwiseXor[A, B Operand](a A, b B) Tensor {
	return Tensor(core.BitwiseXor[A, B](a, b))
}

// LeftShift returns a << b; a count that is negative, or the width or more, gives 0.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: integers, promoted; bools
// become u8. Gradient: none. Accuracy: exact. Errors: [ErrDType] for floats and complex numbers.
func LeftShift[A, B Operand](a A, b B) Tensor {
	return Tensor(core.LeftShift[A, B](a, b))
}

// RightShift returns a >> b: arithmetic for signed, logical for unsigned element types. A count
// that is negative, or the width or more, leaves only the sign: -1 or 0.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: integers, promoted; bools
// become u8. Gradient: none. Accuracy: exact. Errors: [ErrDType] for floats and complex numbers.
func RightShift[A, B Operand](a A, b B) Tensor {
	return Tensor(core.RightShift[A, B](a, b))
}

// Equal returns whether a == b. NaN is unequal to all.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: compared as the promoted
// type, in which s64 and u64 may wrap around; the result is bool. Gradient: zero. Accuracy: exact.
func Equal[A, B Operand](a A, b B) Tensor {
	return Tensor(core.Equal[A, B](a, b))
}

// NotEqual returns whether a != b. NaN is unequal to all.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: compared as the promoted
// type, in which s64 and u64 may wrap around; the result is bool. Gradient: zero. Accuracy: exact.
func NotEqual[A, B Operand](a A, b B) Tensor {
	return Tensor(core.NotEqual[A, B](a, b))
}

// Less returns whether a < b; false for NaN.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, compared as the
// promoted type; the result is bool. Gradient: zero. Accuracy: exact. Errors: [ErrDType] for
// complex numbers.
func Less[A, B Operand](a A, b B) Tensor {
	return Tensor(core.Less[A, B](a, b))
}

// LessEqual returns whether a <= b; false for NaN.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, compared as the
// promoted type; the result is bool. Gradient: zero. Accuracy: exact. Errors: [ErrDType] for
// complex numbers.
func LessEqual[A, B Operand](a A, b B) Tensor {
	return Tensor(core.LessEqual[A, B](a, b))
}

// Greater returns whether a > b; false for NaN.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, compared as the
// promoted type; the result is bool. Gradient: zero. Accuracy: exact. Errors: [ErrDType] for
// complex numbers.
func Greater[A, B Operand](a A, b B) Tensor {
	return Tensor(core.Greater[A, B](a, b))
}

// GreaterEqual returns whether a >= b; false for NaN.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, compared as the
// promoted type; the result is bool. Gradient: zero. Accuracy: exact. Errors: [ErrDType] for
// complex numbers.
func GreaterEqual[A, B Operand](a A, b B) Tensor {
	return Tensor(core.GreaterEqual[A, B](a, b))
}

// LogicalAnd returns whether a and b are both non-zero.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: any, NaN is not zero; the
// result is bool. Gradient: zero. Accuracy: exact.
func LogicalAnd[A, B Operand](a A, b B) Tensor {
	return Tensor(core.LogicalAnd[A, B](a, b))
}

// LogicalOr returns whether a or b is non-zero.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: any, NaN is not zero; the
// result is bool. Gradient: zero. Accuracy: exact.
func LogicalOr[A, B Operand](a A, b B) Tensor {
	return Tensor(core.LogicalOr[A, B](a, b))
}

// LogicalXor returns whether exactly one of a and b is non-zero.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: any, NaN is not zero; the
// result is bool. Gradient: zero. Accuracy: exact.
func LogicalXor[A, B Operand](a A, b B) Tensor {
	return Tensor(core.LogicalXor[A, B](a, b))
}
