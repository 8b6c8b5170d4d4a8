package stablehlo

import "slices"

// The pretty form of an op is a line of a small language, which both the parser and the printer interpret:
//
//	%           the next operand
//	%*          the operands that remain, separated by commas
//	%,*         the operands that remain, each with a comma behind it
//	$[name]     the attribute of that name, without its type where the table of
//	            ops fixes it: 1, [1, 2], LT, "text", @name
//	$name       a piece of syntax of its own, a row of directives
//	?(, …)      a group that is left out when its attribute is absent; it starts
//	            with the token that tells
//
// Everything else is words and punctuation; spaces define the printed layout.
var formats = [numOps]string{
	OpModule: "$module",
	OpFunc:   "$func",
	OpCall:   " $[callee](%*)$attrs : $fn",

	OpFuncReturn: "$return",
	OpReturn:     "$return",
	OpSdyReturn:  "$return",

	OpConstant:     "$constant",
	OpIota:         " dim = $[iota_dimension]$attrs : $result",
	OpDynamicIota:  " %, dim = $[iota_dimension]$attrs : $fn",
	OpCreateToken:  "$attrs : $result",
	OpPartitionId:  "$attrs : $result",
	OpReplicaId:    "$attrs : $result",
	OpAfterAll:     " %*$attrs : $same",
	OpIsFinite:     " %$attrs : $fn",
	OpComplex:      " %*$attrs : $complex",
	OpCompare:      " $[comparison_direction], %, %?(, $[compare_type])$attrs : $fn",
	OpSelect:       " %*$attrs : $select",
	OpClamp:        " %, %, %$attrs : $same",
	OpTuple:        " %*$attrs : $tuple",
	OpReverse:      " %, dims = $[dimensions]$attrs : $same",
	OpReshape:      " %*$attrs : $fn",
	OpSlice:        " % $ranges$attrs : $fn",
	OpDynamicSlice: " %, %,* sizes = $[slice_sizes]$attrs : $fn",
	OpConcatenate:  " %,* dim = $[dimension]$attrs : $fn",
	OpPad: " %, %, low = $[edge_padding_low], high = $[edge_padding_high], interior = " +
		"$[interior_padding]$attrs : $fn",
	OpTranspose:     " %, dims = $[permutation]$attrs : $fn",
	OpBroadcast:     " %, sizes = $[broadcast_sizes]$attrs : $fn",
	OpCholesky:      " %?(, lower = $[lower])$attrs : $same",
	OpEinsum:        " %, %, config = $[einsum_config]$attrs : $fn",
	OpUnaryEinsum:   " %, config = $[einsum_config]$attrs : $fn",
	OpFft:           " %, type = $[fft_type], length = $[fft_length]$attrs : $fn",
	OpDot:           " %, %$precision$attrs : $fn",
	OpDotGeneral:    " %, %, $dot_dims$precision$algorithm$attrs : $fn",
	OpConvolution:   "(%*) dim_numbers = $conv_dims, window = {$window}$attrs : $fn",
	OpRng:           " %, %, %, distribution = $[rng_distribution]$attrs : $fn",
	OpCustomCall:    " $target(%*)$attrs : $fn",
	OpComposite:     " $[name] %*$regions$attrs : $fn",
	OpReduce:        "$reduce",
	OpWhile:         "$while",
	OpChloScan:      "$scan",
	OpChloConstant:  "$attrs $[value]$const_result",
	OpChloTopK:      "(%, k = $[k]?(, is_stable = $[is_stable]))$attrs : $top_k",
	OpChloMulhi:     " %, %$attrs : $arrow",
	OpChloNextAfter: " %, %$attrs : $arrow",
	OpChloPolygamma: " %, %$attrs : $arrow",
	OpChloZeta:      " %, %$attrs : $arrow",

	OpBitcastConvert:        " %*$attrs : $fn",
	OpBroadcastInDim:        " %, dims = $[broadcast_dimensions]$attrs : $fn",
	OpDynamicBroadcastInDim: " %, %, dims = $[broadcast_dimensions]$attrs : $fn",
	OpDynamicUpdateSlice:    " %*$attrs : $fn",
	OpDynamicReshape:        " %*$attrs : $fn",
	OpDynamicPad:            " %*$attrs : $fn",
	OpRealDynamicSlice:      " %*$attrs : $fn",
	OpGetDimensionSize:      " %, dim = $[dimension]$attrs : $fn",
	OpSetDimensionSize:      " %, %, dim = $[dimension]$attrs : $fn",
	OpGetTupleElement:       " %[$[index]]$attrs : $fn",
	OpOptimizationBarrier:   "$attrs$barrier",
	OpReducePrecision:       " %, format = $exponent_mantissa$attrs : $same",
	OpRngBitGenerator:       " %, algorithm = $[rng_algorithm]$attrs : $fn",
	OpChloBroadcastSelect:   " %, %, %$attrs : $fn",

	OpCheckExpectEq:            " %, %$attrs : $operand",
	OpCheckExpectEqConst:       " %, $[value]$attrs$const_operand",
	OpCheckExpectAlmostEq:      " %, %?(, tolerance = $[tolerance])$attrs : $operand",
	OpCheckExpectAlmostEqConst: " %, $[value]?(, tolerance = $[tolerance])$attrs$const_operand",
	OpCheckExpectClose: " %, %, max_ulp_difference = $[max_ulp_difference]?(, min_ulp_difference = " +
		"$[min_ulp_difference]) :" +
		"$attrs $operands",
	OpCheckExpectSerializedEq: " %, probe_id = $[probe_id]?(, iter = $[iteration])$attrs : $operand",

	OpInterpPrint: " %$attrs : $operand",
	OpInterpProbe: " %, probe_id = $[probe_id]$attrs : $same",

	OpSdyMesh:               "$sdy_mesh",
	OpSdyShardingConstraint: " % $sdy_sharding$attrs : $same",
	OpSdyManualComputation:  "$sdy_manual",
}

// familyFormat returns the form that the ops of a family share.
func familyFormat(code OpCode) string {
	info := code.Info()
	switch {
	case has(unaryOps, code):
		return " %$attrs : $same"
	case has(binaryOps, code):
		return " %, %$attrs : $same"
	case has(chloBroadcastOps, code):
		return " %, %$attrs : $fn"
	case has(chloOps, code) && len(info.Operands) == 1 && len(info.Attrs) == 0:
		return " %$attrs : $arrow"
	}
	return ""
}

func has(rows opRows, code OpCode) bool {
	return slices.ContainsFunc(rows, func(r opRow) bool { return r.code == code })
}
