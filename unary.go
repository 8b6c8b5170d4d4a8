package nx

import (
	"math"

	"github.com/go-nx/nx/stablehlo"
)

// unaryOp applies one graph op to elements converted to the type that types says, of
// which it makes the type out.
//
//go:noinline
func unaryOp(name string, code stablehlo.OpCode, types func(d *description[none]) DType,
	out func(in DType) DType) *operation[none] {
	return &operation[none]{name: name,
		describe: func(d *description[none]) {
			d.in = types(d)
			s := d.ins[0].with(out(d.in))
			if s.DType == Bool {
				s = s.strong()
			}
			d.returns(s)
		},
		emit: func(d *description[none], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			return []*stablehlo.Value{e.Value(code, []*stablehlo.Value{e.convert(in[0], d.in)})}
		}}
}

// itself is the element type of results that have that of the operand.
func itself(d DType) DType { return d }

// floatOp is an operation on floats and complex numbers; integers become f32.
//
//go:noinline
func floatOp(name string, code stablehlo.OpCode) *operation[none] {
	return unaryOp(name, code, func(d *description[none]) DType { return floating(d.ins[0].DType, d.ins[0].weak) }, itself)
}

// realOp is a floatOp of a function without a complex form.
//
//go:noinline
func realOp(name string, code stablehlo.OpCode) *operation[none] {
	return unaryOp(name, code, func(d *description[none]) DType {
		return realFloat.computeType(name, d.ins[0].DType, d.ins[0].weak, d.operands...)
	}, itself)
}

func refuseComplex(op string, t Tensor) {
	if t.must(op).DType.IsComplex() {
		failOn(ErrDType, op, []Tensor{t}, "take the parts (nx.Real, nx.Imag) or the magnitude (nx.Abs)",
			"is not defined for complex numbers")
	}
}

var (
	expOp       = floatOp("Exp", stablehlo.OpExponential)
	expm1Op     = floatOp("Expm1", stablehlo.OpExponentialMinusOne)
	logOp       = floatOp("Log", stablehlo.OpLog)
	log1pOp     = floatOp("Log1p", stablehlo.OpLogPlusOne)
	sigmoidOp   = floatOp("Sigmoid", stablehlo.OpLogistic)
	sinOp       = floatOp("Sin", stablehlo.OpSine)
	cosOp       = floatOp("Cos", stablehlo.OpCosine)
	tanOp       = floatOp("Tan", stablehlo.OpTan)
	tanhOp      = floatOp("Tanh", stablehlo.OpTanh)
	asinOp      = floatOp("Asin", stablehlo.OpChloAsin)
	acosOp      = floatOp("Acos", stablehlo.OpChloAcos)
	atanOp      = floatOp("Atan", stablehlo.OpChloAtan)
	asinhOp     = floatOp("Asinh", stablehlo.OpChloAsinh)
	acoshOp     = floatOp("Acosh", stablehlo.OpChloAcosh)
	atanhOp     = floatOp("Atanh", stablehlo.OpChloAtanh)
	sqrtOp      = floatOp("Sqrt", stablehlo.OpSqrt)
	rsqrtOp     = floatOp("Rsqrt", stablehlo.OpRsqrt)
	cbrtOp      = floatOp("Cbrt", stablehlo.OpCbrt)
	erfOp       = realOp("Erf", stablehlo.OpChloErf)
	erfcOp      = realOp("Erfc", stablehlo.OpChloErfc)
	erfInvOp    = realOp("ErfInv", stablehlo.OpChloErfInv)
	lgammaOp    = realOp("Lgamma", stablehlo.OpChloLgamma)
	digammaOp   = realOp("Digamma", stablehlo.OpChloDigamma)
	besselI0eOp = realOp("BesselI0e", stablehlo.OpNxBesselI0e)
)

// Exp returns e to the power of each element.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: exp(t). Accuracy: ≤ 1 ulp.
func Exp(t Tensor) Tensor { return expOp.one(none{}, t) }

