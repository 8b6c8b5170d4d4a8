package main

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

var (
	f32    = []dtype.Type{dtype.F32}
	floats = []dtype.Type{dtype.F32, dtype.F64}
	some   = []dtype.Type{dtype.S8, dtype.S32, dtype.F32, dtype.F64}
)

const isInf = "%x: tensor<256x256xT> -> tensor<256x256xi1>"

// special are the uses of ops that are not elementwise on operands of one type.
var special = map[stablehlo.OpCode][]use{
	stablehlo.OpClamp: {{signature: "%l: tensor<T>, %x: tensor<256x256xT>, %h: tensor<T> -> tensor<256x256xT>",
		body: `%r = stablehlo.clamp %l, %x, %h : (tensor<T>, tensor<256x256xT>, tensor<T>) -> tensor<256x256xT>`}},
	stablehlo.OpSelect: {
		{signature: "%p: tensor<256x256xi1>, %x: tensor<256x256xT>, %y: tensor<256x256xT> -> tensor<256x256xT>",
			body: `%r = stablehlo.select %p, %x, %y : tensor<256x256xi1>, tensor<256x256xT>`}},
	stablehlo.OpCompare: {{signature: "%x: tensor<256x256xT>, %y: tensor<256x256xT> -> tensor<256x256xi1>",
		body: `%r = stablehlo.compare EQ, %x, %y : (tensor<256x256xT>, tensor<256x256xT>) -> tensor<256x256xi1>`}},
	stablehlo.OpChloIsInf: {
		{signature: isInf, body: `%r = "chlo.is_inf"(%x) : (tensor<256x256xT>) -> tensor<256x256xi1>`}},
	stablehlo.OpChloIsPosInf: {
		{signature: isInf, body: `%r = "chlo.is_pos_inf"(%x) : (tensor<256x256xT>) -> tensor<256x256xi1>`}},
	stablehlo.OpChloIsNegInf: {
		{signature: isInf, body: `%r = "chlo.is_neg_inf"(%x) : (tensor<256x256xT>) -> tensor<256x256xi1>`}},
	stablehlo.OpComplex: {{signature: "%x: tensor<256x256xT>, %y: tensor<256x256xT> -> tensor<256x256xcomplex<T>>",
		body: `%r = stablehlo.complex %x, %y : tensor<256x256xcomplex<T>>`}},
	stablehlo.OpReducePrecision: {{signature: "%x: tensor<256x256xT> -> tensor<256x256xT>",
		body: `%r = stablehlo.reduce_precision %x, format = e5m2 : tensor<256x256xT>`}},
	stablehlo.OpConvert: {
		{name: "f32_from", signature: "%x: tensor<256x256xT> -> tensor<256x256xf32>",
			body: `%r = stablehlo.convert %x : (tensor<256x256xT>) -> tensor<256x256xf32>`,
			elems: []dtype.Type{dtype.Bool, dtype.S8, dtype.S32, dtype.S64, dtype.U8, dtype.BF16,
				dtype.F16, dtype.F64}},
		{name: "f32_to", signature: "%x: tensor<256x256xf32> -> tensor<256x256xT>",
			body: `%r = stablehlo.convert %x : (tensor<256x256xf32>) -> tensor<256x256xT>`,
			elems: []dtype.Type{dtype.Bool, dtype.S8, dtype.S32, dtype.S64, dtype.U8, dtype.BF16,
				dtype.F16, dtype.F64}},
		{name: "i32_from", signature: "%x: tensor<256x256xT> -> tensor<256x256xi32>",
			body:  `%r = stablehlo.convert %x : (tensor<256x256xT>) -> tensor<256x256xi32>`,
			elems: []dtype.Type{dtype.Bool, dtype.S8, dtype.S64, dtype.U8}},
	},
	stablehlo.OpBitcastConvert: {
		{name: "same", signature: "%x: tensor<256x256xf32> -> tensor<256x256xT>",
			body:  `%r = stablehlo.bitcast_convert %x : (tensor<256x256xf32>) -> tensor<256x256xT>`,
			elems: []dtype.Type{dtype.S32}},
		{name: "narrow", signature: "%x: tensor<256x64xf32> -> tensor<256x64x4xT>",
			body:  `%r = stablehlo.bitcast_convert %x : (tensor<256x64xf32>) -> tensor<256x64x4xT>`,
			elems: []dtype.Type{dtype.U8}},
		{name: "wide", signature: "%x: tensor<256x64x4xui8> -> tensor<256x64xT>",
			body: `%r = stablehlo.bitcast_convert %x : (tensor<256x64x4xui8>) -> tensor<256x64xT>`, elems: f32},
	},
	stablehlo.OpMap: {{signature: "%x: tensor<256x256xT>, %y: tensor<256x256xT> -> tensor<256x256xT>", body: `
		%r = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
		^bb0(%a: tensor<T>, %b: tensor<T>):
		%0 = stablehlo.multiply %a, %b : tensor<T>
		%1 = stablehlo.add %0, %b : tensor<T>
		stablehlo.return %1 : tensor<T>
		}) : (tensor<256x256xT>, tensor<256x256xT>) -> tensor<256x256xT>`, elems: some}},

	stablehlo.OpIota: {{signature: " -> tensor<256x256xT>", body: `%r = stablehlo.iota dim = 0 : tensor<256x256xT>`,
		elems: some}},
	stablehlo.OpBroadcastInDim: {
		{name: "rows", signature: "%x: tensor<256xT> -> tensor<256x256xT>",
			body: `%r = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<256xT>) -> tensor<256x256xT>`, elems: some},
		{name: "columns", signature: "%x: tensor<256xT> -> tensor<256x256xT>",
			body: `%r = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<256xT>) -> tensor<256x256xT>`, elems: some},
	},
	stablehlo.OpReshape: {{signature: "%x: tensor<256x256xT> -> tensor<65536xT>",
		body: `%r = stablehlo.reshape %x : (tensor<256x256xT>) -> tensor<65536xT>`, elems: f32}},
	stablehlo.OpTranspose: {
		{signature: "%x: tensor<256x256xT> -> tensor<256x256xT>",
			body: `%r = stablehlo.transpose %x, dims = [1, 0] : (tensor<256x256xT>) -> tensor<256x256xT>`, elems: some},
		{name: "inner", signature: "%x: tensor<256x16x16xT> -> tensor<256x16x16xT>",
			body: `%r = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<256x16x16xT>) -> tensor<256x16x16xT>`, elems: some},
		{name: "outer", signature: "%x: tensor<64x32x32xT> -> tensor<32x64x32xT>",
			body: `%r = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<64x32x32xT>) -> tensor<32x64x32xT>`, elems: some},
	},
	stablehlo.OpReverse: {
		{name: "rows", signature: "%x: tensor<256x256xT> -> tensor<256x256xT>",
			body: `%r = stablehlo.reverse %x, dims = [0] : tensor<256x256xT>`, elems: some},
		{name: "columns", signature: "%x: tensor<256x256xT> -> tensor<256x256xT>",
			body: `%r = stablehlo.reverse %x, dims = [1] : tensor<256x256xT>`, elems: some},
	},
	stablehlo.OpSlice: {
		{name: "part", signature: "%x: tensor<512x512xT> -> tensor<256x256xT>",
			body: `%r = stablehlo.slice %x [100:356, 100:356] : (tensor<512x512xT>) -> tensor<256x256xT>`, elems: some},
		{name: "strided", signature: "%x: tensor<256x512xT> -> tensor<256x256xT>",
			body: `%r = stablehlo.slice %x [0:256, 0:512:2] : (tensor<256x512xT>) -> tensor<256x256xT>`, elems: some},
	},
	stablehlo.OpDynamicSlice: {{signature: "%x: tensor<512x512xT>, %i: tensor<i32> -> tensor<256x256xT>",
		body: `%r = stablehlo.dynamic_slice %x, %i, %i, sizes = [256, 256] : (tensor<512x512xT>, tensor<i32>, tensor<i32>) -> tensor<256x256xT>`, elems: some}},
	stablehlo.OpDynamicUpdateSlice: {
		{signature: "%x: tensor<512x512xT>, %y: tensor<256x256xT>, %i: tensor<i32> -> tensor<512x512xT>",
			body: `%r = stablehlo.dynamic_update_slice %x, %y, %i, %i : (tensor<512x512xT>, tensor<256x256xT>, tensor<i32>, tensor<i32>) -> tensor<512x512xT>`, elems: some}},
	stablehlo.OpConcatenate: {
		{name: "rows", signature: "%x: tensor<128x256xT>, %y: tensor<128x256xT> -> tensor<256x256xT>",
			body:  `%r = stablehlo.concatenate %x, %y, dim = 0 : (tensor<128x256xT>, tensor<128x256xT>) -> tensor<256x256xT>`,
			elems: some},
		{name: "columns", signature: "%x: tensor<256x128xT>, %y: tensor<256x128xT> -> tensor<256x256xT>",
			body:  `%r = stablehlo.concatenate %x, %y, dim = 1 : (tensor<256x128xT>, tensor<256x128xT>) -> tensor<256x256xT>`,
			elems: some},
	},
	stablehlo.OpPad: {
		{name: "edges", signature: "%x: tensor<254x254xT>, %z: tensor<T> -> tensor<256x256xT>",
			body: `%r = stablehlo.pad %x, %z, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<254x254xT>, tensor<T>) -> tensor<256x256xT>`, elems: some},
		{name: "interior", signature: "%x: tensor<256x128xT>, %z: tensor<T> -> tensor<256x255xT>",
			body: `%r = stablehlo.pad %x, %z, low = [0, 0], high = [0, 0], interior = [0, 1] : (tensor<256x128xT>, tensor<T>) -> tensor<256x255xT>`, elems: some},
	},
	stablehlo.OpGather: {
		{name: "elements", signature: "%x: tensor<65536xT>, %i: tensor<65536x1xi32> -> tensor<65536xT>",
			body: `%r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<65536xT>, tensor<65536x1xi32>) -> tensor<65536xT>`, elems: some},
		{name: "rows", signature: "%x: tensor<256x256xT>, %i: tensor<256x1xi32> -> tensor<256x256xT>",
			body: `%r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 256>}> : (tensor<256x256xT>, tensor<256x1xi32>) -> tensor<256x256xT>`, elems: some},
	},
	stablehlo.OpScatter: {
		{name: "add", signature: "%x: tensor<65536xT>, %i: tensor<65536x1xi32>, %u: tensor<65536xT> -> tensor<65536xT>",
			body: scatter("65536", "65536x1", "65536", "", "%0 = stablehlo.add %a, %b : tensor<T>", "%0"), elems: some},
		{name: "set", signature: "%x: tensor<65536xT>, %i: tensor<65536x1xi32>, %u: tensor<65536xT> -> tensor<65536xT>",
			body: scatter("65536", "65536x1", "65536", "", "", "%b"), elems: some},
		{name: "rows", signature: "%x: tensor<256x256xT>, %i: tensor<256x1xi32>, %u: tensor<256x256xT> -> tensor<256x256xT>",
			body: scatter("256x256", "256x1", "256x256", "update_window_dims = [1], ",
				"%0 = stablehlo.add %a, %b : tensor<T>",
				"%0"), elems: some},
	},

	stablehlo.OpDotGeneral: {
		{signature: "%x: tensor<128x128xT>, %y: tensor<128x128xT> -> tensor<128x128xT>",
			body:  `%r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<128x128xT>, tensor<128x128xT>) -> tensor<128x128xT>`,
			elems: []dtype.Type{dtype.S8, dtype.S32, dtype.BF16, dtype.F32, dtype.F64, dtype.C64}},
		{name: "vector", signature: "%x: tensor<256x256xT>, %y: tensor<256xT> -> tensor<256xT>",
			body: `%r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<256x256xT>, tensor<256xT>) -> tensor<256xT>`, elems: some},
		{name: "batched", signature: "%x: tensor<64x32x32xT>, %y: tensor<64x32x32xT> -> tensor<64x32x32xT>",
			body: `%r = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<64x32x32xT>, tensor<64x32x32xT>) -> tensor<64x32x32xT>`, elems: some},
	},
	stablehlo.OpConvolution: {{signature: "%x: tensor<4x32x32x16xT>, %k: tensor<3x3x16x16xT> -> tensor<4x32x32x16xT>",
		body: `%r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x32x32x16xT>, tensor<3x3x16x16xT>) -> tensor<4x32x32x16xT>`, elems: floats},
		{name: "depthwise", signature: "%x: tensor<4x32x32x16xT>, %k: tensor<3x3x1x16xT> -> tensor<4x32x32x16xT>",
			body: `%r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 16 : i64} : (tensor<4x32x32x16xT>, tensor<3x3x1x16xT>) -> tensor<4x32x32x16xT>`, elems: f32}},
	stablehlo.OpFft: {
		{signature: "%x: tensor<64x1024xT> -> tensor<64x1024xT>",
			body:  `%r = stablehlo.fft %x, type = FFT, length = [1024] : (tensor<64x1024xT>) -> tensor<64x1024xT>`,
			elems: []dtype.Type{dtype.C64, dtype.C128}},
		{name: "real", signature: "%x: tensor<64x1024xT> -> tensor<64x513xcomplex<T>>",
			body:  `%r = stablehlo.fft %x, type = RFFT, length = [1024] : (tensor<64x1024xT>) -> tensor<64x513xcomplex<T>>`,
			elems: floats},
	},
	stablehlo.OpCholesky: {{signature: "%x: tensor<128x128xT> -> tensor<128x128xT>", body: `
		%0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<128x128xT>, tensor<128x128xT>) -> tensor<128x128xT>
		%i = stablehlo.iota dim = 0 : tensor<128x128xi32>
		%j = stablehlo.iota dim = 1 : tensor<128x128xi32>
		%p = stablehlo.compare EQ, %i, %j : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
		%1 = stablehlo.convert %p : (tensor<128x128xi1>) -> tensor<128x128xT>
		%2 = stablehlo.add %0, %1 : tensor<128x128xT>
		%r = stablehlo.cholesky %2, lower = true : tensor<128x128xT>`, elems: floats}},
	stablehlo.OpTriangularSolve: {{signature: "%x: tensor<128x128xT>, %b: tensor<128x128xT> -> tensor<128x128xT>", body: `
		%i = stablehlo.iota dim = 0 : tensor<128x128xi32>
		%j = stablehlo.iota dim = 1 : tensor<128x128xi32>
		%p = stablehlo.compare EQ, %i, %j : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
		%c = stablehlo.constant dense<99.0> : tensor<128x128xT>
		%1 = stablehlo.select %p, %c, %x : tensor<128x128xi1>, tensor<128x128xT>
		%r = "stablehlo.triangular_solve"(%1, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<128x128xT>, tensor<128x128xT>) -> tensor<128x128xT>`, elems: floats}},
	stablehlo.OpBatchNormInference: {
		{
			signature: "%x: tensor<16x64x64xT>, %s: tensor<64xT>, %o: tensor<64xT>, %m: tensor<64xT>, %v: tensor<64xT> -> tensor<16x64x64xT>", body: `
		%w = stablehlo.multiply %v, %v : tensor<64xT>
		%r = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %w) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<16x64x64xT>, tensor<64xT>, tensor<64xT>, tensor<64xT>, tensor<64xT>) -> tensor<16x64x64xT>`, elems: f32}},
	stablehlo.OpBatchNormTraining: {
		{signature: "%x: tensor<16x64x64xT>, %s: tensor<64xT>, %o: tensor<64xT> -> tensor<16x64x64xT>", body: `
		%r, %m, %v = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<16x64x64xT>, tensor<64xT>, tensor<64xT>) -> (tensor<16x64x64xT>, tensor<64xT>, tensor<64xT>)`, elems: f32}},
	stablehlo.OpBatchNormGrad: {
		{
			signature: "%x: tensor<16x64x64xT>, %s: tensor<64xT>, %m: tensor<64xT>, %v: tensor<64xT>, %g: tensor<16x64x64xT> -> tensor<16x64x64xT>", body: `
		%w = stablehlo.multiply %v, %v : tensor<64xT>
		%r, %gs, %go = "stablehlo.batch_norm_grad"(%x, %s, %m, %w, %g) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<16x64x64xT>, tensor<64xT>, tensor<64xT>, tensor<64xT>, tensor<16x64x64xT>) -> (tensor<16x64x64xT>, tensor<64xT>, tensor<64xT>)`, elems: f32}},
	stablehlo.OpRngBitGenerator: {
		{name: "threefry", signature: "%s: tensor<2xui64> -> tensor<65536xT>",
			body:  `%n, %r = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<65536xT>)`,
			elems: []dtype.Type{dtype.U32, dtype.U64}},
		{name: "philox", signature: "%s: tensor<2xui64> -> tensor<65536xT>",
			body:  `%n, %r = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<65536xT>)`,
			elems: []dtype.Type{dtype.U32, dtype.U64}},
	},

	stablehlo.OpReduce: {
		{name: "add_rows", signature: "%x: tensor<256x256xT> -> tensor<256xT>",
			body: reduce("add", "[1]", "tensor<256xT>")},
		{name: "add_columns", signature: "%x: tensor<256x256xT> -> tensor<256xT>",
			body: reduce("add", "[0]", "tensor<256xT>")},
		{name: "add_all", signature: "%x: tensor<256x256xT> -> tensor<T>", body: reduce("add", "[0, 1]", "tensor<T>")},
		{name: "multiply_rows", signature: "%x: tensor<256x256xT> -> tensor<256xT>",
			body: reduce("multiply", "[1]", "tensor<256xT>")},
		{name: "maximum_rows", signature: "%x: tensor<256x256xT> -> tensor<256xT>",
			body: reduce("maximum", "[1]", "tensor<256xT>")},
		{name: "minimum_columns", signature: "%x: tensor<256x256xT> -> tensor<256xT>",
			body: reduce("minimum", "[0]", "tensor<256xT>")},
		{name: "or_rows", signature: "%x: tensor<256x256xT> -> tensor<256xT>",
			body: reduce("or", "[1]", "tensor<256xT>")},
	},
	stablehlo.OpReduceWindow: {
		{name: "add_3x3", signature: "%x: tensor<256x256xT> -> tensor<254x254xT>",
			body: window("add", "3, 3", "[[0, 0], [0, 0]]", "tensor<254x254xT>"), elems: some},
		{name: "maximum_2x2", signature: "%x: tensor<256x256xT> -> tensor<255x255xT>",
			body: window("maximum", "2, 2", "[[0, 0], [0, 0]]", "tensor<255x255xT>"), elems: some},
		{name: "cumulative_rows", signature: "%x: tensor<256x256xT> -> tensor<256x256xT>",
			body: window("add", "1, 256", "[[0, 0], [255, 0]]", "tensor<256x256xT>"), elems: some},
	},
	stablehlo.OpSelectAndScatter: {{signature: "%x: tensor<256x256xT>, %s: tensor<128x128xT> -> tensor<256x256xT>", body: `
		%z = stablehlo.constant dense<ZERO> : tensor<T>
		%r = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
		^bb0(%a: tensor<T>, %b: tensor<T>):
		%0 = stablehlo.compare GE, %a, %b : (tensor<T>, tensor<T>) -> tensor<i1>
		stablehlo.return %0 : tensor<i1>
		}, {
		^bb0(%a: tensor<T>, %b: tensor<T>):
		%0 = stablehlo.add %a, %b : tensor<T>
		stablehlo.return %0 : tensor<T>
		}) : (tensor<256x256xT>, tensor<128x128xT>, tensor<T>) -> tensor<256x256xT>`, elems: some}},
	stablehlo.OpSort: {
		{name: "rows", signature: "%x: tensor<64x1024xT> -> tensor<64x1024xT>", body: sort("1"), elems: some},
		{name: "columns", signature: "%x: tensor<64x1024xT> -> tensor<64x1024xT>", body: sort("0"), elems: some},
	},
	stablehlo.OpChloTopK: {{signature: "%x: tensor<64x1024xT> -> tensor<64x8xT>",
		body:  `%r, %i = chlo.top_k(%x, k = 8) : tensor<64x1024xT> -> (tensor<64x8xT>, tensor<64x8xi32>)`,
		elems: []dtype.Type{dtype.F32, dtype.S32}}},

	stablehlo.OpIf: {{signature: "%p: tensor<i1>, %x: tensor<256x256xT> -> tensor<256x256xT>", body: `
		%r = "stablehlo.if"(%p) ({
		%0 = stablehlo.negate %x : tensor<256x256xT>
		stablehlo.return %0 : tensor<256x256xT>
		}, {
		stablehlo.return %x : tensor<256x256xT>
		}) : (tensor<i1>) -> tensor<256x256xT>`, elems: f32}},
	stablehlo.OpCase: {{signature: "%p: tensor<i32>, %x: tensor<256x256xT> -> tensor<256x256xT>", body: `
		%r = "stablehlo.case"(%p) ({
		%0 = stablehlo.negate %x : tensor<256x256xT>
		stablehlo.return %0 : tensor<256x256xT>
		}, {
		%0 = stablehlo.sqrt %x : tensor<256x256xT>
		stablehlo.return %0 : tensor<256x256xT>
		}) : (tensor<i32>) -> tensor<256x256xT>`, elems: f32}},
	stablehlo.OpWhile: {
		{name: "vector", signature: "%x: tensor<1024xT> -> tensor<1024xT>", body: loop("tensor<1024xT>"), elems: some},
		{name: "scalar", signature: "%x: tensor<T> -> tensor<T>", body: loop("tensor<T>"), elems: some},
	},
}

