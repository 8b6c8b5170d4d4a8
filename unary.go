package nx

import "github.com/go-nx/nx/internal/core"

// Bitcast reinterprets the bits of the elements as a type of the same width.
//
// Shapes: that of t. DTypes: integers and floats. Gradient: none. Accuracy: exact. Errors:
// [ErrDType] for types of another width, bools and complex numbers.
func Bitcast(t Tensor, d DType) Tensor {
	return Tensor(core.Bitcast(core.Tensor(t), d))
}

// Exp returns e to the power of each element.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: exp(t). Accuracy: ≤ 1 ulp.
func Exp(t Tensor) Tensor {
	return Tensor(core.Exp(core.Tensor(t)))
}

// Expm1 returns exp(t) - 1 without cancellation near 0.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: exp(t). Accuracy: ≤ 1 ulp, in f64 ≤ 2.
func Expm1(t Tensor) Tensor {
	return Tensor(core.Expm1(core.Tensor(t)))
}

// Log returns the natural logarithm: -Inf at 0, NaN below.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/t. Accuracy: ≤ 1 ulp.
func Log(t Tensor) Tensor {
	return Tensor(core.Log(core.Tensor(t)))
}

// Log1p returns log(1 + t) without cancellation near 0.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/(1+t). Accuracy: ≤ 1 ulp, in f64 ≤ 2.
func Log1p(t Tensor) Tensor {
	return Tensor(core.Log1p(core.Tensor(t)))
}

// Sigmoid returns 1/(1+exp(-t)).
//
// Shapes: that of t. DTypes: integers become f32. Gradient: Sigmoid(t)·(1-Sigmoid(t)). Accuracy: ≤
// 2 ulp.
func Sigmoid(t Tensor) Tensor {
	return Tensor(core.Sigmoid(core.Tensor(t)))
}

// Sin returns the sine.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: cos(t). Accuracy: ≤ 1 ulp, in f64 ≤ 2.
func Sin(t Tensor) Tensor {
	return Tensor(core.Sin(core.Tensor(t)))
}

// Cos returns the cosine.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: -sin(t). Accuracy: ≤ 1 ulp, in f64 ≤ 2.
func Cos(t Tensor) Tensor {
	return Tensor(core.Cos(core.Tensor(t)))
}

// Tan returns the tangent.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1 + tan²(t). Accuracy: ≤ 1 ulp, in f64
// ≤ 2.
func Tan(t Tensor) Tensor {
	return Tensor(core.Tan(core.Tensor(t)))
}

// Tanh returns the hyperbolic tangent.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1 - tanh²(t). Accuracy: ≤ 2 ulp.
func Tanh(t Tensor) Tensor {
	return Tensor(core.Tanh(core.Tensor(t)))
}

// Asin returns the arc sine in [-π/2, π/2], NaN outside [-1, 1].
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/√(1-t²). Accuracy: ≤ 1 ulp, in f64 ≤
// 2.
func Asin(t Tensor) Tensor {
	return Tensor(core.Asin(core.Tensor(t)))
}

// Acos returns the arc cosine in [0, π], NaN outside [-1, 1].
//
// Shapes: that of t. DTypes: integers become f32. Gradient: -1/√(1-t²). Accuracy: ≤ 1 ulp, in f64 ≤
// 2.
func Acos(t Tensor) Tensor {
	return Tensor(core.Acos(core.Tensor(t)))
}

// Atan returns the arc tangent in [-π/2, π/2].
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/(1+t²). Accuracy: ≤ 1 ulp, in f64 ≤
// 2.
func Atan(t Tensor) Tensor {
	return Tensor(core.Atan(core.Tensor(t)))
}

// Asinh returns the inverse hyperbolic sine.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/√(t²+1). Accuracy: ≤ 1 ulp, in f64 ≤
// 2.
func Asinh(t Tensor) Tensor {
	return Tensor(core.Asinh(core.Tensor(t)))
}

// Acosh returns the inverse hyperbolic cosine, NaN below 1.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/√(t²-1). Accuracy: ≤ 1 ulp, in f64 ≤
// 2.
func Acosh(t Tensor) Tensor {
	return Tensor(core.Acosh(core.Tensor(t)))
}

