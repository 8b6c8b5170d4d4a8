package stablehlo

// shapeOps create and rearrange tensors without arithmetic.
var shapeOps = opRows{
	{OpConstant, OpInfo{
		Name: "stablehlo.constant", Since: Version{0, 9, 0},
		Results: []ValueSpec{{"output", TTensorAll | TStatic, One}},
		Attrs:   []AttrSpec{{Name: "value", Kind: AttrElems}},
		Doc:     "output = value.",
	}},
	{OpIota, OpInfo{
		Name: "stablehlo.iota", Since: Version{0, 9, 0},
		Results: []ValueSpec{{"output", TNumber | TStatic, One}},
		Attrs:   []AttrSpec{{Name: "iota_dimension", Kind: AttrI64}},
		Traits:  ShapedByResult,
		Doc:     "output[i] = i[iota_dimension].",
	}},
	{OpBitcastConvert, OpInfo{
		Name: "stablehlo.bitcast_convert", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensorAll, One}},
		Results:  []ValueSpec{{"result", TTensorAll, One}},
		Traits:   ShapedByResult,
		Doc: "The bits of operand read as the element type of the result; a change of width adds or removes a last " +
			"dimension.",
	}},
	{OpBroadcast, OpInfo{
		Name: "stablehlo.broadcast", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensor, One}},
		Results:  []ValueSpec{{"result", TTensorAll, One}},
		Attrs:    []AttrSpec{{Name: "broadcast_sizes", Kind: AttrInts}},
		Traits:   NotInSpec,
		Doc:      "result[j, i] = operand[i] for all j below broadcast_sizes.",
	}},
	{OpBroadcastInDim, OpInfo{
		Name: "stablehlo.broadcast_in_dim", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensorAll, One}},
		Results:  []ValueSpec{{"result", TTensorAll | TStaticOrBound, One}},
		Attrs:    []AttrSpec{{Name: "broadcast_dimensions", Kind: AttrInts}},
		Traits:   ShapedByResult,
		Doc:      "result[i] = operand[j] with j[d] = 0 where operand has size 1 in d, else i[broadcast_dimensions[d]].",
	}},
	{OpConcatenate, OpInfo{
		Name: "stablehlo.concatenate", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"inputs", TTensor, Variadic}},
		Results:  tensorOut,
		Attrs:    []AttrSpec{{Name: "dimension", Kind: AttrI64}},
		Doc:      "The inputs one after another along dimension.",
	}},
	{OpDynamicSlice, OpInfo{
		Name: "stablehlo.dynamic_slice", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensor, One}, {"start_indices", TInt | TRank0, Variadic}},
		Results:  tensorOut,
		Attrs:    []AttrSpec{{Name: "slice_sizes", Kind: AttrInts}},
		Doc:      "result[i] = operand[s + i] with s = clamp(0, start_indices, shape(operand) - slice_sizes).",
	}},
	{OpDynamicUpdateSlice, OpInfo{
		Name: "stablehlo.dynamic_update_slice", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensor, One}, {"update", TTensor, One},
			{"start_indices", TInt | TRank0, Variadic}},
		Results: tensorOut,
		Doc:     "operand with update written at s = clamp(0, start_indices, shape(operand) - shape(update)).",
	}},
	{OpGetDimensionSize, OpInfo{
		Name: "stablehlo.get_dimension_size", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensorAll, One}},
		Results:  []ValueSpec{{"result", TSigned | T32Bit, One}},
		Attrs:    []AttrSpec{{Name: "dimension", Kind: AttrI64}},
		Doc:      "result = the size of operand in dimension.",
	}},
	{OpPad, OpInfo{
		Name: "stablehlo.pad", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensor, One}, {"padding_value", TTensor | TRank0, One}},
		Results:  tensorOut,
		Attrs: []AttrSpec{
			{Name: "edge_padding_high", Kind: AttrInts},
			{Name: "edge_padding_low", Kind: AttrInts},
			{Name: "interior_padding", Kind: AttrInts},
		},
		Doc: "result[edge_padding_low + i * (interior_padding + 1)] = operand[i], padding_value elsewhere; negative " +
			"padding removes.",
	}},
	{OpReshape, OpInfo{
		Name: "stablehlo.reshape", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensorAll, One}},
		Results:  []ValueSpec{{"result", TTensorAll | TStaticOrBound, One}},
		Traits:   ShapedByResult,
		Doc:      "The elements of operand in row-major order with the shape of the result.",
	}},
	{OpReverse, OpInfo{
		Name: "stablehlo.reverse", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensor, One}},
		Results:  tensorOut,
		Attrs:    []AttrSpec{{Name: "dimensions", Kind: AttrInts}},
		Doc:      "result[i] = operand[j] with j[d] = size(d) - i[d] - 1 for d in dimensions, else i[d].",
	}},
	{OpSetDimensionSize, OpInfo{
		Name: "stablehlo.set_dimension_size", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensor, One}, {"size", TSigned | T32Bit, One}},
		Results:  tensorOut,
		Attrs:    []AttrSpec{{Name: "dimension", Kind: AttrI64}},
		Traits:   NotInSpec,
		Doc:      "operand cut to size in dimension, its old size being the bound.",
	}},
	{OpSlice, OpInfo{
		Name: "stablehlo.slice", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensor, One}},
		Results:  tensorOut,
		Attrs: []AttrSpec{
			{Name: "limit_indices", Kind: AttrInts},
			{Name: "start_indices", Kind: AttrInts},
			{Name: "strides", Kind: AttrInts},
		},
		Doc: "result[i] = operand[start_indices + i * strides] up to limit_indices.",
	}},
	{OpTranspose, OpInfo{
		Name: "stablehlo.transpose", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensorAll, One}},
		Results:  []ValueSpec{{"result", TTensorAll, One}},
		Attrs:    []AttrSpec{{Name: "permutation", Kind: AttrInts}},
		Doc:      "result[i] = operand[j] with i[d] = j[permutation[d]].",
	}},
}

