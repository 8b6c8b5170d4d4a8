package stablehlo

import "github.com/go-nx/nx/dtype"

const (
	s32 = dtype.S32
	s64 = dtype.S64
	u32 = dtype.U32
	u64 = dtype.U64
	f64 = dtype.F64
)

// accuracyAttrs is the attribute of functions that are approximated.
var accuracyAttrs = []AttrSpec{{
	Name: "result_accuracy", Kind: AttrStruct, Enum: "result_accuracy", Optional: true,
	Default: &ResultAccuracy{Mode: EnumAttr{"stablehlo", "result_accuracy_mode", "DEFAULT"}},
	Since:   Version{1, 10, 0},
}}

// The operands and results of unary ops, by the elements they allow.
var (
	floatOut        = []ValueSpec{{"result", TFloat, One}}
	floatComplexIn  = []ValueSpec{{"operand", TFloatComplex, One}}
	floatQuantIn    = []ValueSpec{{"operand", TFloatQuant, One}}
	floatQuantOut   = []ValueSpec{{"result", TFloatQuant, One}}
	transcendental  = []ValueSpec{{"operand", TFloatComplexQuant, One}}
	transcendentalR = []ValueSpec{{"result", TFloatComplexQuant, One}}
	intIn           = []ValueSpec{{"operand", TInt, One}}
	intOut          = []ValueSpec{{"result", TInt, One}}
)