// Atanh returns the inverse hyperbolic tangent, NaN outside [-1, 1].
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/(1-t²). Accuracy: ≤ 1 ulp, in f64 ≤
// 2.
func Atanh(t Tensor) Tensor {
	return Tensor(core.Atanh(core.Tensor(t)))
}

// Sqrt returns the square root, NaN below 0.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/(2√t), +Inf at 0. Accuracy: correctly
// rounded.
func Sqrt(t Tensor) Tensor {
	return Tensor(core.Sqrt(core.Tensor(t)))
}

// Rsqrt returns 1/√t, +Inf at 0.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: -1/(2t√t). Accuracy: ≤ 1 ulp, in f64 ≤
// 2.
func Rsqrt(t Tensor) Tensor {
	return Tensor(core.Rsqrt(core.Tensor(t)))
}

// Cbrt returns the cube root, of negative numbers too.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/(3∛t²). Accuracy: ≤ 1 ulp, in f64 ≤
// 2.
func Cbrt(t Tensor) Tensor {
	return Tensor(core.Cbrt(core.Tensor(t)))
}

// Erf returns the error function, 2/√π times the integral of exp(-x²) from 0 to t.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: 2/√π·exp(-t²). Accuracy: ≤ 1 ulp,
// in f64 ≤ 2. Errors: [ErrDType] for complex numbers. Source: NIST DLMF 7.2.
func Erf(t Tensor) Tensor {
	return Tensor(core.Erf(core.Tensor(t)))
}

// Erfc returns 1 - erf(t) without cancellation.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: -2/√π·exp(-t²). Accuracy: ≤ 1
// ulp, in f64 ≤ 2. Errors: [ErrDType] for complex numbers. Source: NIST DLMF 7.2.
func Erfc(t Tensor) Tensor {
	return Tensor(core.Erfc(core.Tensor(t)))
}

// ErfInv returns the inverse of the error function: ±Inf at ±1, NaN beyond.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: √π/2·exp(ErfInv(t)²). Accuracy: ≤
// 1 ulp, in f64 ≤ 2. Errors: [ErrDType] for complex numbers. Source: NIST DLMF 7.17.
func ErfInv(t Tensor) Tensor {
	return Tensor(core.ErfInv(core.Tensor(t)))
}

// Lgamma returns the logarithm of the absolute value of the gamma function, +Inf at 0 and at
// negative integers.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: Digamma(t). Accuracy: ≤ 4 ulp, or
// 1e-7 (f64: 1e-14) near a zero. Errors: [ErrDType] for complex numbers. Source: NIST DLMF 5.2.
func Lgamma(t Tensor) Tensor {
	return Tensor(core.Lgamma(core.Tensor(t)))
}

// Digamma returns the derivative of [Lgamma]: -Inf at 0, +Inf at -0, NaN at negative integers.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: the trigamma function. Accuracy:
// ≤ 4 ulp, or 1e-7 (f64: 1e-14) near a zero. Errors: [ErrDType] for complex numbers. Source: NIST
// DLMF 5.2.
func Digamma(t Tensor) Tensor {
	return Tensor(core.Digamma(core.Tensor(t)))
}

// BesselI0e returns e^-|t| I₀(t) with the modified Bessel function I₀ of the first kind, which
// itself overflows early.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: e^-|t| I₁(t) -
// sign(t)·BesselI0e(t). Accuracy: ≤ 4 ulp. Errors: [ErrDType] for complex numbers. Source: NIST
// DLMF 10.25.
func BesselI0e(t Tensor) Tensor {
	return Tensor(core.BesselI0e(core.Tensor(t)))
}

// BesselI1e returns e^-|t| I₁(t) with the modified Bessel function I₁ of the first kind.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: e^-|t| (I₀(t) - I₁(t)/t) -
// sign(t)·BesselI1e(t). Accuracy: ≤ 4 ulp. Errors: [ErrDType] for complex numbers. Source: NIST DLMF
// 10.25.
func BesselI1e(t Tensor) Tensor {
	return Tensor(core.BesselI1e(core.Tensor(t)))
}

