package stablehlo

// The operands and results of CHLO's elementwise ops, whose rank may be unknown.
var (
	chloFloatIn         = []ValueSpec{{"operand", TFloat | TUnranked, One}}
	chloFloatOut        = []ValueSpec{{"result", TFloat | TUnranked, One}}
	chloFloatComplexIn  = []ValueSpec{{"operand", TFloatComplex | TUnranked, One}}
	chloFloatComplexOut = []ValueSpec{{"result", TFloatComplex | TUnranked, One}}
	chloBoolOut         = []ValueSpec{{"result", TBool | TUnranked, One}}
)

// chloOps are the functions of the dialect of client conveniences.
var chloOps = opRows{
	{OpChloAsinAcosKernel, OpInfo{
		Name:     "chlo._asin_acos_kernel",
		Operands: []ValueSpec{{"operand", TComplex | TUnranked, One}},
		Results:  []ValueSpec{{"result", TComplex | TUnranked, One}},
		Traits:   Elementwise | SameTypes | Transcendental,
		Doc:      "result[i] = an intermediate value from which asin and acos of a complex number are computed.",
	}},
	{OpChloAcos, OpInfo{
		Name:     "chlo.acos",
		Operands: chloFloatComplexIn, Results: chloFloatComplexOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = acos(operand[i]).",
	}},
	{OpChloAcosh, OpInfo{
		Name:     "chlo.acosh",
		Operands: chloFloatComplexIn, Results: chloFloatComplexOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = arcosh(operand[i]).",
	}},
	{OpChloAsin, OpInfo{
		Name:     "chlo.asin",
		Operands: chloFloatComplexIn, Results: chloFloatComplexOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = asin(operand[i]).",
	}},
	{OpChloAsinh, OpInfo{
		Name:     "chlo.asinh",
		Operands: chloFloatComplexIn, Results: chloFloatComplexOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = arsinh(operand[i]).",
	}},
	{OpChloAtan, OpInfo{
		Name:     "chlo.atan",
		Operands: chloFloatComplexIn, Results: chloFloatComplexOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = atan(operand[i]).",
	}},
	{OpChloAtanh, OpInfo{
		Name:     "chlo.atanh",
		Operands: chloFloatComplexIn, Results: chloFloatComplexOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = artanh(operand[i]).",
	}},
	{OpChloBesselI1e, OpInfo{
		Name:     "chlo.bessel_i1e",
		Operands: chloFloatComplexIn, Results: chloFloatComplexOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = e^-|x| I₁(x) for x = operand[i], the modified Bessel function of order 1.",
	}},
	{OpChloConj, OpInfo{
		Name:     "chlo.conj",
		Operands: chloFloatComplexIn, Results: chloFloatComplexOut,
		Traits: Elementwise | SameTypes,
		Doc:    "result[i] = the complex conjugate of operand[i].",
	}},
	{OpChloCosh, OpInfo{
		Name:     "chlo.cosh",
		Operands: chloFloatComplexIn, Results: chloFloatComplexOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = cosh(operand[i]).",
	}},
	{OpChloDigamma, OpInfo{
		Name:     "chlo.digamma",
		Operands: chloFloatIn, Results: chloFloatOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = Γ'(x) / Γ(x) for x = operand[i].",
	}},
	{OpChloErf, OpInfo{
		Name:     "chlo.erf",
		Operands: chloFloatIn, Results: chloFloatOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = erf(operand[i]) = 2/√π ∫₀ˣ e^-t² dt.",
	}},
	{OpChloErfInv, OpInfo{
		Name:     "chlo.erf_inv",
		Operands: chloFloatIn, Results: chloFloatOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = the x with erf(x) = operand[i].",
	}},
	{OpChloErfc, OpInfo{
		Name:     "chlo.erfc",
		Operands: chloFloatIn, Results: chloFloatOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = 1 - erf(operand[i]), precise for large operands.",
	}},
	{OpChloIsInf, OpInfo{
		Name:     "chlo.is_inf",
		Operands: chloFloatIn, Results: chloBoolOut,
		Traits: Elementwise,
		Doc:    "result[i] = operand[i] is ∞ or -∞.",
	}},
	{OpChloIsNegInf, OpInfo{
		Name:     "chlo.is_neg_inf",
		Operands: chloFloatIn, Results: chloBoolOut,
		Traits: Elementwise,
		Doc:    "result[i] = operand[i] is -∞.",
	}},
	{OpChloIsPosInf, OpInfo{
		Name:     "chlo.is_pos_inf",
		Operands: chloFloatIn, Results: chloBoolOut,
		Traits: Elementwise,
		Doc:    "result[i] = operand[i] is ∞.",
	}},
	{OpChloLgamma, OpInfo{
		Name:     "chlo.lgamma",
		Operands: chloFloatIn, Results: chloFloatOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = ln |Γ(operand[i])|.",
	}},
	{OpChloSinh, OpInfo{
		Name:     "chlo.sinh",
		Operands: chloFloatComplexIn, Results: chloFloatComplexOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = sinh(operand[i]).",
	}},
	{OpChloSquare, OpInfo{
		Name:     "chlo.square",
		Operands: chloFloatComplexIn, Results: chloFloatComplexOut,
		Traits: Elementwise | SameTypes,
		Doc:    "result[i] = operand[i]².",
	}},
	{OpChloTan, OpInfo{
		Name:     "chlo.tan",
		Operands: chloFloatComplexIn, Results: chloFloatComplexOut,
		Traits: Elementwise | SameTypes | Transcendental,
		Doc:    "result[i] = tan(operand[i]).",
	}},
	{OpChloNextAfter, OpInfo{
		Name:     "chlo.next_after",
		Operands: []ValueSpec{{"x", TFloat | TUnranked, One}, {"y", TFloat | TUnranked, One}},
		Results:  chloFloatOut,
		Traits:   Elementwise | SameTypes,
		Doc:      "result[i] = the float that follows x[i] in the direction of y[i].",
	}},
	{OpChloPolygamma, OpInfo{
		Name:     "chlo.polygamma",
		Operands: []ValueSpec{{"n", TFloat | TUnranked, One}, {"x", TFloat | TUnranked, One}},
		Results:  chloFloatOut,
		Traits:   Elementwise | SameTypes | Transcendental,
		Doc:      "result[i] = the derivative of order n[i] of digamma at x[i].",
	}},
	{OpChloZeta, OpInfo{
		Name:     "chlo.zeta",
		Operands: []ValueSpec{{"x", TFloat | TUnranked, One}, {"q", TFloat | TUnranked, One}},
		Results:  chloFloatOut,
		Traits:   Elementwise | SameTypes | Transcendental,
		Doc:      "result[i] = Σ_k (k + q[i])^-x[i] from k = 0, the Hurwitz zeta function.",
	}},
	{OpChloMulhi, OpInfo{
		Name:     "chlo.mulhi",
		Operands: intPair, Results: intOut,
		Traits: Elementwise | Commutative | SameTypes,
		Doc:    "result[i] = the upper half of the bits of the product lhs[i] * rhs[i] in twice the width.",
	}},
	{OpChloConstant, OpInfo{
		Name:    "chlo.constant",
		Results: []ValueSpec{{"output", TTensor | TStatic, One}},
		Attrs:   []AttrSpec{{Name: "value", Kind: AttrElems}},
		Doc:     "output = value.",
	}},
	{OpChloConstantLike, OpInfo{
		Name:     "chlo.constant_like",
		Operands: []ValueSpec{{"operand", TChlo, One}},
		Results:  []ValueSpec{{"result", TChlo, One}},
		Attrs:    []AttrSpec{{Name: "value", Kind: AttrTyped}},
		Doc:      "result[i] = value, in the shape of operand.",
	}},
	{OpChloRaggedDot, OpInfo{
		Name:     "chlo.ragged_dot",
		Operands: []ValueSpec{{"lhs", TChlo, One}, {"rhs", TChlo, One}, {"group_sizes", TInt, One}},
		Results:  []ValueSpec{{"result", TChlo, One}},
		Attrs: []AttrSpec{
			{Name: "precision_config", Kind: AttrEnums, Enum: "precision", Optional: true},
			{Name: "ragged_dot_dimension_numbers", Kind: AttrStruct, Enum: "ragged_dot"},
		},
		Doc: "dot_general of each group of rows of lhs, group_sizes[g] long, with the matrix of its group in rhs.",
	}},
	{OpChloScan, OpInfo{
		Name:     "chlo.scan",
		Operands: []ValueSpec{{"inputs", TChlo, Variadic}, {"inits", TChlo, Variadic}},
		Results:  []ValueSpec{{"outputs", TChlo, Variadic}, {"carries", TChlo, Variadic}},
		Attrs: []AttrSpec{
			{Name: "dimension", Kind: AttrI64},
			{Name: "is_associative", Kind: AttrBool, Optional: true},
			{Name: "is_reverse", Kind: AttrBool, Optional: true, Default: BoolAttr(false)},
			{Name: "scan_dim_size", Kind: AttrI64, Optional: true},
		},
		Regions: []RegionSpec{{"body", One}},
		Traits:  Isolated | Segments,
		Doc:     "Runs (outputs[i], carries) = body(inputs[i], carries) along dimension, the carries starting from inits.",
	}},
	{OpChloTopK, OpInfo{
		Name:     "chlo.top_k",
		Operands: []ValueSpec{{"operand", TChlo, One}},
		Results:  []ValueSpec{{"values", TChlo, One}, {"indices", TChlo, One}},
		Attrs: []AttrSpec{
			{Name: "is_stable", Kind: AttrBool, Optional: true, Default: BoolAttr(true), Since: Version{1, 20, 0}},
			{Name: "k", Kind: AttrI64},
		},
		Doc: "The k largest elements of each row of the last dimension in descending order, and their indices.",
	}},
}
