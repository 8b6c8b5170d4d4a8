package stablehlo

// funcOps are the module, functions, calls and terminators.
var funcOps = opRows{
	{OpModule, OpInfo{
		Name: "builtin.module",
		Attrs: []AttrSpec{{Name: "sym_name", Kind: AttrString, Optional: true},
			{Name: "sym_visibility", Kind: AttrString, Optional: true}},
		Regions: []RegionSpec{{"bodyRegion", One}},
		Traits:  Isolated | Symbols,
		Doc:     "A program: a list of functions and other symbols.",
	}},
	{OpFunc, OpInfo{
		Name: "func.func",
		Attrs: []AttrSpec{
			{Name: "arg_attrs", Kind: AttrArray, Optional: true},
			{Name: "function_type", Kind: AttrType},
			{Name: "no_inline", Kind: AttrUnit, Optional: true},
			{Name: "res_attrs", Kind: AttrArray, Optional: true},
			{Name: "sym_name", Kind: AttrString},
			{Name: "sym_visibility", Kind: AttrString, Optional: true},
		},
		Regions: []RegionSpec{{"body", One}},
		Traits:  Isolated | SideEffects,
		Doc:     "A named function; one without a body is a declaration.",
	}},
	{OpCall, OpInfo{
		Name:     "func.call",
		Operands: []ValueSpec{{"operands", TAnyType, Variadic}},
		Results:  []ValueSpec{{"results", TAnyType, Variadic}},
		Attrs: []AttrSpec{
			{Name: "arg_attrs", Kind: AttrArray, Optional: true},
			{Name: "callee", Kind: AttrSymbol},
			{Name: "no_inline", Kind: AttrUnit, Optional: true},
			{Name: "res_attrs", Kind: AttrArray, Optional: true},
		},
		Traits: SideEffects,
		Doc:    "The results of the function callee applied to the operands.",
	}},
	{OpFuncReturn, OpInfo{
		Name:     "func.return",
		Operands: []ValueSpec{{"operands", TAnyType, Variadic}},
		Traits:   Terminator,
		Doc:      "Ends a function; the operands are its results.",
	}},
	{OpReturn, OpInfo{
		Name: "stablehlo.return", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"results", TTensorAll | TToken | TBuffer, Variadic}},
		Traits:   Terminator | NotInSpec,
		Doc:      "Ends a region of an op; the operands are the region's results.",
	}},
}

// regionValues are what control flow carries; while and return also carry buffers.
const regionValues = TTensorAll | TToken