// Expm1 returns exp(t) - 1 without cancellation near 0.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: exp(t). Accuracy: ≤ 1 ulp, in f64 ≤ 2.
func Expm1(t Tensor) Tensor { return expm1Op.one(none{}, t) }

// Log returns the natural logarithm: -Inf at 0, NaN below.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/t. Accuracy: ≤ 1 ulp.
func Log(t Tensor) Tensor { return logOp.one(none{}, t) }

// Log1p returns log(1 + t) without cancellation near 0.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/(1+t). Accuracy: ≤ 1 ulp, in f64 ≤ 2.
func Log1p(t Tensor) Tensor { return log1pOp.one(none{}, t) }

// Sigmoid returns 1/(1+exp(-t)).
//
// Shapes: that of t. DTypes: integers become f32. Gradient: Sigmoid(t)·(1-Sigmoid(t)). Accuracy: ≤
// 2 ulp.
func Sigmoid(t Tensor) Tensor { return sigmoidOp.one(none{}, t) }

// Sin returns the sine.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: cos(t). Accuracy: ≤ 1 ulp, in f64 ≤ 2.
func Sin(t Tensor) Tensor { return sinOp.one(none{}, t) }

// Cos returns the cosine.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: -sin(t). Accuracy: ≤ 1 ulp, in f64 ≤ 2.
func Cos(t Tensor) Tensor { return cosOp.one(none{}, t) }

// Tan returns the tangent.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1 + tan²(t). Accuracy: ≤ 1 ulp, in f64
// ≤ 2.
func Tan(t Tensor) Tensor { return tanOp.one(none{}, t) }

// Tanh returns the hyperbolic tangent.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1 - tanh²(t). Accuracy: ≤ 2 ulp.
func Tanh(t Tensor) Tensor { return tanhOp.one(none{}, t) }

// Asin returns the arc sine in [-π/2, π/2], NaN outside [-1, 1].
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/√(1-t²). Accuracy: ≤ 1 ulp, in f64 ≤
// 2.
func Asin(t Tensor) Tensor { return asinOp.one(none{}, t) }

// Acos returns the arc cosine in [0, π], NaN outside [-1, 1].
//
// Shapes: that of t. DTypes: integers become f32. Gradient: -1/√(1-t²). Accuracy: ≤ 1 ulp, in f64 ≤
// 2.
func Acos(t Tensor) Tensor { return acosOp.one(none{}, t) }

// Atan returns the arc tangent in [-π/2, π/2].
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/(1+t²). Accuracy: ≤ 1 ulp, in f64 ≤
// 2.
func Atan(t Tensor) Tensor { return atanOp.one(none{}, t) }

// Asinh returns the inverse hyperbolic sine.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/√(t²+1). Accuracy: ≤ 1 ulp, in f64 ≤
// 2.
func Asinh(t Tensor) Tensor { return asinhOp.one(none{}, t) }

// Acosh returns the inverse hyperbolic cosine, NaN below 1.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/√(t²-1). Accuracy: ≤ 1 ulp, in f64 ≤
// 2.
func Acosh(t Tensor) Tensor { return acoshOp.one(none{}, t) }

// Atanh returns the inverse hyperbolic tangent, NaN outside [-1, 1].
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/(1-t²). Accuracy: ≤ 1 ulp, in f64 ≤
// 2.
func Atanh(t Tensor) Tensor { return atanhOp.one(none{}, t) }

// Sqrt returns the square root, NaN below 0.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/(2√t), +Inf at 0. Accuracy: correctly
// rounded.
func Sqrt(t Tensor) Tensor { return sqrtOp.one(none{}, t) }

// Rsqrt returns 1/√t, +Inf at 0.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: -1/(2t√t). Accuracy: ≤ 1 ulp, in f64 ≤
// 2.
func Rsqrt(t Tensor) Tensor { return rsqrtOp.one(none{}, t) }

// Cbrt returns the cube root, of negative numbers too.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/(3∛t²). Accuracy: ≤ 1 ulp, in f64 ≤
// 2.
func Cbrt(t Tensor) Tensor { return cbrtOp.one(none{}, t) }