// reduce reduces %x by an op.
func reduce(op, dims, result string) string {
	return `%z = stablehlo.constant dense<ONE> : tensor<T>
		%r = stablehlo.reduce(%x init: %z) applies stablehlo.` + op + ` across dimensions = ` + dims +
		` : (tensor<256x256xT>, tensor<T>) -> ` + result
}

// window reduces windows of %x by an op.
func window(op, sizes, padding, result string) string {
	return `%z = stablehlo.constant dense<ZERO> : tensor<T>
		%r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: ` + sizes + `>, padding = dense<` +
		padding + `> : tensor<2x2xi64>}> ({
		^bb0(%a: tensor<T>, %b: tensor<T>):
		%0 = stablehlo.` + op + ` %a, %b : tensor<T>
		stablehlo.return %0 : tensor<T>
		}) : (tensor<256x256xT>, tensor<T>) -> ` + result
}

// scatter combines %u with %x at %i.
func scatter(input, indices, updates, dims, op, result string) string {
	return `%r = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, unique_indices = false, scatter_dimension_numbers = #stablehlo.scatter<` + dims + `inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
		^bb0(%a: tensor<T>, %b: tensor<T>):
		` + op + `
		stablehlo.return ` + result + ` : tensor<T>
		}) : (tensor<` + input + `xT>, tensor<` + indices + `xi32>, tensor<` + updates + `xT>) -> tensor<` + input + `xT>`
}

// sort sorts %x along a dimension.
func sort(dim string) string {
	return `%r = "stablehlo.sort"(%x) <{dimension = ` + dim + ` : i64, is_stable = true}> ({
		^bb0(%a: tensor<T>, %b: tensor<T>):
		%0 = stablehlo.compare LT, %a, %b : (tensor<T>, tensor<T>) -> tensor<i1>
		stablehlo.return %0 : tensor<i1>
		}) : (tensor<64x1024xT>) -> tensor<64x1024xT>`
}

// loop adds %x to itself a thousand times.
func loop(t string) string {
	return `%zero = stablehlo.constant dense<0> : tensor<i32>
		%n, %r = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, ` + t + `
		cond {
		%end = stablehlo.constant dense<1000> : tensor<i32>
		%p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
		stablehlo.return %p : tensor<i1>
		} do {
		%one = stablehlo.constant dense<1> : tensor<i32>
		%j = stablehlo.add %i, %one : tensor<i32>
		%z = stablehlo.add %y, %x : ` + t + `
		stablehlo.return %j, %z : tensor<i32>, ` + t + `
		}`
}