// regionOps are control flow and the ops whose meaning is a region applied
// many times.
var regionOps = opRows{
	{OpIf, OpInfo{
		Name: "stablehlo.if", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"pred", TBool, One}},
		Results:  []ValueSpec{{"results", regionValues, Variadic}},
		Regions:  []RegionSpec{{"true_branch", One}, {"false_branch", One}},
		Doc:      "true_branch() when pred holds, false_branch() otherwise.",
	}},
	{OpCase, OpInfo{
		Name: "stablehlo.case", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"index", TSigned | T32Bit, One}},
		Results:  []ValueSpec{{"results", regionValues, Variadic}},
		Regions:  []RegionSpec{{"branches", Variadic}},
		Doc:      "branches[index](), the last branch when index is out of bounds.",
	}},
	{OpWhile, OpInfo{
		Name: "stablehlo.while", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", regionValues | TBuffer, Variadic}},
		Results:  []ValueSpec{{"results", regionValues | TBuffer, Variadic}},
		Regions:  []RegionSpec{{"cond", One}, {"body", One}},
		Doc:      "state = operand; while cond(state...) { state = body(state...) }; the last state is the result.",
	}},
	{OpMap, OpInfo{
		Name: "stablehlo.map", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"inputs", TTensor, Variadic}},
		Results:  []ValueSpec{{"result", TTensor, One}},
		Attrs:    []AttrSpec{{Name: "dimensions", Kind: AttrInts}},
		Regions:  []RegionSpec{{"computation", One}},
		Doc:      "result[i] = computation(inputs[0][i], …, inputs[n-1][i]).",
	}},
	{OpReduce, OpInfo{
		Name: "stablehlo.reduce", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"inputs", TTensor, Variadic}, {"init_values", TTensor, Variadic}},
		Results:  []ValueSpec{{"results", TTensor, Variadic}},
		Attrs:    []AttrSpec{{Name: "dimensions", Kind: AttrInts}},
		Regions:  []RegionSpec{{"body", One}},
		Doc: "Reduces dimensions with body, starting from init_values: results[i] = body(… body(init_values, " +
			"inputs[i, 0]) …, inputs[i, n-1]).",
	}},
	{OpReduceWindow, OpInfo{
		Name: "stablehlo.reduce_window", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"inputs", TTensor, Variadic}, {"init_values", TTensor, Variadic}},
		Results:  []ValueSpec{{"results", TTensor, Variadic}},
		Attrs: []AttrSpec{
			{Name: "base_dilations", Kind: AttrInts, Optional: true},
			{Name: "padding", Kind: AttrIntElems, Optional: true},
			{Name: "window_dilations", Kind: AttrInts, Optional: true},
			{Name: "window_dimensions", Kind: AttrInts},
			{Name: "window_strides", Kind: AttrInts, Optional: true},
		},
		Regions: []RegionSpec{{"body", One}},
		Doc: "results[i] is the reduction with body of the window of inputs, dilated and padded with init_values, that " +
			"starts at i * window_strides.",
	}},
	{OpSelectAndScatter, OpInfo{
		Name: "stablehlo.select_and_scatter", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensor, One}, {"source", TTensor, One}, {"init_value", TTensor, One}},
		Results:  []ValueSpec{{"result", TTensor, One}},
		Attrs: []AttrSpec{
			{Name: "padding", Kind: AttrIntElems, Optional: true},
			{Name: "window_dimensions", Kind: AttrInts, Optional: true},
			{Name: "window_strides", Kind: AttrInts, Optional: true},
		},
		Regions: []RegionSpec{{"select", One}, {"scatter", One}},
		Doc: "Selects an element of each window of operand with select and adds the window's element of source at its " +
			"position with scatter; other positions hold init_value.",
	}},
	{OpSort, OpInfo{
		Name: "stablehlo.sort", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"inputs", TTensor, Variadic}},
		Results:  []ValueSpec{{"results", TTensor, Variadic}},
		Attrs: []AttrSpec{
			{Name: "dimension", Kind: AttrI64, Optional: true, Default: IntAttr{-1, Scalar(s64)}},
			{Name: "is_stable", Kind: AttrBool, Optional: true, Default: BoolAttr(false)},
		},
		Regions: []RegionSpec{{"comparator", One}},
		Doc: "Sorts the slices of all inputs along dimension together, so that comparator(later, earlier) is false for " +
			"neighbours.",
	}},
	{OpComposite, OpInfo{
		Name: "stablehlo.composite", Since: Version{0, 19, 0},
		Operands: []ValueSpec{{"inputs", TTensorAll | TToken | TTuple, Variadic}},
		Results:  []ValueSpec{{"results", TTensorAll | TToken | TTuple, Variadic}},
		Attrs: []AttrSpec{
			{Name: "composite_attributes", Kind: AttrDict, Optional: true, Default: DictAttr(nil)},
			{Name: "decomposition", Kind: AttrSymbol},
			{Name: "name", Kind: AttrString},
			{Name: "version", Kind: AttrI32, Optional: true, Default: IntAttr{0, Scalar(s32)}},
		},
		Regions: []RegionSpec{{"composite_regions", Variadic}},
		Traits:  ShapedByResult,
		Doc:     "decomposition(inputs...), a function that a compiler may know by name.",
	}},
	{OpCustomCall, OpInfo{
		Name: "stablehlo.custom_call", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"inputs", customValues, Variadic}},
		Results:  []ValueSpec{{"results", customValues, Variadic}},
		Attrs: []AttrSpec{
			{Name: "api_version", Kind: AttrI32, Optional: true, Default: IntAttr{1, Scalar(s32)}},
			{Name: "backend_config", Kind: AttrStringOrDict, Optional: true},
			{Name: "call_target_name", Kind: AttrString},
			{Name: "called_computations", Kind: AttrSymbols, Optional: true, Default: ArrayAttr(nil)},
			{Name: "has_side_effect", Kind: AttrBool, Optional: true, Default: BoolAttr(false)},
			{Name: "operand_layouts", Kind: AttrLayouts, Optional: true},
			{Name: "output_operand_aliases", Kind: AttrStructs, Enum: "output_operand_alias", Optional: true,
				Default: ArrayAttr(nil)},
			{Name: "result_layouts", Kind: AttrLayouts, Optional: true},
			{Name: "result_tilings", Kind: AttrTilings, Optional: true, Since: Version{1, 18, 0}},
		},
		Traits: ShapedByResult | SideEffects,
		Doc:    "Calls call_target_name of the implementation; only an implementation that knows the name can run it.",
	}},
	{OpAsyncStart, OpInfo{
		Name: "stablehlo.async_start", Since: Version{1, 15, 0},
		Operands: []ValueSpec{{"operands", TTensor, Variadic}},
		Results:  []ValueSpec{{"result", TFuture, One}},
		Regions:  []RegionSpec{{"body", One}},
		Traits:   Isolated | SideEffects,
		Doc:      "Starts body(operands...) and returns at once with a future of its results.",
	}},
	{OpAsyncDone, OpInfo{
		Name: "stablehlo.async_done", Since: Version{1, 15, 0},
		Operands: []ValueSpec{{"operand", TFuture, One}},
		Results:  []ValueSpec{{"result", TTensor, One}},
		Traits:   SideEffects,
		Doc:      "Waits for the future and returns its value.",
	}},
}