// Erf returns the error function, 2/√π times the integral of exp(-x²) from 0 to t.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: 2/√π·exp(-t²). Accuracy: ≤ 1 ulp,
// in f64 ≤ 2. Errors: [ErrDType] for complex numbers. Source: NIST DLMF 7.2.
func Erf(t Tensor) Tensor { return erfOp.one(none{}, t) }

// Erfc returns 1 - erf(t) without cancellation.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: -2/√π·exp(-t²). Accuracy: ≤ 1
// ulp, in f64 ≤ 2. Errors: [ErrDType] for complex numbers. Source: NIST DLMF 7.2.
func Erfc(t Tensor) Tensor { return erfcOp.one(none{}, t) }

// ErfInv returns the inverse of the error function: ±Inf at ±1, NaN beyond.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: √π/2·exp(ErfInv(t)²). Accuracy: ≤
// 1 ulp, in f64 ≤ 2. Errors: [ErrDType] for complex numbers. Source: NIST DLMF 7.17.
func ErfInv(t Tensor) Tensor { return erfInvOp.one(none{}, t) }

// Lgamma returns the logarithm of the absolute value of the gamma function, +Inf at 0 and at
// negative integers.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: Digamma(t). Accuracy: ≤ 4 ulp, or
// 1e-7 (f64: 1e-14) near a zero. Errors: [ErrDType] for complex numbers. Source: NIST DLMF 5.2.
func Lgamma(t Tensor) Tensor { return lgammaOp.one(none{}, t) }

// Digamma returns the derivative of [Lgamma]: -Inf at 0, +Inf at -0, NaN at negative integers.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: the trigamma function. Accuracy:
// ≤ 4 ulp, or 1e-7 (f64: 1e-14) near a zero. Errors: [ErrDType] for complex numbers. Source: NIST
// DLMF 5.2.
func Digamma(t Tensor) Tensor { return digammaOp.one(none{}, t) }

// BesselI0e returns e^-|t| I₀(t) with the modified Bessel function I₀ of the first kind, which
// itself overflows early.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: e^-|t| I₁(t) -
// sign(t)·BesselI0e(t). Accuracy: ≤ 4 ulp. Errors: [ErrDType] for complex numbers. Source: NIST
// DLMF 10.25.
func BesselI0e(t Tensor) Tensor { return besselI0eOp.one(none{}, t) }

// hyperbolicOp computes floats narrower than f64 in f64, since the dialect's formula is
// off by up to 25 ulp.
//
//go:noinline
func hyperbolicOp(name string, code stablehlo.OpCode) *operation[none] {
	return &operation[none]{name: name,
		describe: func(d *description[none]) {
			result := floating(d.ins[0].DType, d.ins[0].weak)
			if d.in = result; result.IsFloat() {
				d.in = F64
			}
			d.returns(d.ins[0].with(result))
		},
		emit: func(d *description[none], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
			v := e.Value(code, []*stablehlo.Value{e.convert(in[0], d.in)})
			return []*stablehlo.Value{e.convert(v, d.outs[0].DType)}
		}}
}

var (
	sinhOp = hyperbolicOp("Sinh", stablehlo.OpChloSinh)
	coshOp = hyperbolicOp("Cosh", stablehlo.OpChloCosh)
)

// Sinh returns the hyperbolic sine.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: cosh(t). Accuracy: ≤ 1 ulp, in f64 ≤ 2.
func Sinh(t Tensor) Tensor { return sinhOp.one(none{}, t) }

// Cosh returns the hyperbolic cosine.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: sinh(t). Accuracy: ≤ 1 ulp, in f64 ≤ 2.
func Cosh(t Tensor) Tensor { return coshOp.one(none{}, t) }

// countable is the element type of an operation on numbers of any kind; bools become u8.
func countable(d *description[none]) DType {
	if d.ins[0].DType == Bool {
		return U8
	}
	return d.ins[0].DType
}

