package stablehlo

// The operands of batch normalisation.
const (
	normTensor = TFloatQuant
	normVector = TFloatQuant | TRank1
)

var normAttrs = []AttrSpec{{Name: "epsilon", Kind: AttrF32}, {Name: "feature_index", Kind: AttrI64}}

// linalgOps are contractions, convolution, decompositions and normalisation.
var linalgOps = opRows{
	{OpBatchNormGrad, OpInfo{
		Name: "stablehlo.batch_norm_grad", Since: Version{0, 9, 0},
		Operands: []ValueSpec{
			{"operand", normTensor, One}, {"scale", normVector, One}, {"mean", normVector, One},
			{"variance", normVector, One}, {"grad_output", normTensor, One},
		},
		Results: []ValueSpec{{"grad_operand", normTensor, One}, {"grad_scale", normVector, One},
			{"grad_offset", normVector, One}},
		Attrs: normAttrs,
		Doc:   "The gradients of batch_norm_training with respect to operand, scale and offset, given that of its output.",
	}},
	{OpBatchNormInference, OpInfo{
		Name: "stablehlo.batch_norm_inference", Since: Version{0, 9, 0},
		Operands: []ValueSpec{
			{"operand", normTensor, One}, {"scale", normVector, One}, {"offset", normVector, One},
			{"mean", normVector, One}, {"variance", normVector, One},
		},
		Results: []ValueSpec{{"result", normTensor, One}},
		Attrs:   normAttrs,
		Doc:     "result = (operand - mean) / √(variance + epsilon) * scale + offset along feature_index.",
	}},
	{OpBatchNormTraining, OpInfo{
		Name: "stablehlo.batch_norm_training", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", normTensor, One}, {"scale", normVector, One}, {"offset", normVector, One}},
		Results: []ValueSpec{{"output", normTensor, One}, {"batch_mean", normVector, One},
			{"batch_var", normVector, One}},
		Attrs: normAttrs,
		Doc: "batch_norm_inference with the mean and the variance of operand over all dimensions but feature_index, " +
			"and those two.",
	}},
	{OpCholesky, OpInfo{
		Name: "stablehlo.cholesky", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"a", TFloatComplexQuant, One}},
		Results:  transcendentalR,
		Attrs:    []AttrSpec{{Name: "lower", Kind: AttrBool, Optional: true, Default: BoolAttr(false)}},
		Doc:      "For each matrix of a batch the triangular l with l·lᴴ = a (lower) or lᴴ·l = a (upper).",
	}},
	{OpConvolution, OpInfo{
		Name: "stablehlo.convolution", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"lhs", TTensor, One}, {"rhs", TTensorAll, One}},
		Results:  []ValueSpec{{"result", TTensorAll, One}},
		Attrs: []AttrSpec{
			{Name: "batch_group_count", Kind: AttrI64},
			{Name: "dimension_numbers", Kind: AttrStruct, Enum: "conv"},
			{Name: "feature_group_count", Kind: AttrI64},
			{Name: "lhs_dilation", Kind: AttrInts, Optional: true},
			{Name: "padding", Kind: AttrIntElems, Optional: true},
			{Name: "precision_config", Kind: AttrEnums, Enum: "precision", Optional: true},
			{Name: "rhs_dilation", Kind: AttrInts, Optional: true},
			{Name: "window_reversal", Kind: AttrBools, Optional: true},
			{Name: "window_strides", Kind: AttrInts, Optional: true},
		},
		Traits: ShapedByResult,
		Doc:    "The dot product of the kernel rhs with each window of lhs, dilated, padded, strided and in groups.",
	}},
	{OpDot, OpInfo{
		Name: "stablehlo.dot", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"lhs", TTensor, One}, {"rhs", TTensorAll, One}},
		Results:  []ValueSpec{{"result", TTensorAll, One}},
		Attrs:    []AttrSpec{{Name: "precision_config", Kind: AttrEnums, Enum: "precision", Optional: true}},
		Traits:   NotInSpec,
		Doc:      "The dot product of two vectors, of a matrix and a vector, or of two matrices.",
	}},
	{OpDotGeneral, OpInfo{
		Name: "stablehlo.dot_general", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"lhs", TTensor, One}, {"rhs", TTensorAll, One}},
		Results:  []ValueSpec{{"result", TTensorAll, One}},
		Attrs: []AttrSpec{
			{Name: "algorithm", Kind: AttrStruct, Enum: "dot_algorithm", Optional: true, Since: Version{1, 6, 0}},
			{Name: "dot_dimension_numbers", Kind: AttrStruct, Enum: "dot"},
			{Name: "precision_config", Kind: AttrEnums, Enum: "precision", Optional: true},
		},
		Doc: "result[b, i, j] = Σ_k lhs[b, i, k] * rhs[b, j, k] over batching dimensions b and contracting dimensions k.",
	}},
	{OpEinsum, OpInfo{
		Name: "stablehlo.einsum", Since: Version{0, 9, 0},
		Operands: tensorPair, Results: tensorOut,
		Attrs:  []AttrSpec{{Name: "einsum_config", Kind: AttrString}},
		Traits: ShapedByResult | NotInSpec,
		Doc:    "The sum of products that einsum_config names: \"ij,jk->ik\".",
	}},
	{OpUnaryEinsum, OpInfo{
		Name: "stablehlo.unary_einsum", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensor, One}},
		Results:  tensorOut,
		Attrs:    []AttrSpec{{Name: "einsum_config", Kind: AttrString}},
		Traits:   ShapedByResult | NotInSpec,
		Doc:      "The sum over dimensions that einsum_config names: \"ij->i\".",
	}},
	{OpFft, OpInfo{
		Name: "stablehlo.fft", Since: Version{0, 9, 0},
		Operands: floatComplexIn,
		Results:  []ValueSpec{{"result", TFloatComplex, One}},
		Attrs: []AttrSpec{{Name: "fft_length", Kind: AttrInts},
			{Name: "fft_type", Kind: AttrEnum, Enum: "fft_type"}},
		Doc: "The discrete Fourier transform of the last size(fft_length) dimensions; real operands or results hold " +
			"half of a Hermitian spectrum.",
	}},
	{OpTriangularSolve, OpInfo{
		Name: "stablehlo.triangular_solve", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"a", TFloatComplex, One}, {"b", TFloatComplex, One}},
		Results:  []ValueSpec{{"result", TFloatComplex, One}},
		Attrs: []AttrSpec{
			{Name: "left_side", Kind: AttrBool},
			{Name: "lower", Kind: AttrBool},
			{Name: "transpose_a", Kind: AttrEnum, Enum: "transpose"},
			{Name: "unit_diagonal", Kind: AttrBool},
		},
		Doc: "The x with op(a)·x = b (left_side) or x·op(a) = b for each matrix of a batch, op being transpose_a.",
	}},
}