const customValues = TTensorAll | TUnranked | TBuffer | TToken | TTuple | TFuture

// tokenOps order side effects, and build and unpack tuples.
var tokenOps = opRows{
	{OpAfterAll, OpInfo{
		Name: "stablehlo.after_all", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"inputs", TToken, Variadic}},
		Results:  []ValueSpec{{"result", TToken, One}},
		Doc:      "A token that comes after all of inputs.",
	}},
	{OpCreateToken, OpInfo{
		Name: "stablehlo.create_token", Since: Version{0, 9, 0},
		Results: []ValueSpec{{"output", TToken, One}},
		Traits:  NotInSpec,
		Doc:     "A token without dependencies: after_all of no inputs.",
	}},
	{OpOptimizationBarrier, OpInfo{
		Name: "stablehlo.optimization_barrier", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensor | TToken, Variadic}},
		Results:  []ValueSpec{{"result", TTensor | TToken, Variadic}},
		Doc: "result = operand, in a way that keeps ops from moving across: all of operand is computed before any of " +
			"result is used.",
	}},
	{OpTuple, OpInfo{
		Name: "stablehlo.tuple", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"val", TTensorAll | TToken | TTuple | TBuffer, Variadic}},
		Results:  []ValueSpec{{"result", TTuple, One}},
		Doc:      "The tuple of the values.",
	}},
	{OpGetTupleElement, OpInfo{
		Name: "stablehlo.get_tuple_element", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTuple, One}},
		Results:  []ValueSpec{{"result", TTensorAll | TToken | TTuple | TBuffer, One}},
		Attrs:    []AttrSpec{{Name: "index", Kind: AttrI32}},
		Doc:      "result = operand[index].",
	}},
}
