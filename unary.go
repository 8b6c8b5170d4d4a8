package nx

import (
	"math"

	"github.com/go-nx/nx/stablehlo"
)

// unary applies one graph op to elements converted to type in, of which it
// makes type out.
func unary(op string, code stablehlo.OpCode, t Tensor, in, out DType) Tensor {
	s := t.must(op)
	sig := signature{op: op, ins: [3]*Spec{s}}
	if out, ok := again(&sig, operand{t: t.p}); ok {
		return out
	}
	spec := s.with(out)
	if out == Bool {
		spec = spec.strong()
	}
	return apply1(call{op: op, sig: sig, ins: []Tensor{t}, outs: []*Spec{spec},
		emit: func(e *emitter, v []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.op(code, []*stablehlo.Value{e.convert(v[0], in)})}
		}})
}

// floatUnary applies one graph op to floats and complex numbers; integers become f32.
func floatUnary(op string, code stablehlo.OpCode, t Tensor) Tensor {
	s := t.must(op)
	d := floating(s.DType, s.weak)
	return unary(op, code, t, d, d)
}

// realUnary is floatUnary of a function without a complex form.
func realUnary(op string, code stablehlo.OpCode, t Tensor) Tensor {
	refuseComplex(op, t)
	return floatUnary(op, code, t)
}

func refuseComplex(op string, t Tensor) {
	if t.must(op).DType.IsComplex() {
		failOn(ErrDType, op, []Tensor{t}, "take the parts (nx.Real, nx.Imag) or the magnitude (nx.Abs)", "is not defined for complex numbers")
	}
}

// Exp returns e to the power of each element. DTypes: integers become f32.
// Gradient: exp(t). Accuracy: ≤ 1 ulp, f32.
func Exp(t Tensor) Tensor { return floatUnary("Exp", stablehlo.OpExponential, t) }

// Expm1 returns exp(t) - 1 without cancellation near 0. As [Exp].
func Expm1(t Tensor) Tensor { return floatUnary("Expm1", stablehlo.OpExponentialMinusOne, t) }

// Log returns the natural logarithm: -Inf at 0, NaN below. As [Exp]. Gradient: 1/t.
func Log(t Tensor) Tensor { return floatUnary("Log", stablehlo.OpLog, t) }

// Log1p returns log(1 + t) without cancellation near 0. As [Exp].
func Log1p(t Tensor) Tensor { return floatUnary("Log1p", stablehlo.OpLogPlusOne, t) }

// Sigmoid returns 1/(1+exp(-t)). As [Exp].
func Sigmoid(t Tensor) Tensor { return floatUnary("Sigmoid", stablehlo.OpLogistic, t) }

// Sin returns the sine. As [Exp].
func Sin(t Tensor) Tensor { return floatUnary("Sin", stablehlo.OpSine, t) }

// Cos returns the cosine. As [Exp].
func Cos(t Tensor) Tensor { return floatUnary("Cos", stablehlo.OpCosine, t) }

// Tan returns the tangent. As [Exp].
func Tan(t Tensor) Tensor { return floatUnary("Tan", stablehlo.OpTan, t) }

// Tanh returns the hyperbolic tangent. As [Exp].
func Tanh(t Tensor) Tensor { return floatUnary("Tanh", stablehlo.OpTanh, t) }

// Sinh returns the hyperbolic sine. As [Exp]. Floats narrower than f64 are computed
// in f64, since the dialect's formula is off by up to 25 ulp.
func Sinh(t Tensor) Tensor { return hyperbolic("Sinh", stablehlo.OpChloSinh, t) }

// Cosh returns the hyperbolic cosine. As [Sinh].
func Cosh(t Tensor) Tensor { return hyperbolic("Cosh", stablehlo.OpChloCosh, t) }

func hyperbolic(op string, code stablehlo.OpCode, t Tensor) Tensor {
	s := t.must(op)
	sig := signature{op: op, ins: [3]*Spec{s}}
	if out, ok := again(&sig, operand{t: t.p}); ok {
		return out
	}
	d := floating(s.DType, s.weak)
	in := d
	if d.IsFloat() {
		in = F64
	}
	return apply1(call{op: op, sig: sig, ins: []Tensor{t}, outs: []*Spec{s.with(d)},
		emit: func(e *emitter, v []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.convert(e.op(code, []*stablehlo.Value{e.convert(v[0], in)}), d)}
		}})
}

// Asin returns the arc sine in [-π/2, π/2], NaN outside [-1, 1]. As [Exp].
func Asin(t Tensor) Tensor { return floatUnary("Asin", stablehlo.OpChloAsin, t) }

// Acos returns the arc cosine in [0, π], NaN outside [-1, 1]. As [Exp].
func Acos(t Tensor) Tensor { return floatUnary("Acos", stablehlo.OpChloAcos, t) }

// Atan returns the arc tangent in [-π/2, π/2]. As [Exp].
func Atan(t Tensor) Tensor { return floatUnary("Atan", stablehlo.OpChloAtan, t) }

// Asinh returns the inverse hyperbolic sine. As [Exp].
func Asinh(t Tensor) Tensor { return floatUnary("Asinh", stablehlo.OpChloAsinh, t) }

