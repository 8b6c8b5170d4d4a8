package nx

import (
	"github.com/go-nx/nx/stablehlo"
)

// unary applies an element-wise op whose result has the operand's shape.
func unary(op string, t Tensor, in, out DType, emit func(e *emitter, v *stablehlo.Value) *stablehlo.Value) Tensor {
	s := t.must(op)
	spec := s
	if out != s.DType {
		spec = intern(Spec{DType: out, Shape: s.Shape, Names: s.Names})
	}
	return apply1(call{op: op, ins: []Tensor{t}, outs: []*Spec{spec},
		emit: func(e *emitter, v []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{emit(e, e.convert(v[0], in))}
		}})
}

// floatUnary applies one graph op to floats and complex numbers; integers become f32.
func floatUnary(op string, code stablehlo.OpCode, t Tensor) Tensor {
	d := floating(t.must(op).DType)
	return unary(op, t, d, d, func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		return e.op(code, []*stablehlo.Value{v})
	})
}

// realUnary is floatUnary of a function without a complex form.
func realUnary(op string, code stablehlo.OpCode, t Tensor) Tensor {
	if t.must(op).DType.IsComplex() {
		failOn(ErrDType, op, []Tensor{t}, "", "is not defined for complex numbers")
	}
	return floatUnary(op, code, t)
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

// Sinh returns the hyperbolic sine. As [Exp].
func Sinh(t Tensor) Tensor { return floatUnary("Sinh", stablehlo.OpChloSinh, t) }

// Cosh returns the hyperbolic cosine. As [Exp].
func Cosh(t Tensor) Tensor { return floatUnary("Cosh", stablehlo.OpChloCosh, t) }

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

// Neg returns -t; unsigned integers wrap around. DTypes: bools become u8.
func Neg(t Tensor) Tensor { return numberUnary("Neg", stablehlo.OpNegate, t) }

// numberUnary applies one graph op to numbers of any kind; bools become u8.
func numberUnary(op string, code stablehlo.OpCode, t Tensor) Tensor {
	d := t.must(op).DType
	if d == Bool {
		d = U8
	}
	return unary(op, t, d, d, func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		return e.op(code, []*stablehlo.Value{v})
	})
}

// Abs returns the absolute value; of a complex number its magnitude, a real.
// The smallest signed integer stays what it is. Gradient: sign, 1 at 0.
func Abs(t Tensor) Tensor {
	d := t.must("Abs").DType
	if d.IsUnsigned() || d == Bool {
		return t
	}
	return unary("Abs", t, d, d.Real(), func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		return e.op(stablehlo.OpAbs, []*stablehlo.Value{v})
	})
}

// Sign returns -1, 0 or 1; NaN for NaN; t/|t| of a complex number.
func Sign(t Tensor) Tensor {
	if d := t.must("Sign").DType; d.IsUnsigned() || d == Bool {
		return Cast(NotEqual(t, 0), d)
	}
	return numberUnary("Sign", stablehlo.OpSign, t)
}

// rounding applies a rounding op; integers are left as they are.
func rounding(op string, code stablehlo.OpCode, t Tensor) Tensor {
	d := t.must(op).DType
	if !d.IsFloat() {
		if d.IsComplex() {
			failOn(ErrDType, op, []Tensor{t}, "", "is not defined for complex numbers")
		}
		return t
	}
	return floatUnary(op, code, t)
}

// Floor rounds down. Gradient: zero.
func Floor(t Tensor) Tensor { return rounding("Floor", stablehlo.OpFloor, t) }

// Ceil rounds up. Gradient: zero.
func Ceil(t Tensor) Tensor { return rounding("Ceil", stablehlo.OpCeil, t) }

// Round rounds to the nearest integer, halves away from zero. Gradient: zero.
func Round(t Tensor) Tensor { return rounding("Round", stablehlo.OpRoundNearestAfz, t) }

// RoundEven rounds to the nearest integer, halves to even. Gradient: zero.
func RoundEven(t Tensor) Tensor { return rounding("RoundEven", stablehlo.OpRoundNearestEven, t) }

// LogicalNot returns whether the element is zero.
func LogicalNot(t Tensor) Tensor { return Equal(t, 0) }

// BitwiseNot inverts the bits of integers.
func BitwiseNot(t Tensor) Tensor {
	if d := t.must("BitwiseNot").DType; !d.IsInteger() {
		failOn(ErrDType, "BitwiseNot", []Tensor{t}, "", "is defined for integers, not for %s", d)
	}
	return numberUnary("BitwiseNot", stablehlo.OpNot, t)
}

// IsFinite returns whether the element is neither NaN nor infinite.
func IsFinite(t Tensor) Tensor {
	d := floating(t.must("IsFinite").DType)
	if d.IsComplex() {
		return LogicalAnd(IsFinite(Real(t)), IsFinite(Imag(t)))
	}
	return unary("IsFinite", t, d, Bool, func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		return e.op(stablehlo.OpIsFinite, []*stablehlo.Value{v})
	})
}

// IsNaN returns whether the element is NaN.
func IsNaN(t Tensor) Tensor { return NotEqual(t, t) }

// Real returns the real part; of a real tensor, the tensor (integers as f32).
func Real(t Tensor) Tensor {
	d := floating(t.must("Real").DType)
	return unary("Real", t, d, d.Real(), func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		return e.op(stablehlo.OpReal, []*stablehlo.Value{v})
	})
}

// Imag returns the imaginary part, zeros for a real tensor.
func Imag(t Tensor) Tensor {
	d := floating(t.must("Imag").DType)
	return unary("Imag", t, d, d.Real(), func(e *emitter, v *stablehlo.Value) *stablehlo.Value {
		return e.op(stablehlo.OpImag, []*stablehlo.Value{v})
	})
}

// Cast converts to another element type: floats to integers truncate toward
// zero and saturate, NaN becomes 0; integers wrap around; numbers to bool are
// true unless zero; complex to real keeps the real part. Gradient: passes
// between floats, zero from and to integers.
func Cast(t Tensor, d DType) Tensor {
	s := t.must("Cast")
	if !d.IsValid() {
		failOn(ErrDType, "Cast", []Tensor{t}, "", "%d is no element type", d)
	}
	if s.DType == d && !t.p.weak {
		return t
	}
	spec := intern(Spec{DType: d, Shape: s.Shape, Names: s.Names})
	out := apply1(call{op: "Cast", key: d.String(), ins: []Tensor{t}, outs: []*Spec{spec},
		emit: func(e *emitter, v []*stablehlo.Value) []*stablehlo.Value {
			x := v[0]
			if x.Tensor().DType().IsComplex() && !d.IsComplex() {
				x = e.op(stablehlo.OpReal, []*stablehlo.Value{x})
			}
			return []*stablehlo.Value{e.convert(x, d)}
		}})
	c := *out.p
	c.weak = false
	return wrap(&c)
}