// unaryOps compute result[i] from operand[i].
var unaryOps = opRows{
	{OpAbs, OpInfo{
		Name: "stablehlo.abs", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TSignedNumber, One}},
		Results:  []ValueSpec{{"result", TSigned | TFloat | TQuant, One}},
		Traits:   Elementwise,
		Doc:      "result[i] = |operand[i]|; of a complex number the real magnitude √(re² + im²).",
	}},
	{OpCbrt, OpInfo{
		Name: "stablehlo.cbrt", Since: Version{0, 9, 0},
		Operands: transcendental, Results: transcendentalR, Attrs: accuracyAttrs,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = ∛operand[i].",
	}},
	{OpCeil, OpInfo{
		Name: "stablehlo.ceil", Since: Version{0, 9, 0},
		Operands: floatQuantIn, Results: floatQuantOut,
		Traits: Elementwise | SameTypes,
		Doc:    "result[i] = ⌈operand[i]⌉, the smallest integer not below it.",
	}},
	{OpConvert, OpInfo{
		Name: "stablehlo.convert", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TPlain, One}},
		Results:  []ValueSpec{{"result", TPlain, One}},
		Traits:   Elementwise | ShapedByResult,
		Doc: "result[i] = operand[i] in the element type of the result; a value it cannot hold is " +
			"implementation-defined.",
	}},
	{OpCosine, OpInfo{
		Name: "stablehlo.cosine", Since: Version{0, 9, 0},
		Operands: transcendental, Results: transcendentalR, Attrs: accuracyAttrs,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = cos(operand[i]).",
	}},
	{OpCountLeadingZeros, OpInfo{
		Name: "stablehlo.count_leading_zeros", Since: Version{0, 9, 0},
		Operands: intIn, Results: intOut,
		Traits: Elementwise | SameTypes,
		Doc:    "result[i] = the number of zero bits above the highest set bit of operand[i].",
	}},
	{OpExponential, OpInfo{
		Name: "stablehlo.exponential", Since: Version{0, 9, 0},
		Operands: transcendental, Results: transcendentalR,
		Attrs: []AttrSpec{{
			Name: "result_accuracy", Kind: AttrStruct, Enum: "result_accuracy", Optional: true,
			Default: &ResultAccuracy{Mode: EnumAttr{"stablehlo", "result_accuracy_mode", "DEFAULT"}},
			Since:   Version{1, 9, 0},
		}},
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = e^operand[i].",
	}},
	{OpExponentialMinusOne, OpInfo{
		Name: "stablehlo.exponential_minus_one", Since: Version{0, 9, 0},
		Operands: transcendental, Results: transcendentalR, Attrs: accuracyAttrs,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = e^operand[i] - 1, precise near 0.",
	}},
	{OpFloor, OpInfo{
		Name: "stablehlo.floor", Since: Version{0, 9, 0},
		Operands: floatQuantIn, Results: floatQuantOut,
		Traits: Elementwise | SameTypes,
		Doc:    "result[i] = ⌊operand[i]⌋, the greatest integer not above it.",
	}},
	{OpImag, OpInfo{
		Name: "stablehlo.imag", Since: Version{0, 9, 0},
		Operands: floatComplexIn, Results: floatOut,
		Traits: Elementwise,
		Doc:    "result[i] = Im operand[i]; 0 for a real operand.",
	}},
	{OpIsFinite, OpInfo{
		Name: "stablehlo.is_finite", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"x", TFloatQuant, One}},
		Results:  []ValueSpec{{"y", TBool, One}},
		Traits:   Elementwise,
		Doc:      "y[i] = x[i] is neither infinite nor NaN.",
	}},
	{OpLog, OpInfo{
		Name: "stablehlo.log", Since: Version{0, 9, 0},
		Operands: transcendental, Results: transcendentalR, Attrs: accuracyAttrs,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = ln operand[i].",
	}},
	{OpLogPlusOne, OpInfo{
		Name: "stablehlo.log_plus_one", Since: Version{0, 9, 0},
		Operands: transcendental, Results: transcendentalR, Attrs: accuracyAttrs,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = ln(1 + operand[i]), precise near 0.",
	}},
	{OpLogistic, OpInfo{
		Name: "stablehlo.logistic", Since: Version{0, 9, 0},
		Operands: transcendental, Results: transcendentalR, Attrs: accuracyAttrs,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = 1 / (1 + e^-operand[i]).",
	}},
	{OpNegate, OpInfo{
		Name: "stablehlo.negate", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TNumber, One}},
		Results:  []ValueSpec{{"result", TNumber, One}},
		Traits:   Elementwise | SameTypes,
		Doc:      "result[i] = -operand[i], modulo 2ⁿ for integers of n bits.",
	}},
	{OpNot, OpInfo{
		Name: "stablehlo.not", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TBoolInt, One}},
		Results:  []ValueSpec{{"result", TBoolInt, One}},
		Traits:   Elementwise | SameTypes,
		Doc:      "result[i] = ¬operand[i], of every bit for integers.",
	}},
	{OpPopcnt, OpInfo{
		Name: "stablehlo.popcnt", Since: Version{0, 9, 0},
		Operands: intIn, Results: intOut,
		Traits: Elementwise | SameTypes,
		Doc:    "result[i] = the number of set bits of operand[i].",
	}},
	{OpReal, OpInfo{
		Name: "stablehlo.real", Since: Version{0, 9, 0},
		Operands: floatComplexIn, Results: floatOut,
		Traits: Elementwise,
		Doc:    "result[i] = Re operand[i]; operand[i] itself when it is real.",
	}},
	{OpReducePrecision, OpInfo{
		Name: "stablehlo.reduce_precision", Since: Version{0, 9, 0},
		Operands: floatQuantIn,
		Results:  []ValueSpec{{"output", TFloatQuant, One}},
		Attrs:    []AttrSpec{{Name: "exponent_bits", Kind: AttrI32}, {Name: "mantissa_bits", Kind: AttrI32}},
		Traits:   Elementwise | SameTypes,
		Doc:      "output[i] = operand[i] rounded to a float format of exponent_bits and mantissa_bits and back.",
	}},
	{OpRoundNearestAfz, OpInfo{
		Name: "stablehlo.round_nearest_afz", Since: Version{0, 9, 0},
		Operands: floatQuantIn, Results: floatQuantOut,
		Traits: Elementwise | SameTypes,
		Doc:    "result[i] = the integer nearest to operand[i], the one away from zero on a tie.",
	}},
	{OpRoundNearestEven, OpInfo{
		Name: "stablehlo.round_nearest_even", Since: Version{0, 9, 0},
		Operands: floatQuantIn, Results: floatQuantOut,
		Traits: Elementwise | SameTypes,
		Doc:    "result[i] = the integer nearest to operand[i], the even one on a tie.",
	}},
	{OpRsqrt, OpInfo{
		Name: "stablehlo.rsqrt", Since: Version{0, 9, 0},
		Operands: transcendental, Results: transcendentalR, Attrs: accuracyAttrs,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = 1 / √operand[i].",
	}},
	{OpSign, OpInfo{
		Name: "stablehlo.sign", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TSignedNumber, One}},
		Results:  []ValueSpec{{"result", TSignedNumber, One}},
		Traits:   Elementwise | SameTypes,
		Doc:      "result[i] = -1, 0 or 1 by the sign of operand[i]; z / |z| for a complex z, NaN stays NaN.",
	}},
	{OpSine, OpInfo{
		Name: "stablehlo.sine", Since: Version{0, 9, 0},
		Operands: transcendental, Results: transcendentalR, Attrs: accuracyAttrs,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = sin(operand[i]).",
	}},
	{OpSqrt, OpInfo{
		Name: "stablehlo.sqrt", Since: Version{0, 9, 0},
		Operands: transcendental, Results: transcendentalR, Attrs: accuracyAttrs,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = √operand[i].",
	}},
	{OpTan, OpInfo{
		Name: "stablehlo.tan", Since: Version{1, 4, 0},
		Operands: transcendental, Results: transcendentalR, Attrs: accuracyAttrs,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = tan(operand[i]).",
	}},
	{OpTanh, OpInfo{
		Name: "stablehlo.tanh", Since: Version{0, 9, 0},
		Operands: transcendental, Results: transcendentalR, Attrs: accuracyAttrs,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = tanh(operand[i]).",
	}},
	{OpUniformDequantize, OpInfo{
		Name: "stablehlo.uniform_dequantize", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TQuant | TQuantPerAxis, One}},
		Results:  floatOut,
		Traits:   Elementwise,
		Doc:      "result[i] = (operand[i] - zero_point) * scale.",
	}},
	{OpUniformQuantize, OpInfo{
		Name: "stablehlo.uniform_quantize", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TFloatQuant | TQuantPerAxis, One}},
		Results:  []ValueSpec{{"result", TQuant | TQuantPerAxis, One}},
		Traits:   Elementwise | ShapedByResult,
		Doc:      "result[i] = clamp(min, round(operand[i] / scale) + zero_point, max) with the parameters of the result.",
	}},
}