var (
	negOp    = unaryOp("Neg", stablehlo.OpNegate, countable, itself)
	squareOp = unaryOp("Square", stablehlo.OpChloSquare, countable, itself)
	absOp    = unaryOp("Abs", stablehlo.OpAbs, countable, DType.Real)
	signOp   = unaryOp("Sign", stablehlo.OpSign, countable, itself)
)

// Square returns t².
//
// Shapes: that of t. DTypes: numbers of any kind, integers wrap around; bools become u8.
// Gradient: 2t. Accuracy: correctly rounded; complex numbers as [Mul].
func Square(t Tensor) Tensor {
	if d := t.must("Square").DType; !d.IsFloat() && !d.IsComplex() {
		return Mul(t, t)
	}
	return squareOp.one(none{}, t)
}

// Neg returns -t.
//
// Shapes: that of t. DTypes: unsigned integers wrap around; bools become u8. Gradient:
// -1. Accuracy: exact.
func Neg(t Tensor) Tensor { return negOp.one(none{}, t) }

// Abs returns the absolute value; of a complex number its magnitude, a real. The smallest
// signed integer stays what it is.
//
// Shapes: that of t. DTypes: that of t, real for complex numbers; bools become u8.
// Gradient: 1 from 0 on, -1 below; of a complex number t/|t|, 0 at 0. Accuracy: exact,
// ≤ 2 ulp for complex numbers.
func Abs(t Tensor) Tensor {
	d := t.must("Abs").DType
	switch {
	case d == Bool:
		return cast(t, U8)
	case d.IsUnsigned():
		return t.itself("Abs")
	}
	return absOp.one(none{}, t)
}

// Sign returns -1, 0 or 1; NaN for NaN; t/|t| of a complex number.
//
// Shapes: that of t. DTypes: that of t; bools become u8. Gradient: zero. Accuracy: exact,
// ≤ 2 ulp for c64, ≤ 3 for c128.
func Sign(t Tensor) Tensor {
	d := t.must("Sign").DType
	switch {
	case d == Bool:
		return cast(t, U8)
	case d.IsUnsigned():
		return Minimum(t, 1)
	}
	return signOp.one(none{}, t)
}

// roundingOp is a rounding of floats.
func roundingOp(name string, code stablehlo.OpCode) *operation[none] {
	return unaryOp(name, code, func(d *description[none]) DType { return d.ins[0].DType }, itself)
}

var (
	floorOp     = roundingOp("Floor", stablehlo.OpFloor)
	ceilOp      = roundingOp("Ceil", stablehlo.OpCeil)
	roundOp     = roundingOp("Round", stablehlo.OpRoundNearestAfz)
	roundEvenOp = roundingOp("RoundEven", stablehlo.OpRoundNearestEven)
)

// rounded applies a rounding; integers are left as they are.
func rounded(o *operation[none], t Tensor) Tensor {
	refuseComplex(o.name, t)
	d := t.p.spec.DType
	switch {
	case d == Bool:
		return cast(t, U8)
	case !d.IsFloat():
		return t.itself(o.name)
	}
	return o.one(none{}, t)
}

// Floor rounds down.
//
// Shapes: that of t. DTypes: real; integers stay as they are, bools become u8. Gradient:
// zero. Accuracy: exact. Errors: [ErrDType] for complex numbers.
func Floor(t Tensor) Tensor { return rounded(floorOp, t) }

// Ceil rounds up.
//
// Shapes: that of t. DTypes: real; integers stay as they are, bools become u8. Gradient:
// zero. Accuracy: exact. Errors: [ErrDType] for complex numbers.
func Ceil(t Tensor) Tensor { return rounded(ceilOp, t) }

// Round rounds to the nearest integer, halves away from zero, as C does. NumPy's is
// [RoundEven].
//
// Shapes: that of t. DTypes: real; integers stay as they are, bools become u8. Gradient:
// zero. Accuracy: exact. Errors: [ErrDType] for complex numbers.
func Round(t Tensor) Tensor { return rounded(roundOp, t) }

