package interp

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// coverage holds a use of each op that is neither unary nor binary elementwise,
// with T for the element type. The values %v (a vector of 4), %m (2×2) and %s (a
// scalar) of that type are ones; %t is a token, %p a bool, %n a vector of one i64.
var coverage = map[stablehlo.OpCode]string{
	stablehlo.OpBitcastConvert:    `"stablehlo.bitcast_convert"(%v) : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpClamp:             `"stablehlo.clamp"(%s, %v, %s) : (tensor<T>, tensor<4xT>, tensor<T>) -> tensor<4xT>`,
	stablehlo.OpConvert:           `"stablehlo.convert"(%v) : (tensor<4xT>) -> tensor<4xf32>`,
	stablehlo.OpReducePrecision:   `"stablehlo.reduce_precision"(%v) {exponent_bits = 2 : i32, mantissa_bits = 1 : i32} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpSelect:            `"stablehlo.select"(%p, %v, %v) : (tensor<i1>, tensor<4xT>, tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpUniformDequantize: `"stablehlo.uniform_dequantize"(%v) : (tensor<4xT>) -> tensor<4xf32>`,
	stablehlo.OpUniformQuantize:   `"stablehlo.uniform_quantize"(%v) : (tensor<4xT>) -> tensor<4x!quant.uniform<i4:f32, 2.0:1>>`,

	stablehlo.OpConstant:              `"stablehlo.constant"() {value = dense<ONE> : tensor<4xT>} : () -> tensor<4xT>`,
	stablehlo.OpChloConstant:          `"chlo.constant"() {value = dense<ONE> : tensor<4xT>} : () -> tensor<4xT>`,
	stablehlo.OpChloConstantLike:      `"chlo.constant_like"(%v) {value = NUMBER} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpIota:                  `"stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<4xT>`,
	stablehlo.OpDynamicIota:           `"stablehlo.dynamic_iota"(%n) {iota_dimension = 0 : i64} : (tensor<1xi64>) -> tensor<?xT>`,
	stablehlo.OpReshape:               `"stablehlo.reshape"(%m) : (tensor<2x2xT>) -> tensor<4xT>`,
	stablehlo.OpDynamicReshape:        `"stablehlo.dynamic_reshape"(%s, %n) : (tensor<T>, tensor<1xi64>) -> tensor<?xT>`,
	stablehlo.OpBroadcast:             `"stablehlo.broadcast"(%v) {broadcast_sizes = array<i64: 2>} : (tensor<4xT>) -> tensor<2x4xT>`,
	stablehlo.OpBroadcastInDim:        `"stablehlo.broadcast_in_dim"(%s) {broadcast_dimensions = array<i64>} : (tensor<T>) -> tensor<4xT>`,
	stablehlo.OpDynamicBroadcastInDim: `"stablehlo.dynamic_broadcast_in_dim"(%s, %n) {broadcast_dimensions = array<i64>} : (tensor<T>, tensor<1xi64>) -> tensor<?xT>`,
	stablehlo.OpTranspose:             `"stablehlo.transpose"(%m) {permutation = array<i64: 1, 0>} : (tensor<2x2xT>) -> tensor<2x2xT>`,
	stablehlo.OpReverse:               `"stablehlo.reverse"(%v) {dimensions = array<i64: 0>} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpSlice:                 `"stablehlo.slice"(%v) {start_indices = array<i64: 1>, limit_indices = array<i64: 4>, strides = array<i64: 2>} : (tensor<4xT>) -> tensor<2xT>`,
	stablehlo.OpRealDynamicSlice:      `"stablehlo.real_dynamic_slice"(%v, %n, %n, %n) : (tensor<4xT>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xT>`,
	stablehlo.OpDynamicSlice:          `"stablehlo.dynamic_slice"(%v, %i) {slice_sizes = array<i64: 2>} : (tensor<4xT>, tensor<i64>) -> tensor<2xT>`,
	stablehlo.OpDynamicUpdateSlice:    `"stablehlo.dynamic_update_slice"(%v, %v, %i) : (tensor<4xT>, tensor<4xT>, tensor<i64>) -> tensor<4xT>`,
	stablehlo.OpConcatenate:           `"stablehlo.concatenate"(%v, %v) {dimension = 0 : i64} : (tensor<4xT>, tensor<4xT>) -> tensor<8xT>`,
	stablehlo.OpPad:                   `"stablehlo.pad"(%v, %s) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: -1>, interior_padding = array<i64: 1>} : (tensor<4xT>, tensor<T>) -> tensor<7xT>`,
	stablehlo.OpDynamicPad:            `"stablehlo.dynamic_pad"(%v, %s, %n, %n, %n) : (tensor<4xT>, tensor<T>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xT>`,
	stablehlo.OpGather: `"stablehlo.gather"(%v, %n) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}
		: (tensor<4xT>, tensor<1xi64>) -> tensor<1xT>`,
	stablehlo.OpDynamicGather: `"stablehlo.dynamic_gather"(%v, %n, %n) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}
		: (tensor<4xT>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xT>`,
	stablehlo.OpTorchIndexSelect: `"stablehlo.torch_index_select"(%v, %n) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<4xT>, tensor<1xi64>) -> tensor<1xT>`,
	stablehlo.OpGetDimensionSize: `"stablehlo.get_dimension_size"(%v) {dimension = 0 : i64} : (tensor<4xT>) -> tensor<i32>`,
	stablehlo.OpSetDimensionSize: `"stablehlo.set_dimension_size"(%v, %k) {dimension = 0 : i64} : (tensor<4xT>, tensor<i32>) -> tensor<?xT, #stablehlo.bounds<4>>`,

	stablehlo.OpDot:         `"stablehlo.dot"(%m, %m) : (tensor<2x2xT>, tensor<2x2xT>) -> tensor<2x2xT>`,
	stablehlo.OpDotGeneral:  `"stablehlo.dot_general"(%v, %v) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>} : (tensor<4xT>, tensor<4xT>) -> tensor<T>`,
	stablehlo.OpEinsum:      `"stablehlo.einsum"(%m, %m) {einsum_config = "ab,bc->ac"} : (tensor<2x2xT>, tensor<2x2xT>) -> tensor<2x2xT>`,
	stablehlo.OpUnaryEinsum: `"stablehlo.unary_einsum"(%m) {einsum_config = "ab->a"} : (tensor<2x2xT>) -> tensor<2xT>`,
	stablehlo.OpConvolution: `"stablehlo.convolution"(%m, %m) {dimension_numbers = #stablehlo.conv<[b, f]x[o, i]->[b, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}
		: (tensor<2x2xT>, tensor<2x2xT>) -> tensor<2x2xT>`,
	stablehlo.OpDynamicConv: `"stablehlo.dynamic_conv"(%m, %m, %none) {dimension_numbers = #stablehlo.conv<[b, f]x[o, i]->[b, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}
		: (tensor<2x2xT>, tensor<2x2xT>, tensor<0x2xi64>) -> tensor<2x2xT>`,
	stablehlo.OpFft:             `"stablehlo.fft"(%v) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpCholesky:        `"stablehlo.cholesky"(%m) {lower = true} : (tensor<2x2xT>) -> tensor<2x2xT>`,
	stablehlo.OpTriangularSolve: `"stablehlo.triangular_solve"(%m, %m) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x2xT>, tensor<2x2xT>) -> tensor<2x2xT>`,
	stablehlo.OpBatchNormInference: `"stablehlo.batch_norm_inference"(%v, %v, %v, %v, %v) {epsilon = 0.5 : f32, feature_index = 0 : i64}
		: (tensor<4xT>, tensor<4xT>, tensor<4xT>, tensor<4xT>, tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpBatchNormTraining: `"stablehlo.batch_norm_training"(%v, %v, %v) {epsilon = 0.5 : f32, feature_index = 0 : i64}
		: (tensor<4xT>, tensor<4xT>, tensor<4xT>) -> (tensor<4xT>, tensor<4xT>, tensor<4xT>)`,
	stablehlo.OpBatchNormGrad: `"stablehlo.batch_norm_grad"(%v, %v, %v, %v, %v) {epsilon = 0.5 : f32, feature_index = 0 : i64}
		: (tensor<4xT>, tensor<4xT>, tensor<4xT>, tensor<4xT>, tensor<4xT>) -> (tensor<4xT>, tensor<4xT>, tensor<4xT>)`,
	stablehlo.OpChloRaggedDot: `"chlo.ragged_dot"(%m, %b, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
		lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<2x2xT>, tensor<2x2x2xT>, tensor<2xi64>) -> tensor<2x2xT>`,
	stablehlo.OpRng: `"stablehlo.rng"(%s, %s, %n) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<T>, tensor<T>, tensor<1xi64>) -> tensor<?xT>`,
	stablehlo.OpRngBitGenerator: `"stablehlo.rng_bit_generator"(%state) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}
		: (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xT>)`,

	stablehlo.OpReduce:           `"stablehlo.reduce"(%v, %s) ADD {dimensions = array<i64: 0>} : (tensor<4xT>, tensor<T>) -> tensor<T>`,
	stablehlo.OpReduceWindow:     `"stablehlo.reduce_window"(%v, %s) ADD {window_dimensions = array<i64: 2>} : (tensor<4xT>, tensor<T>) -> tensor<3xT>`,
	stablehlo.OpSelectAndScatter: `"stablehlo.select_and_scatter"(%v, %s2, %s) GREATER, ADD {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xT>, tensor<2xT>, tensor<T>) -> tensor<4xT>`,
	stablehlo.OpScatter: `"stablehlo.scatter"(%v, %n, %s1) ADD {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
		: (tensor<4xT>, tensor<1xi64>, tensor<1xT>) -> tensor<4xT>`,
	stablehlo.OpMap:      `"stablehlo.map"(%v, %v) ADD {dimensions = array<i64: 0>} : (tensor<4xT>, tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpSort:     `"stablehlo.sort"(%v) GREATER {dimension = 0 : i64} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpChloTopK: `"chlo.top_k"(%v) {k = 2 : i64} : (tensor<4xT>) -> (tensor<2xT>, tensor<2xi32>)`,
	stablehlo.OpChloScan: `"chlo.scan"(%v, %s) ({
		^bb0(%x: tensor<T>, %y: tensor<T>):
			"stablehlo.return"(%x, %y) : (tensor<T>, tensor<T>) -> ()
		}) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<4xT>, tensor<T>) -> (tensor<4xT>, tensor<T>)`,

	stablehlo.OpCall:       `"func.call"(%v) {callee = @same} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpComposite:  `"stablehlo.composite"(%v) {name = "my.op", decomposition = @same} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpCustomCall: `"stablehlo.custom_call"(%v) {call_target_name = "Sharding"} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpIf:         `"stablehlo.if"(%p) (YIELD, YIELD) : (tensor<i1>) -> tensor<4xT>`,
	stablehlo.OpCase:       `"stablehlo.case"(%k) (YIELD, YIELD) : (tensor<i32>) -> tensor<4xT>`,
	stablehlo.OpWhile: `"stablehlo.while"(%v) ({
		^bb0(%a: tensor<4xT>):
			%stop = "stablehlo.constant"() {value = dense<false> : tensor<i1>} : () -> tensor<i1>
			"stablehlo.return"(%stop) : (tensor<i1>) -> ()
		}, {
		^bb0(%a: tensor<4xT>):
			"stablehlo.return"(%a) : (tensor<4xT>) -> ()
		}) : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpTuple:               `"stablehlo.tuple"(%v, %t) : (tensor<4xT>, !stablehlo.token) -> tuple<tensor<4xT>, !stablehlo.token>`,
	stablehlo.OpGetTupleElement:     `"stablehlo.get_tuple_element"(%tuple) {index = 0 : i32} : (tuple<tensor<4xT>>) -> tensor<4xT>`,
	stablehlo.OpOptimizationBarrier: `"stablehlo.optimization_barrier"(%v, %t) : (tensor<4xT>, !stablehlo.token) -> (tensor<4xT>, !stablehlo.token)`,
	stablehlo.OpAfterAll:            `"stablehlo.after_all"(%t, %t) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token`,
	stablehlo.OpCreateToken:         `"stablehlo.create_token"() : () -> !stablehlo.token`,

	stablehlo.OpAllGather:           `"stablehlo.all_gather"(%v) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpAllReduce:           `"stablehlo.all_reduce"(%v) ADD {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpCrossReplicaSum:     `"stablehlo.cross-replica-sum"(%v) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpReduceScatter:       `"stablehlo.reduce_scatter"(%v) ADD {scatter_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpAllToAll:            `"stablehlo.all_to_all"(%v) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpCollectiveBroadcast: `"stablehlo.collective_broadcast"(%v) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpCollectivePermute:   `"stablehlo.collective_permute"(%v) {source_target_pairs = dense<0> : tensor<1x2xi64>} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpCollectiveReduce:    `"stablehlo.collective_reduce"(%v) ADD {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpReplicaId:           `"stablehlo.replica_id"() : () -> tensor<ui32>`,
	stablehlo.OpPartitionId:         `"stablehlo.partition_id"() : () -> tensor<ui32>`,
	stablehlo.OpInfeed:              `"stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<4xT>, !stablehlo.token)`,
	stablehlo.OpOutfeed:             `"stablehlo.outfeed"(%v, %t) : (tensor<4xT>, !stablehlo.token) -> !stablehlo.token`,
	stablehlo.OpSend:                `"stablehlo.send"(%v, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<4xT>, !stablehlo.token) -> !stablehlo.token`,
	stablehlo.OpRecv: `"stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false, source_target_pairs = dense<1> : tensor<1x2xi64>}
		: (!stablehlo.token) -> (tensor<4xT>, !stablehlo.token)`,
	stablehlo.OpAsyncDone: `"stablehlo.async_done"(%future) : (!stablehlo.future<tensor<4xT>>) -> tensor<4xT>`,

	stablehlo.OpChloBroadcastCompare: `"chlo.broadcast_compare"(%v, %s) {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4xT>, tensor<T>) -> tensor<4xi1>`,
	stablehlo.OpChloBroadcastComplex: `"chlo.broadcast_complex"(%v, %s) : (tensor<4xT>, tensor<T>) -> tensor<4xcomplex<T>>`,
	stablehlo.OpChloBroadcastSelect:  `"chlo.broadcast_select"(%p, %v, %s) : (tensor<i1>, tensor<4xT>, tensor<T>) -> tensor<4xT>`,
	stablehlo.OpComplex:              `"stablehlo.complex"(%v, %v) : (tensor<4xT>, tensor<4xT>) -> tensor<4xcomplex<T>>`,
	stablehlo.OpCompare:              `"stablehlo.compare"(%v, %v) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<4xT>, tensor<4xT>) -> tensor<4xi1>`,

	stablehlo.OpInterpPrint:              `"interpreter.print"(%v) : (tensor<4xT>) -> ()`,
	stablehlo.OpInterpProbe:              `"interpreter.probe"(%v) {probe_id = "x"} : (tensor<4xT>) -> tensor<4xT>`,
	stablehlo.OpCheckExpectEq:            `"check.expect_eq"(%v, %v) : (tensor<4xT>, tensor<4xT>) -> ()`,
	stablehlo.OpCheckExpectEqConst:       `"check.expect_eq_const"(%v) {value = dense<ONE> : tensor<4xT>} : (tensor<4xT>) -> ()`,
	stablehlo.OpCheckExpectAlmostEq:      `"check.expect_almost_eq"(%v, %v) : (tensor<4xT>, tensor<4xT>) -> ()`,
	stablehlo.OpCheckExpectAlmostEqConst: `"check.expect_almost_eq_const"(%v) {value = dense<ONE> : tensor<4xT>} : (tensor<4xT>) -> ()`,
	stablehlo.OpCheckExpectClose:         `"check.expect_close"(%v, %v) : (tensor<4xT>, tensor<4xT>) -> ()`,
	stablehlo.OpSdyShardingConstraint:    `"sdy.sharding_constraint"(%v) {sharding = #sdy.sharding<@mesh, [{}]>} : (tensor<4xT>) -> tensor<4xT>`,
}

// coveredByOtherTests reports where the other ops run.
var coveredByOtherTests = map[stablehlo.OpCode]string{
	stablehlo.OpModule:                  "every program",
	stablehlo.OpFunc:                    "every program",
	stablehlo.OpFuncReturn:              "every program",
	stablehlo.OpReturn:                  "every region",
	stablehlo.OpAsyncStart:              "the use of async_done",
	stablehlo.OpInterpRunParallel:       "testdata/parallel.mlir",
	stablehlo.OpCheckExpectSerializedEq: "testdata/annotations.mlir",
	stablehlo.OpSdyMesh:                 "the use of sdy.sharding_constraint",
	stablehlo.OpSdyManualComputation:    "testdata/annotations.mlir",
	stablehlo.OpSdyReturn:               "testdata/annotations.mlir",
}

// coverageArgs are the values that a use may name.
var coverageArgs = []struct{ name, typ string }{
	{"v", "tensor<4xT>"}, {"m", "tensor<2x2xT>"}, {"b", "tensor<2x2x2xT>"}, {"s", "tensor<T>"}, {"s1", "tensor<1xT>"},
	{"s2", "tensor<2xT>"},
	{"t", "!stablehlo.token"}, {"p", "tensor<i1>"}, {"n", "tensor<1xi64>"}, {"i", "tensor<i64>"}, {"k", "tensor<i32>"},
	{"none", "tensor<0x2xi64>"}, {"sizes", "tensor<2xi64>"}, {"state", "tensor<2xui64>"},
	{"tuple", "tuple<tensor<4xT>>"},
}

// TestEveryOpRuns runs every op of the table on every element type that the
// verifier accepts for it: each combination must have a meaning.
func TestEveryOpRuns(t *testing.T) {
	infeed := WithInfeed(func(types []*stablehlo.TensorType) (out []*Tensor, err error) {
		for _, t := range types {
			out = append(out, ones(t).(*Tensor))
		}
		return out, nil
	})
	for code, info := range stablehlo.Ops() {
		use, ok := coverage[code]
		if _, elsewhere := coveredByOtherTests[code]; elsewhere {
			continue
		}
		if !ok {
			use = elementwiseUse(info)
		}
		t.Run(info.Name, func(t *testing.T) {
			var accepted []string
			for _, elem := range coverageElems() {
				text := coverageProgram(use, elem)
				if verifyText(text) != nil {
					continue
				}
				it := prepare(t, &stablehlo.Source{Name: "p.mlir", Text: []byte(text)}, infeed)
				accepted = append(accepted, elem)
				if meaningless(code, use, elem) {
					continue
				}
				f, _ := it.module.Func("main")
				var args []Value
				for _, in := range f.Type().Ins {
					args = append(args, ones(in))
				}
				if _, err := it.Call(context.Background(), "main", args...); err != nil {
					t.Errorf("%s: %v", elem, err)
				}
			}
			if len(accepted) == 0 {
				t.Fatalf("no element type is accepted, not even f32: %v", verifyText(coverageProgram(use, "f32")))
			}
			t.Logf("%d element types: %s", len(accepted), strings.Join(accepted, " "))
		})
	}
}

func verifyText(text string) error {
	m, err := stablehlo.Parse("p.mlir", []byte(text))
	if err == nil {
		err = m.Verify()
	}
	return err
}

// meaningless reports element types that the dialect allows for an op without a specified meaning.
func meaningless(code stablehlo.OpCode, use, elem string) bool {
	if plain, ok := code.Plain(); ok { // the plain op rejects it after broadcasting
		text := coverageProgram(elementwiseUse(plain.Info()), elem)
		if own, ok := coverage[plain]; ok {
			text = coverageProgram(own, elem)
		}
		return verifyText(text) != nil || meaningless(plain, use, elem)
	}
	switch code {
	case stablehlo.OpRemainder, stablehlo.OpChloBesselI1e:
		return strings.HasPrefix(elem, "complex")
	case stablehlo.OpChloConstantLike: // no number is of a quantised type
		return strings.Contains(elem, "quant")
	}
	return false
}

// coverageElems returns all element types.
func coverageElems() []string {
	var out []string
	for d := dtype.Invalid + 1; d.IsValid(); d++ {
		out = append(out, stablehlo.Scalar(d).String())
	}
	return append(out, "!quant.uniform<i8:f32, 0.5:-3>", "!quant.uniform<ui4:bf16, 2.0:1>",
		"!quant.uniform<i32:f64, 0.25>",
		"!quant.uniform<i8:f32:0, {0.5:-3, 1.0, 2.0:5, 1.0}>")
}

// elementwiseUse is the use of an op of one or two operands of one type.
func elementwiseUse(info *stablehlo.OpInfo) string {
	operands := strings.Repeat(", %v", len(info.Operands))[2:]
	types := strings.Repeat(", tensor<4xT>", len(info.Operands))[2:]
	return fmt.Sprintf("%q(%s) : (%s) -> tensor<4xR>", info.Name, operands, types)
}

// coverageProgram makes a program of a use.
func coverageProgram(use, elem string) string {
	one, number := "1", "1 : "+elem
	switch {
	case elem == "i1":
		one, number = "true", "true"
	case strings.HasPrefix(elem, "complex"):
		one = "(1.0, 0.0)"
	case strings.HasPrefix(elem, "f") || elem == "bf16":
		one, number = "1.0", "1.0 : "+elem
	}
	result := elem
	if strings.HasPrefix(elem, "complex") &&
		(strings.Contains(use, ".abs") || strings.Contains(use, ".real") || strings.Contains(use, ".imag")) {
		result = strings.TrimSuffix(strings.TrimPrefix(elem, "complex<"), ">")
	}
	if strings.Contains(use, ".is_") {
		result = "i1"
	}
	body := strings.NewReplacer(
		"ADD", `({^bb0(%x: tensor<T>, %y: tensor<T>):
			%r = "stablehlo.add"(%x, %y) : (tensor<T>, tensor<T>) -> tensor<T>
			"stablehlo.return"(%r) : (tensor<T>) -> ()})`,
		"GREATER", `({^bb0(%x: tensor<T>, %y: tensor<T>):
			%r = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<T>, tensor<T>) -> tensor<i1>
			"stablehlo.return"(%r) : (tensor<i1>) -> ()})`,
		"YIELD", `{"stablehlo.return"(%v) : (tensor<4xT>) -> ()}`,
		"ONE", one, "NUMBER", number, "xR>", "x"+result+">").Replace(use)
	body = strings.ReplaceAll(body, "}), ({", "}, {")
	var args []string
	for _, a := range coverageArgs {
		if strings.Contains(body, "%"+a.name+")") || strings.Contains(body, "%"+a.name+",") {
			args = append(args, "%"+a.name+": "+a.typ)
		}
	}
	before := ""
	if strings.Contains(body, "%future") {
		args = append(args, "%v: tensor<4xT>")
		before = `%future = "stablehlo.async_start"(%v) ({
		^bb0(%a: tensor<4xT>):
			%g = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xT>) -> tensor<4xT>
			"stablehlo.return"(%g) : (tensor<4xT>) -> ()
		}) : (tensor<4xT>) -> !stablehlo.future<tensor<4xT>>`
	}
	names := ""
	if types := body[strings.LastIndex(body, "->"):]; strings.HasPrefix(types, "-> (") {
		if n := strings.Count(types, ",") + 1; types != "-> ()" {
			names = fmt.Sprintf("%%out:%d = ", n)
		}
	} else {
		names = "%out = "
	}
	text := "sdy.mesh @mesh = <[\"x\"=1]>\nfunc.func private @same(%x: tensor<4xT>) -> tensor<4xT> { return %x : tensor<4xT> }\n" +
		"func.func @main(" + strings.Join(args, ", ") + ") {\n" + before + "\n" + names + body + "\nreturn\n}"
	return strings.NewReplacer("xT", "x"+elem, "<T>", "<"+elem+">").Replace(text)
}

// ones returns a value full of ones.
func ones(t stablehlo.Type) Value {
	switch t := t.(type) {
	case *stablehlo.TensorType:
		x, err := makeTensor(t, t.Dims...)
		if err != nil {
			panic(err)
		}
		d := x.Type.DType()
		for i := range x.numElems() {
			switch {
			case d.IsComplex():
				d.StoreComplex(x.Data, i, 1)
			case d.IsFloat():
				d.StoreFloat(x.Data, i, 1)
			default:
				d.StoreInt(x.Data, i, 1)
			}
		}
		return x
	case *stablehlo.TupleType:
		var v Tuple
		for _, e := range t.Elems {
			v = append(v, ones(e))
		}
		return v
	}
	return Token{}
}