// indexOps read and write at computed indices, and generate random numbers.
var indexOps = opRows{
	{OpGather, OpInfo{
		Name: "stablehlo.gather", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensor, One}, {"start_indices", TInt, One}},
		Results:  tensorOut,
		Attrs: []AttrSpec{
			{Name: "dimension_numbers", Kind: AttrStruct, Enum: "gather"},
			{Name: "indices_are_sorted", Kind: AttrBool, Optional: true, Default: BoolAttr(false)},
			{Name: "slice_sizes", Kind: AttrInts},
		},
		Doc: "Slices of operand of slice_sizes at start_indices, clamped to fit, put together by dimension_numbers.",
	}},
	{OpScatter, OpInfo{
		Name: "stablehlo.scatter", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"inputs", TTensor, Variadic}, {"scatter_indices", TBool | TInt | TIndex, One},
			{"updates", TTensor, Variadic}},
		Results: []ValueSpec{{"results", TTensor, Variadic}},
		Attrs: []AttrSpec{
			{Name: "indices_are_sorted", Kind: AttrBool, Optional: true, Default: BoolAttr(false)},
			{Name: "scatter_dimension_numbers", Kind: AttrStruct, Enum: "scatter"},
			{Name: "unique_indices", Kind: AttrBool, Optional: true, Default: BoolAttr(false)},
		},
		Regions: []RegionSpec{{"update_computation", One}},
		Doc: "inputs with each element of updates combined by update_computation at the index of scatter_indices; " +
			"indices out of bounds are skipped.",
	}},
	{OpTorchIndexSelect, OpInfo{
		Name: "stablehlo.torch_index_select", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"operand", TTensor, One}, {"index", TTensor, One}},
		Results:  tensorOut,
		Attrs:    []AttrSpec{{Name: "batch_dims", Kind: AttrI64}, {Name: "dim", Kind: AttrI64}},
		Traits:   ShapedByResult | NotInSpec,
		Doc:      "The slices of operand along dim that index lists.",
	}},
	{OpRng, OpInfo{
		Name: "stablehlo.rng", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"a", TBoolInt | TFloat | TRank0, One}, {"b", TBoolInt | TFloat | TRank0, One},
			{"shape", TShape, One}},
		Results: []ValueSpec{{"result", TBoolInt | TFloat, One}},
		Attrs:   []AttrSpec{{Name: "rng_distribution", Kind: AttrEnum, Enum: "rng_distribution"}},
		Traits:  SideEffects,
		Doc:     "Random numbers: uniform in [a, b), or normal with mean a and standard deviation b.",
	}},
	{OpRngBitGenerator, OpInfo{
		Name: "stablehlo.rng_bit_generator", Since: Version{0, 9, 0},
		Operands: []ValueSpec{{"initial_state", TIntFloat, One}},
		Results:  []ValueSpec{{"output_state", TIntFloat, One}, {"output", TIntFloat | TStatic, One}},
		Attrs:    []AttrSpec{{Name: "rng_algorithm", Kind: AttrEnum, Enum: "rng_algorithm"}},
		Traits:   ShapedByResult,
		Doc:      "Random bits by rng_algorithm from initial_state, and the state after them.",
	}},
}