// RoundEven rounds to the nearest integer, halves to even.
//
// Shapes: that of t. DTypes: real; integers stay as they are, bools become u8. Gradient:
// zero. Accuracy: exact. Errors: [ErrDType] for complex numbers.
func RoundEven(t Tensor) Tensor { return rounded(roundEvenOp, t) }

// LogicalNot returns whether the element is zero, as bools.
//
// Shapes: that of t. DTypes: any; NaN is not zero. Gradient: zero. Accuracy: exact.
func LogicalNot(t Tensor) Tensor {
	t.must("LogicalNot")
	return Equal(t, 0)
}

var (
	bitwiseNotOp = integerOp("BitwiseNot", stablehlo.OpNot, bitwise)
	popcountOp   = integerOp("PopulationCount", stablehlo.OpPopcnt, integerOnly)
	clzOp        = integerOp("CountLeadingZeros", stablehlo.OpCountLeadingZeros, integerOnly)
)

// integerOp is an operation on integers, and bools where kinds says so.
func integerOp(name string, code stablehlo.OpCode, kinds kindSet) *operation[none] {
	return unaryOp(name, code, func(d *description[none]) DType {
		return kinds.computeType(name, d.ins[0].DType, d.ins[0].weak, d.operands...)
	}, itself)
}

// BitwiseNot inverts the bits.
//
// Shapes: that of t. DTypes: integers and bools. Gradient: none. Accuracy: exact. Errors:
// [ErrDType] for other types.
func BitwiseNot(t Tensor) Tensor { return bitwiseNotOp.one(none{}, t) }

// PopulationCount returns how many bits are set.
//
// Shapes: that of t. DTypes: integers; bools become u8. Gradient: none. Accuracy: exact. Errors:
// [ErrDType] for other types.
func PopulationCount(t Tensor) Tensor { return popcountOp.one(none{}, t) }

// CountLeadingZeros returns how many bits before the first that is set are not: the
// width for 0.
//
// Shapes: that of t. DTypes: integers; bools become u8. Gradient: none. Accuracy: exact. Errors:
// [ErrDType] for other types.
func CountLeadingZeros(t Tensor) Tensor { return clzOp.one(none{}, t) }

var isFiniteOp = unaryOp("IsFinite", stablehlo.OpIsFinite, func(d *description[none]) DType {
	if t := d.ins[0].DType; t.IsFloat() {
		return t
	}
	return F32
}, func(DType) DType { return Bool })

// IsFinite returns whether the element is neither NaN nor infinite; of a complex number,
// both parts.
//
// Shapes: that of t. DTypes: any; bools result. Gradient: zero. Accuracy: exact.
func IsFinite(t Tensor) Tensor {
	if t.must("IsFinite").DType.IsComplex() {
		return LogicalAnd(IsFinite(Real(t)), IsFinite(Imag(t)))
	}
	return isFiniteOp.one(none{}, t)
}

// IsInf returns whether the element is infinite, of either sign; of a complex number,
// either part.
//
// Shapes: that of t. DTypes: any; bools result. Gradient: zero. Accuracy: exact.
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

// IsNaN returns whether the element is NaN; of a complex number, either part.
//
// Shapes: that of t. DTypes: any; bools result. Gradient: zero. Accuracy: exact.
func IsNaN(t Tensor) Tensor {
	t.must("IsNaN")
	return NotEqual(t, t)
}

var (
	realPartOp = partOp("Real", stablehlo.OpReal)
	imagPartOp = partOp("Imag", stablehlo.OpImag)
)

func partOp(name string, code stablehlo.OpCode) *operation[none] {
	return unaryOp(name, code, func(d *description[none]) DType { return floating(d.ins[0].DType, d.ins[0].weak) },
		DType.Real)
}

// Real returns the real part; of a real tensor, the tensor (integers as f32).
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: to the real part.
// Accuracy: exact.
func Real(t Tensor) Tensor { return realPartOp.one(none{}, t) }

