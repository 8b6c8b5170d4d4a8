package stablehlo

// checkOps are the self-checks of test programs and their helpers.
var checkOps = opRows{
	{OpCheckExpectAlmostEq, OpInfo{
		Name:     "check.expect_almost_eq",
		Operands: []ValueSpec{{"lhs", TFloatComplex | TUnranked, One}, {"rhs", TFloatComplex | TUnranked, One}},
		Attrs:    []AttrSpec{{Name: "tolerance", Kind: AttrF64, Optional: true, Default: FloatAttr{1e-4, Scalar(f64)}}},
		Traits:   SideEffects,
		Doc:      "Fails unless |lhs[i] - rhs[i]| ≤ tolerance; NaNs and infinities must be equal.",
	}},
	{OpCheckExpectAlmostEqConst, OpInfo{
		Name:     "check.expect_almost_eq_const",
		Operands: []ValueSpec{{"lhs", TFloatComplex | TUnranked, One}},
		Attrs: []AttrSpec{
			{Name: "tolerance", Kind: AttrF64, Optional: true, Default: FloatAttr{1e-4, Scalar(f64)}},
			{Name: "value", Kind: AttrElems},
		},
		Traits: SideEffects,
		Doc:    "Fails unless |lhs[i] - value[i]| ≤ tolerance; NaNs and infinities must be equal.",
	}},
	{OpCheckExpectClose, OpInfo{
		Name:     "check.expect_close",
		Operands: []ValueSpec{{"actual", TFloatComplex | TUnranked, One}, {"expected", TFloatComplex | TUnranked, One}},
		Attrs: []AttrSpec{
			{Name: "max_ulp_difference", Kind: AttrU64, Optional: true, Default: IntAttr{1, Scalar(u64)}},
			{Name: "min_ulp_difference", Kind: AttrU64, Optional: true, Default: IntAttr{0, Scalar(u64)}},
		},
		Traits: SideEffects,
		Doc:    "Fails unless actual and expected differ by min_ulp_difference to max_ulp_difference units in the last place.",
	}},
	{OpCheckExpectEq, OpInfo{
		Name:     "check.expect_eq",
		Operands: []ValueSpec{{"lhs", TTensor, One}, {"rhs", TTensor, One}},
		Traits:   SideEffects,
		Doc:      "Fails unless lhs[i] = rhs[i].",
	}},
	{OpCheckExpectEqConst, OpInfo{
		Name:     "check.expect_eq_const",
		Operands: []ValueSpec{{"lhs", TTensor, One}},
		Attrs:    []AttrSpec{{Name: "value", Kind: AttrElems}},
		Traits:   SideEffects,
		Doc:      "Fails unless lhs[i] = value[i].",
	}},
	{OpCheckExpectSerializedEq, OpInfo{
		Name:     "check.expect_serialized_eq",
		Operands: []ValueSpec{{"expected", TTensor, One}},
		Attrs: []AttrSpec{
			{Name: "iteration", Kind: AttrU32, Optional: true, Default: IntAttr{0, Scalar(u32)}},
			{Name: "probe_id", Kind: AttrString},
		},
		Traits: SideEffects,
		Doc:    "Fails unless the probe probe_id wrote expected in that iteration.",
	}},
	{OpInterpRunParallel, OpInfo{
		Name:     "interpreter.run_parallel",
		Operands: []ValueSpec{{"inputs", TTensor | TToken, Variadic}},
		Results:  []ValueSpec{{"results", TTensor | TToken, Variadic}},
		Attrs: []AttrSpec{
			{Name: "infeed", Kind: AttrSymbols, Optional: true},
			{Name: "programs", Kind: AttrSymbolLists},
		},
		Traits: ShapedByResult | SideEffects,
		Doc: "Runs a grid of functions, programs[replica][partition], at once; their inputs and results are those of " +
			"all, one after another.",
	}},
	{OpInterpPrint, OpInfo{
		Name:     "interpreter.print",
		Operands: []ValueSpec{{"operand", TTensor, One}},
		Traits:   SideEffects,
		Doc:      "Prints operand.",
	}},
	{OpInterpProbe, OpInfo{
		Name:     "interpreter.probe",
		Operands: []ValueSpec{{"operand", TTensor, One}},
		Results:  tensorOut,
		Attrs:    []AttrSpec{{Name: "probe_id", Kind: AttrString}},
		Traits:   SideEffects,
		Doc:      "result = operand, recorded under probe_id.",
	}},
}

// sdyOps are the sharding annotations that JAX leaves in a program; on one device they have no effect.
var sdyOps = opRows{
	{OpSdyMesh, OpInfo{
		Name:  "sdy.mesh",
		Attrs: []AttrSpec{{Name: "mesh", Kind: AnyAttr}, {Name: "sym_name", Kind: AttrString}},
		Doc:   "Names a grid of devices.",
	}},
	{OpSdyShardingConstraint, OpInfo{
		Name:     "sdy.sharding_constraint",
		Operands: []ValueSpec{{"input", TAnyType, One}},
		Results:  []ValueSpec{{"result", TAnyType, One}},
		Attrs:    []AttrSpec{{Name: "sharding", Kind: AnyAttr}},
		Doc:      "result = input, distributed as sharding says.",
	}},
	{OpSdyManualComputation, OpInfo{
		Name:     "sdy.manual_computation",
		Operands: []ValueSpec{{"tensors", TAnyType, Variadic}},
		Results:  []ValueSpec{{"results", TAnyType, Variadic}},
		Attrs: []AttrSpec{
			{Name: "in_shardings", Kind: AnyAttr},
			{Name: "manual_axes", Kind: AnyAttr},
			{Name: "out_shardings", Kind: AnyAttr},
		},
		Regions: []RegionSpec{{"body", One}},
		Traits:  ShapedByResult | Isolated,
		Doc:     "Runs body on each device with its parts of tensors.",
	}},
	{OpSdyReturn, OpInfo{
		Name:     "sdy.return",
		Operands: []ValueSpec{{"results", TAnyType, Variadic}},
		Traits:   Terminator,
		Doc:      "Ends the region of an sdy op.",
	}},
}