// BesselI0 returns the modified Bessel function I₀ of the first kind. It is infinite from |t| ≈ 92 on,
// in f64 from 714: [BesselI0e] is not.
//
// Shapes: that of t. DTypes: real, integers become f32; floats narrower than f64 are computed in f64.
// Gradient: BesselI1(t), of any order. Accuracy: ≤ 1 ulp, in f64 ≤ 8. Errors: [ErrDType] for complex
// numbers. Source: NIST DLMF 10.25.
func BesselI0(t Tensor) Tensor {
	return Tensor(core.BesselI0(core.Tensor(t)))
}

// BesselI1 returns the modified Bessel function I₁ of the first kind. It is infinite from |t| ≈ 92 on,
// in f64 from 714: [BesselI1e] is not.
//
// Shapes: that of t. DTypes: real, integers become f32; floats narrower than f64 are computed in f64.
// Gradient: BesselI0(t) - BesselI1(t)/t, of any order. Accuracy: ≤ 1 ulp, in f64 ≤ 8. Errors:
// [ErrDType] for complex numbers. Source: NIST DLMF 10.25, 10.29.
func BesselI1(t Tensor) Tensor {
	return Tensor(core.BesselI1(core.Tensor(t)))
}

// GammaInc returns the regularised lower incomplete gamma function P(a, x): the probability that a variable
// of the gamma distribution of shape a is at most x. It is 0 at x = 0 and for an infinite a, 1 for an
// infinite x and for a = 0, and NaN for negative operands, for two zeros and for two infinities.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, promoted; integers become f32;
// all are computed in f64. Gradient: the density by x, and by a the derivative of the formula, of any
// order. Accuracy: in f64 a relative error ≤ 1e-13, or 4 ε·|log P| for a small P; f32 rounds it once.
// Errors: [ErrDType] for complex numbers, [ErrShape], [ErrNames]. Source: NIST DLMF 8; Temme,
// doi:10.1090/S0025-5718-1979-0537973-4; the regions are those of Cephes and SciPy.
func GammaInc[A, B Operand](a A, x B) Tensor {
	return Tensor(core.GammaInc[A, B](a, x))
}

// GammaIncC returns the regularised upper incomplete gamma function Q(a, x) = 1 - P(a, x) of [GammaInc],
// with all digits where it is small.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, promoted; integers become f32;
// all are computed in f64. Gradient: that of [GammaInc], negated. Accuracy: in f64 a relative error ≤
// 1e-13, or 4 ε·|log Q| for a small Q; f32 rounds it once. Errors: [ErrDType] for complex numbers,
// [ErrShape], [ErrNames]. Source: that of [GammaInc].
func GammaIncC[A, B Operand](a A, x B) Tensor {
	return Tensor(core.GammaIncC[A, B](a, x))
}

// BetaInc returns the regularised incomplete beta function I(a, b, x): the probability that a variable of
// the beta distribution of a and b is at most x. It is 0 at x = 0 and 1 at x = 1; between them 1 for a = 0
// and for an infinite b, 0 for an infinite a and for b = 0, and NaN if both are, and for numbers outside of
// the domain.
//
// Shapes: NumPy broadcasting; names and vectorised axes merge. DTypes: real, promoted; integers become f32;
// all are computed in f64. Gradient: the density by x, and by a and b, by which JAX has none, the
// derivative of the formula, of any order. Accuracy: in f64 a relative error ≤ 1e-13, 4 ε·|log I| for a
// small I and 2e-15·√max(a, b), up to x = (a+1)/(a+b+2); above it an absolute one, and 1 - I has the
// relative one; f32 rounds it once. The time grows with √max(a, b). Errors: [ErrDType] for complex numbers,
// [ErrShape], [ErrNames]. Source: DiDonato and Morris, doi:10.1145/131766.131776; NIST DLMF 8.17.
func BetaInc[A, B, C Operand](a A, b B, x C) Tensor {
	return Tensor(core.BetaInc[A, B, C](a, b, x))
}