// The operands and results of binary ops, by the elements they allow.
var (
	tensorPair  = []ValueSpec{{"lhs", TTensor, One}, {"rhs", TTensor, One}}
	tensorOut   = []ValueSpec{{"result", TTensor, One}}
	numberPair  = []ValueSpec{{"lhs", TNumber, One}, {"rhs", TNumber, One}}
	numberOut   = []ValueSpec{{"result", TNumber, One}}
	boolIntPair = []ValueSpec{{"lhs", TBoolInt, One}, {"rhs", TBoolInt, One}}
	boolIntOut  = []ValueSpec{{"result", TBoolInt, One}}
	intPair     = []ValueSpec{{"lhs", TInt, One}, {"rhs", TInt, One}}
)

// binaryOps compute result[i] from lhs[i] and rhs[i].
var binaryOps = opRows{
	{OpAdd, OpInfo{
		Name: "stablehlo.add", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"lhs", TTensorAll, One}, {"rhs", TTensorAll, One}},
		Results:  []ValueSpec{{"result", TTensorAll, One}},
		Traits:   Elementwise | Commutative,
		Doc:      "result[i] = lhs[i] + rhs[i]; or of bools, modulo 2ⁿ for integers of n bits.",
	}},
	{OpAnd, OpInfo{
		Name: "stablehlo.and", Since: Version{0, 9, 0},
		Operands: boolIntPair, Results: boolIntOut,
		Traits: Elementwise | Commutative | SameTypes,
		Doc:    "result[i] = lhs[i] ∧ rhs[i], bit by bit for integers.",
	}},
	{OpAtan2, OpInfo{
		Name: "stablehlo.atan2", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"lhs", TFloatComplexQuant, One}, {"rhs", TFloatComplexQuant, One}},
		Results:  transcendentalR,
		Traits:   Elementwise | SameTypes | Transcendental,
		Doc:      "result[i] = atan(lhs[i] / rhs[i]) in the quadrant of the point (rhs[i], lhs[i]).",
	}},
	{OpComplex, OpInfo{
		Name: "stablehlo.complex", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"lhs", TFloat | TF32F64, One}, {"rhs", TFloat | TF32F64, One}},
		Results:  []ValueSpec{{"result", TComplex, One}},
		Traits:   Elementwise,
		Doc:      "result[i] = lhs[i] + rhs[i]·√-1.",
	}},
	{OpDivide, OpInfo{
		Name: "stablehlo.divide", Since: Version{0, 9, 0},
		Operands: numberPair, Results: numberOut,
		Traits: Elementwise | SameTypes,
		Doc:    "result[i] = lhs[i] / rhs[i], rounded towards zero for integers.",
	}},
	{OpMaximum, OpInfo{
		Name: "stablehlo.maximum", Since: Version{0, 9, 0},
		Operands: tensorPair, Results: tensorOut,
		Traits: Elementwise | Commutative | SameTypes,
		Doc:    "result[i] = max(lhs[i], rhs[i]); or of bools, lexicographic for complex numbers, NaN if either is.",
	}},
	{OpMinimum, OpInfo{
		Name: "stablehlo.minimum", Since: Version{0, 9, 0},
		Operands: tensorPair, Results: tensorOut,
		Traits: Elementwise | Commutative | SameTypes,
		Doc:    "result[i] = min(lhs[i], rhs[i]); and of bools, lexicographic for complex numbers, NaN if either is.",
	}},
	{OpMultiply, OpInfo{
		Name: "stablehlo.multiply", Since: Version{0, 9, 0},
		Operands: tensorPair, Results: tensorOut,
		Traits: Elementwise | Commutative | SameTypes,
		Doc:    "result[i] = lhs[i] * rhs[i]; and of bools, modulo 2ⁿ for integers of n bits.",
	}},
	{OpOr, OpInfo{
		Name: "stablehlo.or", Since: Version{0, 9, 0},
		Operands: boolIntPair, Results: boolIntOut,
		Traits: Elementwise | Commutative | SameTypes,
		Doc:    "result[i] = lhs[i] ∨ rhs[i], bit by bit for integers.",
	}},
	{OpPower, OpInfo{
		Name: "stablehlo.power", Since: Version{0, 9, 0},
		Operands: numberPair, Results: numberOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = lhs[i]^rhs[i].",
	}},
	{OpRemainder, OpInfo{
		Name: "stablehlo.remainder", Since: Version{0, 9, 0},
		Operands: numberPair, Results: numberOut,
		Traits: Elementwise | SameTypes,
		Doc:    "result[i] = lhs[i] - rhs[i] * trunc(lhs[i] / rhs[i]), with the sign of lhs[i].",
	}},
	{OpShiftLeft, OpInfo{
		Name: "stablehlo.shift_left", Since: Version{0, 9, 0},
		Operands: intPair, Results: intOut,
		Traits: Elementwise | SameTypes,
		Doc:    "result[i] = lhs[i] · 2^rhs[i] modulo 2ⁿ.",
	}},
	{OpShiftRightArithmetic, OpInfo{
		Name: "stablehlo.shift_right_arithmetic", Since: Version{0, 9, 0},
		Operands: intPair, Results: intOut,
		Traits: Elementwise | SameTypes,
		Doc:    "result[i] = lhs[i] shifted right by rhs[i] bits, copies of the sign bit moving in.",
	}},
	{OpShiftRightLogical, OpInfo{
		Name: "stablehlo.shift_right_logical", Since: Version{0, 9, 0},
		Operands: intPair, Results: intOut,
		Traits: Elementwise | SameTypes,
		Doc:    "result[i] = lhs[i] shifted right by rhs[i] bits, zeros moving in.",
	}},
	{OpSubtract, OpInfo{
		Name: "stablehlo.subtract", Since: Version{0, 9, 0},
		Operands: numberPair, Results: numberOut,
		Traits: Elementwise | SameTypes,
		Doc:    "result[i] = lhs[i] - rhs[i], modulo 2ⁿ for integers of n bits.",
	}},
	{OpXor, OpInfo{
		Name: "stablehlo.xor", Since: Version{0, 9, 0},
		Operands: boolIntPair, Results: boolIntOut,
		Traits: Elementwise | Commutative | SameTypes,
		Doc:    "result[i] = lhs[i] ⊕ rhs[i], bit by bit for integers.",
	}},
}

