package core

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

// sameDType is the element type of results that have that of the operand.
func sameDType(d DType) DType { return d }

// floatOp is an operation on floats and complex numbers; integers become f32.
//
//go:noinline
func floatOp(name string, code stablehlo.OpCode) *operation[none] {
	return unaryOp(name, code, func(d *description[none]) DType { return floating(d.ins[0].DType, d.ins[0].weak) },
		sameDType)
}

// realOp is a floatOp of a function without a complex form.
//
//go:noinline
func realOp(name string, code stablehlo.OpCode) *operation[none] {
	return unaryOp(name, code, func(d *description[none]) DType {
		return realFloat.computeType(name, d.ins[0].DType, d.ins[0].weak, d.operands...)
	}, sameDType)
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

// Exp implements nx.Exp.
func Exp(t Tensor) Tensor { return expOp.call1(none{}, t) }

// Expm1 implements nx.Expm1.
func Expm1(t Tensor) Tensor { return expm1Op.call1(none{}, t) }

// Log implements nx.Log.
func Log(t Tensor) Tensor { return logOp.call1(none{}, t) }

// Log1p implements nx.Log1p.
func Log1p(t Tensor) Tensor { return log1pOp.call1(none{}, t) }

// Sigmoid implements nx.Sigmoid.
func Sigmoid(t Tensor) Tensor { return sigmoidOp.call1(none{}, t) }

// Sin implements nx.Sin.
func Sin(t Tensor) Tensor { return sinOp.call1(none{}, t) }

// Cos implements nx.Cos.
func Cos(t Tensor) Tensor { return cosOp.call1(none{}, t) }

// Tan implements nx.Tan.
func Tan(t Tensor) Tensor { return tanOp.call1(none{}, t) }

// Tanh implements nx.Tanh.
func Tanh(t Tensor) Tensor { return tanhOp.call1(none{}, t) }

// Asin implements nx.Asin.
func Asin(t Tensor) Tensor { return asinOp.call1(none{}, t) }

// Acos implements nx.Acos.
func Acos(t Tensor) Tensor { return acosOp.call1(none{}, t) }

// Atan implements nx.Atan.
func Atan(t Tensor) Tensor { return atanOp.call1(none{}, t) }

// Asinh implements nx.Asinh.
func Asinh(t Tensor) Tensor { return asinhOp.call1(none{}, t) }

// Acosh implements nx.Acosh.
func Acosh(t Tensor) Tensor { return acoshOp.call1(none{}, t) }

// Atanh implements nx.Atanh.
func Atanh(t Tensor) Tensor { return atanhOp.call1(none{}, t) }

// Sqrt implements nx.Sqrt.
func Sqrt(t Tensor) Tensor { return sqrtOp.call1(none{}, t) }

// Rsqrt implements nx.Rsqrt.
func Rsqrt(t Tensor) Tensor { return rsqrtOp.call1(none{}, t) }

// Cbrt implements nx.Cbrt.
func Cbrt(t Tensor) Tensor { return cbrtOp.call1(none{}, t) }

// Erf implements nx.Erf.
func Erf(t Tensor) Tensor { return erfOp.call1(none{}, t) }

// Erfc implements nx.Erfc.
func Erfc(t Tensor) Tensor { return erfcOp.call1(none{}, t) }

// ErfInv implements nx.ErfInv.
func ErfInv(t Tensor) Tensor { return erfInvOp.call1(none{}, t) }

// Lgamma implements nx.Lgamma.
func Lgamma(t Tensor) Tensor { return lgammaOp.call1(none{}, t) }

// Digamma implements nx.Digamma.
func Digamma(t Tensor) Tensor { return digammaOp.call1(none{}, t) }

// BesselI0e implements nx.BesselI0e.
func BesselI0e(t Tensor) Tensor { return besselI0eOp.call1(none{}, t) }

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

// Sinh implements nx.Sinh.
func Sinh(t Tensor) Tensor { return sinhOp.call1(none{}, t) }

// Cosh implements nx.Cosh.
func Cosh(t Tensor) Tensor { return coshOp.call1(none{}, t) }

// countable is the element type of an operation on numbers of any kind; bools become u8.
func countable(d *description[none]) DType {
	if d.ins[0].DType == Bool {
		return U8
	}
	return d.ins[0].DType
}

var (
	negOp    = unaryOp("Neg", stablehlo.OpNegate, countable, sameDType)
	squareOp = unaryOp("Square", stablehlo.OpChloSquare, countable, sameDType)
	absOp    = unaryOp("Abs", stablehlo.OpAbs, countable, DType.Real)
	signOp   = unaryOp("Sign", stablehlo.OpSign, countable, sameDType)
)

// Square implements nx.Square.
func Square(t Tensor) Tensor {
	if d := t.must("Square").DType; !d.IsFloat() && !d.IsComplex() {
		return Mul(t, t)
	}
	return squareOp.call1(none{}, t)
}

// Neg implements nx.Neg.
func Neg(t Tensor) Tensor { return negOp.call1(none{}, t) }

// Abs implements nx.Abs.
func Abs(t Tensor) Tensor {
	d := t.must("Abs").DType
	switch {
	case d == Bool:
		return cast(t, U8)
	case d.IsUnsigned():
		return t.asResult("Abs")
	}
	return absOp.call1(none{}, t)
}

// Sign implements nx.Sign.
func Sign(t Tensor) Tensor {
	d := t.must("Sign").DType
	switch {
	case d == Bool:
		return cast(t, U8)
	case d.IsUnsigned():
		return Minimum(t, 1)
	}
	return signOp.call1(none{}, t)
}

// roundingOp is a rounding of floats.
func roundingOp(name string, code stablehlo.OpCode) *operation[none] {
	return unaryOp(name, code, func(d *description[none]) DType { return d.ins[0].DType }, sameDType)
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
		return t.asResult(o.name)
	}
	return o.call1(none{}, t)
}