// Imag returns the imaginary part, zeros for a real tensor.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: to the imaginary part.
// Accuracy: exact.
func Imag(t Tensor) Tensor { return imagPartOp.one(none{}, t) }

// Conj returns the complex conjugate; a real tensor as it is.
//
// Shapes: that of t. DTypes: that of t. Gradient: conjugated. Accuracy: exact.
func Conj(t Tensor) Tensor {
	if !t.must("Conj").DType.IsComplex() {
		return t.itself("Conj")
	}
	return Complex(Real(t), Neg(Imag(t)))
}

// Phase returns the angle of complex numbers in (-π, π]: of a real one 0 or π.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: that of
// Atan2(Imag(t), Real(t)). Accuracy: ≤ 2 ulp.
func Phase(t Tensor) Tensor {
	t.must("Phase")
	return Atan2(Imag(t), Real(t))
}

var complexOp = elementwise("Complex", func(d *description[none]) DType {
	d.in = promoted(d.ins[0], d.ins[1])
	switch {
	case d.in.IsComplex():
		d.fail(ErrDType, "add numbers that are complex already (nx.Add)", "the parts are complex")
	case d.in == F64 || d.weak():
		d.in = F64
	default:
		d.in = F32
	}
	return d.in.Complex()
}, func(e *emitter, x, y *stablehlo.Value) *stablehlo.Value {
	return e.Value(stablehlo.OpComplex, []*stablehlo.Value{x, y})
})

// Complex returns re + im·i.
//
// Shapes: NumPy broadcasting; names merge. DTypes: real; c128 where an operand is f64,
// c64 otherwise. Gradient: the real part, the imaginary part. Accuracy: exact. Errors:
// [ErrDType] for complex parts.
func Complex[A, B Operand](re A, im B) Tensor {
	return complexOp.on(none{}, operandOf(re), operandOf(im))
}

// castAttrs say to which type, and whether the result still gives way.
type castAttrs struct {
	to   DType
	weak bool
}

var castOp = &operation[castAttrs]{name: "Cast",
	describe: func(d *description[castAttrs]) {
		s := d.ins[0].with(d.attrs.to)
		if !d.attrs.weak {
			s = s.strong()
		}
		d.returns(s)
	},
	emit: func(d *description[castAttrs], e *emitter, in []*stablehlo.Value) []*stablehlo.Value {
		x, to := in[0], d.attrs.to
		switch {
		case !x.Tensor().DType().IsComplex() || to.IsComplex():
		case to == Bool:
			return []*stablehlo.Value{e.compare(notEqual, x, e.splat(x.Tensor().DType(), d.ins[0].Shape, zero))}
		default:
			x = e.Value(stablehlo.OpReal, []*stablehlo.Value{x})
		}
		return []*stablehlo.Value{e.convert(x, to)}
	}}

// Cast converts to another element type: floats to integers truncate toward zero and
// saturate, NaN becomes 0; integers wrap around; numbers to bool are true unless zero;
// complex to real keeps the real part.
//
// Shapes: that of t. DTypes: any to any. Gradient: passes between floats, zero from and to
// integers. Accuracy: rounded once, to nearest even.
func Cast(t Tensor, d DType) Tensor {
	t.must("Cast")
	requireType("Cast", d, t)
	return cast(t, d).apart("Cast", t)
}

// cast is [Cast] for an operand of what follows, which t itself may be.
func cast(t Tensor, d DType) Tensor {
	if s := t.p.spec; s.DType == d && !s.weak {
		return t.same("Cast")
	}
	return castOp.one(castAttrs{to: d}, t)
}

// requireType refuses what is no element type.
func requireType(op string, d DType, ins ...Tensor) {
	if !d.IsValid() {
		failOn(ErrDType, op, ins, "use one of the constants, such as nx.F32", "there is no element type %d", d)
	}
}

// converted is [Cast] for a composition: the result gives way if t does.
func converted(t Tensor, d DType) Tensor {
	if t.p.spec.DType == d {
		return t.same("Cast")
	}
	return castOp.one(castAttrs{to: d, weak: true}, t)
}