// Acosh returns the inverse hyperbolic cosine, NaN below 1. As [Exp].
func Acosh(t Tensor) Tensor { return floatUnary("Acosh", stablehlo.OpChloAcosh, t) }

// Atanh returns the inverse hyperbolic tangent, NaN outside [-1, 1]. As [Exp].
func Atanh(t Tensor) Tensor { return floatUnary("Atanh", stablehlo.OpChloAtanh, t) }

// Sqrt returns the square root, NaN below 0. As [Exp]. Accuracy: correctly rounded.
func Sqrt(t Tensor) Tensor { return floatUnary("Sqrt", stablehlo.OpSqrt, t) }

// Rsqrt returns 1/√t. As [Exp].
func Rsqrt(t Tensor) Tensor { return floatUnary("Rsqrt", stablehlo.OpRsqrt, t) }

// Cbrt returns the cube root. As [Exp].
func Cbrt(t Tensor) Tensor { return floatUnary("Cbrt", stablehlo.OpCbrt, t) }

// Erf returns the error function. DTypes: real, integers become f32.
func Erf(t Tensor) Tensor { return realUnary("Erf", stablehlo.OpChloErf, t) }

// Erfc returns 1 - erf(t) without cancellation. As [Erf].
func Erfc(t Tensor) Tensor { return realUnary("Erfc", stablehlo.OpChloErfc, t) }

// ErfInv returns the inverse of the error function. As [Erf].
func ErfInv(t Tensor) Tensor { return realUnary("ErfInv", stablehlo.OpChloErfInv, t) }

// Lgamma returns the logarithm of the absolute value of the gamma function, +Inf
// at 0 and at negative integers. As [Erf]. Gradient: Digamma(t).
func Lgamma(t Tensor) Tensor { return realUnary("Lgamma", stablehlo.OpChloLgamma, t) }

// Digamma returns the derivative of [Lgamma], NaN at 0 and at negative integers.
// As [Erf].
func Digamma(t Tensor) Tensor { return realUnary("Digamma", stablehlo.OpChloDigamma, t) }

// BesselI0e returns e^-|t| I₀(t) with the modified Bessel function I₀ of the first
// kind, which itself overflows early. As [Erf]. Accuracy: rounded once. Source: NIST
// DLMF 10.25. Gradient: e^-|t| I₁(t) - sign(t)·BesselI0e(t).
func BesselI0e(t Tensor) Tensor { return realUnary("BesselI0e", stablehlo.OpNxBesselI0e, t) }

// Square returns t². DTypes: numbers of any kind, integers wrap around; bools
// become u8. Gradient: 2t.
func Square(t Tensor) Tensor {
	if d := t.must("Square").DType; !d.IsFloat() && !d.IsComplex() {
		return Mul(t, t)
	}
	return numberUnary("Square", stablehlo.OpChloSquare, t)
}

// Neg returns -t; unsigned integers wrap around. DTypes: bools become u8.
func Neg(t Tensor) Tensor { return numberUnary("Neg", stablehlo.OpNegate, t) }

// numberUnary applies one graph op to numbers of any kind; bools become u8.
func numberUnary(op string, code stablehlo.OpCode, t Tensor) Tensor {
	d := t.must(op).DType
	if d == Bool {
		d = U8
	}
	return unary(op, code, t, d, d)
}

// Abs returns the absolute value; of a complex number its magnitude, a real.
// The smallest signed integer stays what it is. DTypes: bools become u8.
// Gradient: sign, 1 at 0.
func Abs(t Tensor) Tensor {
	d := t.must("Abs").DType
	switch {
	case d == Bool:
		return Cast(t, U8)
	case d.IsUnsigned():
		return t.same("Abs")
	}
	return unary("Abs", stablehlo.OpAbs, t, d, d.Real())
}

// Sign returns -1, 0 or 1; NaN for NaN; t/|t| of a complex number. DTypes:
// bools become u8. Gradient: zero.
func Sign(t Tensor) Tensor {
	d := t.must("Sign").DType
	switch {
	case d == Bool:
		return Cast(t, U8)
	case d.IsUnsigned():
		return Minimum(t, 1)
	}
	return numberUnary("Sign", stablehlo.OpSign, t)
}

// rounding applies a rounding op; integers are left as they are.
func rounding(op string, code stablehlo.OpCode, t Tensor) Tensor {
	refuseComplex(op, t)
	d := t.p.spec.DType
	switch {
	case d == Bool:
		return Cast(t, U8)
	case !d.IsFloat():
		return t.same(op)
	}
	return unary(op, code, t, d, d)
}

// Floor rounds down. DTypes: integers stay as they are. Gradient: zero.
func Floor(t Tensor) Tensor { return rounding("Floor", stablehlo.OpFloor, t) }

// Ceil rounds up. As [Floor].
func Ceil(t Tensor) Tensor { return rounding("Ceil", stablehlo.OpCeil, t) }

// Round rounds to the nearest integer, halves away from zero, as C does. As
// [Floor]. NumPy's is [RoundEven].
func Round(t Tensor) Tensor { return rounding("Round", stablehlo.OpRoundNearestAfz, t) }