// Floor implements nx.Floor.
func Floor(t Tensor) Tensor { return rounded(floorOp, t) }

// Ceil implements nx.Ceil.
func Ceil(t Tensor) Tensor { return rounded(ceilOp, t) }

// Round implements nx.Round.
func Round(t Tensor) Tensor { return rounded(roundOp, t) }

// RoundEven implements nx.RoundEven.
func RoundEven(t Tensor) Tensor { return rounded(roundEvenOp, t) }

// LogicalNot implements nx.LogicalNot.
func LogicalNot(t Tensor) Tensor {
	t.must("LogicalNot")
	return Equal(t, 0)
}

var (
	bitwiseNotOp = integerOp("BitwiseNot", stablehlo.OpNot, bitwise)
	popcountOp   = integerOp("OnesCount", stablehlo.OpPopcnt, integerOnly)
	clzOp        = integerOp("LeadingZeros", stablehlo.OpCountLeadingZeros, integerOnly)
)

// integerOp is an operation on integers, and bools where kinds says so.
func integerOp(name string, code stablehlo.OpCode, kinds kindSet) *operation[none] {
	return unaryOp(name, code, func(d *description[none]) DType {
		return kinds.computeType(name, d.ins[0].DType, d.ins[0].weak, d.operands...)
	}, sameDType)
}

// BitwiseNot implements nx.BitwiseNot.
func BitwiseNot(t Tensor) Tensor { return bitwiseNotOp.call1(none{}, t) }

// OnesCount implements nx.OnesCount.
func OnesCount(t Tensor) Tensor { return popcountOp.call1(none{}, t) }

// LeadingZeros implements nx.LeadingZeros.
func LeadingZeros(t Tensor) Tensor { return clzOp.call1(none{}, t) }

var isFiniteOp = unaryOp("IsFinite", stablehlo.OpIsFinite, func(d *description[none]) DType {
	if t := d.ins[0].DType; t.IsFloat() {
		return t
	}
	return F32
}, func(DType) DType { return Bool })

// IsFinite implements nx.IsFinite.
func IsFinite(t Tensor) Tensor {
	if t.must("IsFinite").DType.IsComplex() {
		return LogicalAnd(IsFinite(Real(t)), IsFinite(Imag(t)))
	}
	return isFiniteOp.call1(none{}, t)
}

// IsInf implements nx.IsInf.
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

// IsNaN implements nx.IsNaN.
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

// Real implements nx.Real.
func Real(t Tensor) Tensor { return realPartOp.call1(none{}, t) }

// Imag implements nx.Imag.
func Imag(t Tensor) Tensor { return imagPartOp.call1(none{}, t) }

// Conj implements nx.Conj.
func Conj(t Tensor) Tensor {
	if !t.must("Conj").DType.IsComplex() {
		return t.asResult("Conj")
	}
	return Complex(Real(t), Neg(Imag(t)))
}

// Phase implements nx.Phase.
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

// Complex implements nx.Complex.
func Complex[A, B Operand](re A, im B) Tensor {
	return complexOp.call(none{}, operandOf(re), operandOf(im))
}
