package stablehlo

// broadcastAttrs reports which dimension of the result each dimension of the
// operand of lower rank becomes; without it, trailing dimensions match.
var broadcastAttrs = []AttrSpec{{Name: "broadcast_dimensions", Kind: AttrInts, Optional: true}}

// The operands and results of broadcasting ops.
var (
	chloPair        = []ValueSpec{{"lhs", TChlo, One}, {"rhs", TChlo, One}}
	chloOut         = []ValueSpec{{"result", TChlo, One}}
	chloBoolIntPair = []ValueSpec{{"lhs", TBoolInt | TUnranked, One}, {"rhs", TBoolInt | TUnranked, One}}
	chloFloatPair   = []ValueSpec{{"lhs", TFloat | TUnranked, One}, {"rhs", TFloat | TUnranked, One}}
)

// chloBroadcastOps are binary ops whose operands are broadcast to one shape:
// below, lhs[i] and rhs[i] stand for elements after that.
var chloBroadcastOps = opRows{
	{OpChloBroadcastAdd, OpInfo{
		Name:     "chlo.broadcast_add",
		Operands: chloPair, Results: chloOut, Attrs: broadcastAttrs,
		Traits: Commutative,
		Doc:    "result[i] = lhs[i] + rhs[i], broadcast.",
	}},
	{OpChloBroadcastAnd, OpInfo{
		Name:     "chlo.broadcast_and",
		Operands: chloBoolIntPair, Results: chloOut, Attrs: broadcastAttrs,
		Traits: Commutative,
		Doc:    "result[i] = lhs[i] ∧ rhs[i], broadcast.",
	}},
	{OpChloBroadcastAtan2, OpInfo{
		Name:     "chlo.broadcast_atan2",
		Operands: chloPair, Results: chloOut, Attrs: broadcastAttrs,
		Traits: Transcendental,
		Doc:    "result[i] = atan(lhs[i] / rhs[i]) in the quadrant of the point (rhs[i], lhs[i]), broadcast.",
	}},
	{OpChloBroadcastComplex, OpInfo{
		Name:     "chlo.broadcast_complex",
		Operands: chloFloatPair, Results: []ValueSpec{{"result", TComplex | TUnranked, One}}, Attrs: broadcastAttrs,
		Doc: "result[i] = lhs[i] + rhs[i]·√-1, broadcast.",
	}},
	{OpChloBroadcastDivide, OpInfo{
		Name:     "chlo.broadcast_divide",
		Operands: chloPair, Results: chloOut, Attrs: broadcastAttrs,
		Doc: "result[i] = lhs[i] / rhs[i], broadcast.",
	}},
	{OpChloBroadcastMaximum, OpInfo{
		Name:     "chlo.broadcast_maximum",
		Operands: chloPair, Results: chloOut, Attrs: broadcastAttrs,
		Traits: Commutative,
		Doc:    "result[i] = max(lhs[i], rhs[i]), broadcast.",
	}},
	{OpChloBroadcastMinimum, OpInfo{
		Name:     "chlo.broadcast_minimum",
		Operands: chloPair, Results: chloOut, Attrs: broadcastAttrs,
		Traits: Commutative,
		Doc:    "result[i] = min(lhs[i], rhs[i]), broadcast.",
	}},
	{OpChloBroadcastMultiply, OpInfo{
		Name:     "chlo.broadcast_multiply",
		Operands: chloPair, Results: chloOut, Attrs: broadcastAttrs,
		Traits: Commutative,
		Doc:    "result[i] = lhs[i] * rhs[i], broadcast.",
	}},
	{OpChloBroadcastNextAfter, OpInfo{
		Name:     "chlo.broadcast_next_after",
		Operands: chloPair, Results: chloOut, Attrs: broadcastAttrs,
		Doc: "result[i] = the float that follows lhs[i] in the direction of rhs[i], broadcast.",
	}},
	{OpChloBroadcastOr, OpInfo{
		Name:     "chlo.broadcast_or",
		Operands: chloBoolIntPair, Results: chloOut, Attrs: broadcastAttrs,
		Traits: Commutative,
		Doc:    "result[i] = lhs[i] ∨ rhs[i], broadcast.",
	}},
	{OpChloBroadcastPolygamma, OpInfo{
		Name:     "chlo.broadcast_polygamma",
		Operands: chloPair, Results: chloOut, Attrs: broadcastAttrs,
		Traits: Transcendental,
		Doc:    "result[i] = the derivative of order lhs[i] of digamma at rhs[i], broadcast.",
	}},
	{OpChloBroadcastPower, OpInfo{
		Name:     "chlo.broadcast_power",
		Operands: chloPair, Results: chloOut, Attrs: broadcastAttrs,
		Traits: Transcendental,
		Doc:    "result[i] = lhs[i]^rhs[i], broadcast.",
	}},
	{OpChloBroadcastRemainder, OpInfo{
		Name:     "chlo.broadcast_remainder",
		Operands: chloPair, Results: chloOut, Attrs: broadcastAttrs,
		Doc: "result[i] = lhs[i] - rhs[i] * trunc(lhs[i] / rhs[i]), broadcast.",
	}},
	{OpChloBroadcastShiftLeft, OpInfo{
		Name:     "chlo.broadcast_shift_left",
		Operands: chloPair, Results: chloOut, Attrs: broadcastAttrs,
		Doc: "result[i] = lhs[i] · 2^rhs[i] modulo 2ⁿ, broadcast.",
	}},
	{OpChloBroadcastShiftRightArithmetic, OpInfo{
		Name:     "chlo.broadcast_shift_right_arithmetic",
		Operands: chloPair, Results: chloOut, Attrs: broadcastAttrs,
		Doc: "result[i] = lhs[i] shifted right by rhs[i] bits, copies of the sign bit moving in, broadcast.",
	}},
	{OpChloBroadcastShiftRightLogical, OpInfo{
		Name:     "chlo.broadcast_shift_right_logical",
		Operands: chloPair, Results: chloOut, Attrs: broadcastAttrs,
		Doc: "result[i] = lhs[i] shifted right by rhs[i] bits, zeros moving in, broadcast.",
	}},
	{OpChloBroadcastSubtract, OpInfo{
		Name:     "chlo.broadcast_subtract",
		Operands: chloPair, Results: chloOut, Attrs: broadcastAttrs,
		Doc: "result[i] = lhs[i] - rhs[i], broadcast.",
	}},
	{OpChloBroadcastXor, OpInfo{
		Name:     "chlo.broadcast_xor",
		Operands: chloBoolIntPair, Results: chloOut, Attrs: broadcastAttrs,
		Traits: Commutative,
		Doc:    "result[i] = lhs[i] ⊕ rhs[i], broadcast.",
	}},
	{OpChloBroadcastZeta, OpInfo{
		Name:     "chlo.broadcast_zeta",
		Operands: chloFloatPair, Results: chloFloatOut, Attrs: broadcastAttrs,
		Traits: Transcendental,
		Doc:    "result[i] = Σ_k (k + rhs[i])^-lhs[i] from k = 0, the Hurwitz zeta function, broadcast.",
	}},
	{OpChloBroadcastCompare, OpInfo{
		Name:     "chlo.broadcast_compare",
		Operands: chloPair, Results: chloBoolOut,
		Attrs: []AttrSpec{
			{Name: "broadcast_dimensions", Kind: AttrInts, Optional: true},
			{Name: "compare_type", Kind: AttrEnum, Enum: "comparison_type", Optional: true},
			{Name: "comparison_direction", Kind: AttrEnum, Enum: "comparison_direction"},
		},
		Doc: "result[i] = lhs[i] ∘ rhs[i] with ∘ the comparison_direction, broadcast.",
	}},
	{OpChloBroadcastSelect, OpInfo{
		Name:     "chlo.broadcast_select",
		Operands: []ValueSpec{{"pred", TBool, One}, {"on_true", TChlo, One}, {"on_false", TChlo, One}},
		Results:  chloOut,
		Doc:      "result[i] = on_true[i] if pred[i], on_false[i] otherwise, broadcast.",
	}},
}