// selectOps choose by a predicate, or compute one.
var selectOps = opRows{
	{OpClamp, OpInfo{
		Name: "stablehlo.clamp", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"min", TTensor, One}, {"operand", TTensor, One}, {"max", TTensor, One}},
		Results:  tensorOut,
		Traits:   Elementwise,
		Doc:      "result[i] = min(max(operand[i], min[i]), max[i]); min and max may be scalars.",
	}},
	{OpCompare, OpInfo{
		Name: "stablehlo.compare", Since: Version{0, 9, 0},
		Operands: tensorPair,
		Results:  []ValueSpec{{"result", TBool, One}},
		Attrs: []AttrSpec{
			{Name: "compare_type", Kind: AttrEnum, Enum: "comparison_type", Optional: true},
			{Name: "comparison_direction", Kind: AttrEnum, Enum: "comparison_direction"},
		},
		Traits: Elementwise,
		Doc:    "result[i] = lhs[i] ∘ rhs[i] with ∘ the comparison_direction, in the order of compare_type.",
	}},
	{OpSelect, OpInfo{
		Name: "stablehlo.select", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"pred", TBool, One}, {"on_true", TTensor, One}, {"on_false", TTensor, One}},
		Results:  tensorOut,
		Traits:   Elementwise,
		Doc:      "result[i] = on_true[i] if pred[i], on_false[i] otherwise; pred may be a scalar.",
	}},
}