// Sinh returns the hyperbolic sine.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: cosh(t). Accuracy: ≤ 1 ulp, in f64 ≤ 2.
func Sinh(t Tensor) Tensor {
	return Tensor(core.Sinh(core.Tensor(t)))
}

// Cosh returns the hyperbolic cosine.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: sinh(t). Accuracy: ≤ 1 ulp, in f64 ≤ 2.
func Cosh(t Tensor) Tensor {
	return Tensor(core.Cosh(core.Tensor(t)))
}

// Square returns t².
//
// Shapes: that of t. DTypes: numbers of any kind, integers wrap around; bools become u8.
// Gradient: 2t. Accuracy: correctly rounded; complex numbers as [Mul].
func Square(t Tensor) Tensor {
	return Tensor(core.Square(core.Tensor(t)))
}

// Neg returns -t.
//
// Shapes: that of t. DTypes: unsigned integers wrap around; bools become u8. Gradient:
// -1. Accuracy: exact.
func Neg(t Tensor) Tensor {
	return Tensor(core.Neg(core.Tensor(t)))
}

// Abs returns the absolute value; of a complex number its magnitude, a real. The smallest
// signed integer stays what it is.
//
// Shapes: that of t. DTypes: that of t, real for complex numbers; bools become u8.
// Gradient: 1 from 0 on, -1 below; of a complex number t/|t|, 0 at 0. Accuracy: exact,
// ≤ 2 ulp for complex numbers.
func Abs(t Tensor) Tensor {
	return Tensor(core.Abs(core.Tensor(t)))
}

// Sign returns -1, 0 or 1; NaN for NaN; t/|t| of a complex number.
//
// Shapes: that of t. DTypes: that of t; bools become u8. Gradient: zero. Accuracy: exact,
// ≤ 2 ulp for c64, ≤ 3 for c128.
func Sign(t Tensor) Tensor {
	return Tensor(core.Sign(core.Tensor(t)))
}

// Floor rounds down.
//
// Shapes: that of t. DTypes: real; integers stay as they are, bools become u8. Gradient:
// zero. Accuracy: exact. Errors: [ErrDType] for complex numbers.
func Floor(t Tensor) Tensor {
	return Tensor(core.Floor(core.Tensor(t)))
}

// Ceil rounds up.
//
// Shapes: that of t. DTypes: real; integers stay as they are, bools become u8. Gradient:
// zero. Accuracy: exact. Errors: [ErrDType] for complex numbers.
func Ceil(t Tensor) Tensor {
	return Tensor(core.Ceil(core.Tensor(t)))
}

// Round rounds to the nearest integer, halves away from zero, as C does. NumPy's is
// [RoundEven].
//
// Shapes: that of t. DTypes: real; integers stay as they are, bools become u8. Gradient:
// zero. Accuracy: exact. Errors: [ErrDType] for complex numbers.
func Round(t Tensor) Tensor {
	return Tensor(core.Round(core.Tensor(t)))
}

// RoundEven rounds to the nearest integer, halves to even.
//
// Shapes: that of t. DTypes: real; integers stay as they are, bools become u8. Gradient:
// zero. Accuracy: exact. Errors: [ErrDType] for complex numbers.
func RoundEven(t Tensor) Tensor {
	return Tensor(core.RoundEven(core.Tensor(t)))
}

// LogicalNot returns whether the element is zero, as bools.
//
// Shapes: that of t. DTypes: any; NaN is not zero. Gradient: zero. Accuracy: exact.
func LogicalNot(t Tensor) Tensor {
	return Tensor(core.LogicalNot(core.Tensor(t)))
}

// BitwiseNot inverts the bits.
//
// Shapes: that of t. DTypes: integers and bools. Gradient: none. Accuracy: exact. Errors:
// [ErrDType] for other types.
func BitwiseNot(t Tensor) Tensor {
	return Tensor(core.BitwiseNot(core.Tensor(t)))
}