// dynamicOps are those whose result shape, or another parameter, is an operand.
var dynamicOps = opRows{
	{OpDynamicBroadcastInDim, OpInfo{
		Name: "stablehlo.dynamic_broadcast_in_dim", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensorAll, One}, {"output_dimensions", TShape, One}},
		Results:  []ValueSpec{{"result", TTensorAll, One}},
		Attrs: []AttrSpec{
			{Name: "broadcast_dimensions", Kind: AttrInts},
			{Name: "known_expanding_dimensions", Kind: AttrInts, Optional: true},
			{Name: "known_nonexpanding_dimensions", Kind: AttrInts, Optional: true},
		},
		Traits: ShapedByResult,
		Doc:    "broadcast_in_dim to the shape output_dimensions.",
	}},
	{OpDynamicConv, OpInfo{
		Name: "stablehlo.dynamic_conv", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"lhs", TTensor, One}, {"rhs", TTensor, One}, {"padding", TInt | TRank2 | TStatic, One}},
		Results:  tensorOut,
		Attrs: []AttrSpec{
			{Name: "batch_group_count", Kind: AttrI64},
			{Name: "dimension_numbers", Kind: AttrStruct, Enum: "conv"},
			{Name: "feature_group_count", Kind: AttrI64},
			{Name: "lhs_dilation", Kind: AttrInts, Optional: true},
			{Name: "precision_config", Kind: AttrEnums, Enum: "precision", Optional: true},
			{Name: "rhs_dilation", Kind: AttrInts, Optional: true},
			{Name: "window_reversal", Kind: AttrBools, Optional: true},
			{Name: "window_strides", Kind: AttrInts, Optional: true},
		},
		Traits: ShapedByResult,
		Doc:    "convolution with the operand padding.",
	}},
	{OpDynamicGather, OpInfo{
		Name: "stablehlo.dynamic_gather", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensor, One}, {"start_indices", TInt, One},
			{"slice_sizes", TInt | TRank1 | TStatic, One}},
		Results: tensorOut,
		Attrs: []AttrSpec{
			{Name: "dimension_numbers", Kind: AttrStruct, Enum: "gather"},
			{Name: "indices_are_sorted", Kind: AttrBool, Optional: true, Default: BoolAttr(false)},
		},
		Doc: "gather with the operand slice_sizes.",
	}},
	{OpDynamicIota, OpInfo{
		Name: "stablehlo.dynamic_iota", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"output_shape", TShape, One}},
		Results:  tensorOut,
		Attrs:    []AttrSpec{{Name: "iota_dimension", Kind: AttrI64}},
		Traits:   ShapedByResult,
		Doc:      "iota with the shape output_shape.",
	}},
	{OpDynamicPad, OpInfo{
		Name: "stablehlo.dynamic_pad", Since: Version{0, 9, 0},
		Operands: []ValueSpec{
			{"operand", TTensor, One}, {"padding_value", TTensor | TRank0, One},
			{"edge_padding_low", TShape, One}, {"edge_padding_high", TShape, One}, {"interior_padding", TShape, One},
		},
		Results: tensorOut,
		Traits:  ShapedByResult,
		Doc:     "pad with its paddings as operands.",
	}},
	{OpDynamicReshape, OpInfo{
		Name: "stablehlo.dynamic_reshape", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensorAll, One}, {"output_shape", TShape, One}},
		Results:  []ValueSpec{{"result", TTensorAll, One}},
		Traits:   ShapedByResult,
		Doc:      "reshape to the shape output_shape.",
	}},
	{OpRealDynamicSlice, OpInfo{
		Name: "stablehlo.real_dynamic_slice", Since: Version{0, 9, 0},
		Operands: []ValueSpec{
			{"operand", TTensor, One}, {"start_indices", TInt | TIndex | TRank1, One},
			{"limit_indices", TInt | TIndex | TRank1, One}, {"strides", TInt | TIndex | TRank1, One},
		},
		Results: tensorOut,
		Traits:  ShapedByResult | NotInSpec,
		Doc:     "slice with its indices and strides as operands.",
	}},
}