// RoundEven rounds to the nearest integer, halves to even. As [Floor].
func RoundEven(t Tensor) Tensor { return rounding("RoundEven", stablehlo.OpRoundNearestEven, t) }

// LogicalNot returns whether the element is zero.
func LogicalNot(t Tensor) Tensor { return Equal(t, 0) }

// BitwiseNot inverts the bits of integers and bools.
func BitwiseNot(t Tensor) Tensor {
	d := t.must("BitwiseNot").DType
	if !d.IsInteger() && d != Bool {
		failOn(ErrDType, "BitwiseNot", []Tensor{t}, "cast to an integer type first (nx.Cast)", "is defined for integers, not for %s", d)
	}
	return unary("BitwiseNot", stablehlo.OpNot, t, d, d)
}

// IsFinite returns whether the element is neither NaN nor infinite; of a
// complex number, both parts.
func IsFinite(t Tensor) Tensor {
	d := t.must("IsFinite").DType
	switch {
	case d.IsComplex():
		return LogicalAnd(IsFinite(Real(t)), IsFinite(Imag(t)))
	case !d.IsFloat():
		d = F32
	}
	return unary("IsFinite", stablehlo.OpIsFinite, t, d, Bool)
}

// IsInf returns whether the element is infinite, of either sign; of a complex
// number, either part.
func IsInf(t Tensor) Tensor {
	d := t.must("IsInf").DType
	switch {
	case d.IsComplex():
		return LogicalOr(IsInf(Real(t)), IsInf(Imag(t)))
	case !d.IsFloat() || !d.HasInf():
		return Less(t, t) // false
	}
	return Equal(Abs(t), math.Inf(1))
}

// IsNaN returns whether the element is NaN.
func IsNaN(t Tensor) Tensor {
	t.must("IsNaN")
	return NotEqual(t, t)
}

// Real returns the real part; of a real tensor, the tensor (integers as f32).
func Real(t Tensor) Tensor { return complexPart("Real", stablehlo.OpReal, t) }

// Imag returns the imaginary part, zeros for a real tensor. DTypes as [Real].
func Imag(t Tensor) Tensor { return complexPart("Imag", stablehlo.OpImag, t) }

func complexPart(op string, code stablehlo.OpCode, t Tensor) Tensor {
	s := t.must(op)
	d := floating(s.DType, s.weak)
	return unary(op, code, t, d, d.Real())
}

// Conj returns the complex conjugate; a real tensor as it is.
func Conj(t Tensor) Tensor {
	if !t.must("Conj").DType.IsComplex() {
		return t.same("Conj")
	}
	return Complex(Real(t), Neg(Imag(t)))
}

// Complex returns re + im·i. Shapes as [Add]. DTypes: real; c128 where an
// operand is f64, c64 otherwise.
func Complex[A, B Operand](re A, im B) Tensor {
	a, b := operandOf(re), operandOf(im)
	sig := signature{op: "Complex", ins: [3]*Spec{a.spec(), b.spec()}}
	if out, ok := again(&sig, a, b); ok {
		return out
	}
	present("Complex", a, b)
	weak := sig.ins[0].weak && sig.ins[1].weak
	d := promoted(sig.ins[0], sig.ins[1])
	switch {
	case d.IsComplex():
		failOn(ErrDType, "Complex", operands(a, b), "add numbers that are complex already (nx.Add)", "the parts are complex")
	case d == F64 || weak:
		d = F64
	default:
		d = F32
	}
	return elementwise(sig, d, d.Complex(), weak, a, b, func(e *emitter, x, y *stablehlo.Value) *stablehlo.Value {
		return e.op(stablehlo.OpComplex, []*stablehlo.Value{x, y})
	})
}

// Cast converts to another element type: floats to integers truncate toward
// zero and saturate, NaN becomes 0; integers wrap around; numbers to bool are
// true unless zero; complex to real keeps the real part. Gradient: passes
// between floats, zero from and to integers.
func Cast(t Tensor, d DType) Tensor {
	s := t.must("Cast")
	if !d.IsValid() {
		failOn(ErrDType, "Cast", []Tensor{t}, "use one of the constants, such as nx.F32", "there is no element type %d", d)
	}
	if s.DType == d && !s.weak {
		return t.same("Cast")
	}
	sig := signature{op: "Cast", bits: uint64(d), ins: [3]*Spec{s}}
	if out, ok := again(&sig, operand{t: t.p}); ok {
		return out
	}
	return apply1(call{op: "Cast", sig: sig, ins: []Tensor{t}, outs: []*Spec{s.with(d).strong()},
		emit: func(e *emitter, v []*stablehlo.Value) []*stablehlo.Value {
			x := v[0]
			switch {
			case !x.Tensor().DType().IsComplex() || d.IsComplex():
			case d == Bool:
				return []*stablehlo.Value{e.compare(notEqual, x, e.splat(s.DType, s.Shape, zero))}
			default:
				x = e.op(stablehlo.OpReal, []*stablehlo.Value{x})
			}
			return []*stablehlo.Value{e.convert(x, d)}
		}})
}