// OnesCount returns how many bits are set.
//
// Shapes: that of t. DTypes: integers; bools become u8. Gradient: none. Accuracy: exact. Errors:
// [ErrDType] for other types.
func OnesCount(t Tensor) Tensor {
	return Tensor(core.OnesCount(core.Tensor(t)))
}

// LeadingZeros returns how many bits before the first that is set are not: the
// width for 0.
//
// Shapes: that of t. DTypes: integers; bools become u8. Gradient: none. Accuracy: exact. Errors:
// [ErrDType] for other types.
func LeadingZeros(t Tensor) Tensor {
	return Tensor(core.LeadingZeros(core.Tensor(t)))
}

// IsFinite returns whether the element is neither NaN nor infinite; of a complex number,
// both parts.
//
// Shapes: that of t. DTypes: any; bools result. Gradient: zero. Accuracy: exact.
func IsFinite(t Tensor) Tensor {
	return Tensor(core.IsFinite(core.Tensor(t)))
}

// IsInf returns whether the element is infinite, of either sign; of a complex number,
// either part.
//
// Shapes: that of t. DTypes: any; bools result. Gradient: zero. Accuracy: exact.
func IsInf(t Tensor) Tensor {
	return Tensor(core.IsInf(core.Tensor(t)))
}

// IsNaN returns whether the element is NaN; of a complex number, either part.
//
// Shapes: that of t. DTypes: any; bools result. Gradient: zero. Accuracy: exact.
func IsNaN(t Tensor) Tensor {
	return Tensor(core.IsNaN(core.Tensor(t)))
}

// Real returns the real part; of a real tensor, the tensor (integers as f32).
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: to the real part.
// Accuracy: exact.
func Real(t Tensor) Tensor {
	return Tensor(core.Real(core.Tensor(t)))
}

// Imag returns the imaginary part, zeros for a real tensor.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: to the imaginary part.
// Accuracy: exact.
func Imag(t Tensor) Tensor {
	return Tensor(core.Imag(core.Tensor(t)))
}

// Conj returns the complex conjugate; a real tensor as it is.
//
// Shapes: that of t. DTypes: that of t. Gradient: conjugated. Accuracy: exact.
func Conj(t Tensor) Tensor {
	return Tensor(core.Conj(core.Tensor(t)))
}

// Phase returns the angle of complex numbers in (-π, π]: of a real one 0 or π.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: that of
// Atan2(Imag(t), Real(t)). Accuracy: ≤ 2 ulp.
func Phase(t Tensor) Tensor {
	return Tensor(core.Phase(core.Tensor(t)))
}

// Complex returns re + im·i.
//
// Shapes: NumPy broadcasting; names merge. DTypes: real; c128 where an operand is f64,
// c64 otherwise. Gradient: the real part, the imaginary part. Accuracy: exact. Errors:
// [ErrDType] for complex parts.
func Complex[A, B Operand](re A, im B) Tensor {
	return Tensor(core.Complex[A, B](re, im))
}

// CastOption is an option of [Cast].
type CastOption = core.CastOption

// Saturate makes numbers beyond the range of a type of floats, and infinities, its largest finite number
// of their sign, as ONNX's Cast does for FLOAT8E4M3FN and FLOAT8E5M2, and PyTorch's quantisers. Without it
// they become infinite, or NaN where there is no infinity. NaN stays NaN. A negative number has no
// counterpart in f8e8m0fnu, and becomes NaN all the same.
const Saturate = core.Saturate

// Cast converts to another element type: floats to integers truncate toward zero and
// saturate, NaN becomes 0; integers wrap around; numbers to bool are true unless zero;
// complex to real keeps the real part. Options: [Saturate].
//
// Shapes: that of t. DTypes: any to any. Gradient: passes between floats, zero from and to
// integers; with [Saturate] none beyond the range. Accuracy: rounded once, to nearest even. Errors:
// [ErrArgument] for [Saturate] and complex numbers. Source: of [Saturate], ONNX's Cast.
func Cast(t Tensor, d DType, opts ...CastOption) Tensor {
	return Tensor(core.Cast(core.Tensor(t), d, opts...))
}
