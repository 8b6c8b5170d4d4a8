package growth

import "github.com/go-nx/nx/stablehlo"

// links are those of the ops whose operands or attributes need more than one type.
var links = map[stablehlo.OpCode][]link{
	stablehlo.OpConstant: {{"", "f32", `
  %c$ = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<T>
  %s$ = stablehlo.subtract %c$, %X : tensor<T>
  %Y = stablehlo.sine %s$ : tensor<T>`}},
	stablehlo.OpIota: {{"", "f32", `
  %c$ = stablehlo.iota dim = 0 : tensor<T>
  %Y = stablehlo.subtract %c$, %X : tensor<T>`}, {"as indices", "f32", `
  %c$ = stablehlo.iota dim = 0 : tensor<8x1xi32>
  %Y = "stablehlo.gather"(%X, %c$) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<T>, tensor<8x1xi32>) -> tensor<T>`}},
	stablehlo.OpDynamicIota: {{"", "f32", `
  %c$ = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<T>
  %Y = stablehlo.subtract %c$, %X : tensor<T>`}},
	stablehlo.OpCompare: {{"and select", "f32", `
  %p$ = stablehlo.compare LT, %X, %arg1 : (tensor<T>, tensor<T>) -> tensor<8xi1>
  %Y = stablehlo.select %p$, %arg1, %X : tensor<8xi1>, tensor<T>`}, {"of integers", "i32", `
  %p$ = stablehlo.compare EQ, %X, %arg1 : (tensor<T>, tensor<T>) -> tensor<8xi1>
  %Y = stablehlo.convert %p$ : (tensor<8xi1>) -> tensor<T>`}, {"of bools", "i1", `
  %Y = stablehlo.compare NE, %X, %arg1 : (tensor<T>, tensor<T>) -> tensor<T>`}},
	stablehlo.OpSelect: {{"of a constant", "f32", `
  %Y = stablehlo.select %less, %X, %arg1 : tensor<8xi1>, tensor<T>`}, {"by bools", "i1", `
  %Y = stablehlo.select %X, %arg1, %X : tensor<T>, tensor<T>`}, {"with one", "f32", `
  %p$ = stablehlo.compare LT, %arg0, %arg1 : (tensor<T>, tensor<T>) -> tensor<8xi1>
  %c$ = stablehlo.constant dense<1.0> : tensor<T>
  %Y = stablehlo.select %p$, %X, %c$ : tensor<8xi1>, tensor<T>`}},
	stablehlo.OpClamp: {{"", "f32", `
  %Y = stablehlo.clamp %zero, %X, %arg1 : (tensor<f32>, tensor<T>, tensor<T>) -> tensor<T>`}, {"of integers", "i32", `
  %Y = stablehlo.clamp %i, %X, %i : (tensor<i32>, tensor<T>, tensor<i32>) -> tensor<T>`}},
	stablehlo.OpConvert: {{"there and back", "f32", `
  %h$ = stablehlo.convert %X : (tensor<T>) -> tensor<8xf16>
  %Y = stablehlo.convert %h$ : (tensor<8xf16>) -> tensor<T>`}, {"to integers", "f32", `
  %h$ = stablehlo.convert %X : (tensor<T>) -> tensor<8xi32>
  %Y = stablehlo.convert %h$ : (tensor<8xi32>) -> tensor<T>`}, {"to wider integers", "i32", `
  %h$ = stablehlo.convert %X : (tensor<T>) -> tensor<8xi64>
  %Y = stablehlo.convert %h$ : (tensor<8xi64>) -> tensor<T>`}},
	stablehlo.OpBitcastConvert: {{"there and back", "f32", `
  %b$ = stablehlo.bitcast_convert %X : (tensor<T>) -> tensor<8xi32>
  %s$ = stablehlo.add %b$, %b$ : tensor<8xi32>
  %Y = stablehlo.bitcast_convert %s$ : (tensor<8xi32>) -> tensor<T>`}, {"to bytes", "f32", `
  %b$ = stablehlo.bitcast_convert %X : (tensor<T>) -> tensor<8x4xi8>
  %r$ = stablehlo.reverse %b$, dims = [1] : tensor<8x4xi8>
  %Y = stablehlo.bitcast_convert %r$ : (tensor<8x4xi8>) -> tensor<T>`}},
	stablehlo.OpReducePrecision: {{"", "f32", `
  %Y = stablehlo.reduce_precision %X, format = e5m2 : tensor<T>`}},
	stablehlo.OpComplex: {{"and its parts", "f32", `
  %z$ = stablehlo.complex %X, %arg1 : tensor<8xcomplex<f32>>
  %w$ = stablehlo.multiply %z$, %z$ : tensor<8xcomplex<f32>>
  %Y = stablehlo.imag %w$ : (tensor<8xcomplex<f32>>) -> tensor<T>`}},
	stablehlo.OpMap: {{"", "f32", `
  %Y = "stablehlo.map"(%X, %arg1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) : (tensor<T>, tensor<T>) -> tensor<T>`}},

	stablehlo.OpReshape: {{"", "f32", `
  %m$ = stablehlo.reshape %X : (tensor<T>) -> tensor<2x4xf32>
  %a$ = stablehlo.negate %m$ : tensor<2x4xf32>
  %Y = stablehlo.reshape %a$ : (tensor<2x4xf32>) -> tensor<T>`}, {"and transpose", "f32", `
  %m$ = stablehlo.reshape %X : (tensor<T>) -> tensor<2x4xf32>
  %t$ = stablehlo.transpose %m$, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %Y = stablehlo.reshape %t$ : (tensor<4x2xf32>) -> tensor<T>`}},
	stablehlo.OpTranspose: {{"of a sum", "f32", `
  %m$ = stablehlo.reshape %X : (tensor<T>) -> tensor<2x4xf32>
  %t$ = stablehlo.transpose %m$, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %k$ = stablehlo.reshape %arg1 : (tensor<T>) -> tensor<4x2xf32>
  %a$ = stablehlo.add %t$, %k$ : tensor<4x2xf32>
  %Y = stablehlo.reshape %a$ : (tensor<4x2xf32>) -> tensor<T>`}},
	stablehlo.OpBroadcastInDim: {{"and reduce", "f32", `
  %b$ = stablehlo.broadcast_in_dim %X, dims = [1] : (tensor<T>) -> tensor<4x8xf32>
  %Y = stablehlo.reduce(%b$ init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<T>`}, {"and slice", "f32", `
  %b$ = stablehlo.broadcast_in_dim %X, dims = [1] : (tensor<T>) -> tensor<4x8xf32>
  %s$ = stablehlo.slice %b$ [1:2, 0:8] : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %Y = stablehlo.reshape %s$ : (tensor<1x8xf32>) -> tensor<T>`}, {"of an element", "f32", `
  %s$ = stablehlo.slice %X [3:4] : (tensor<T>) -> tensor<1xf32>
  %Y = stablehlo.broadcast_in_dim %s$, dims = [0] : (tensor<1xf32>) -> tensor<T>`}},
	stablehlo.OpDynamicBroadcastInDim: {{"", "f32", `
  %s$ = stablehlo.slice %X [3:4] : (tensor<T>) -> tensor<1xf32>
  %Y = stablehlo.dynamic_broadcast_in_dim %s$, %n, dims = [0] : (tensor<1xf32>, tensor<1xi32>) -> tensor<T>`}},
	stablehlo.OpDynamicReshape: {{"", "f32", `
  %Y = stablehlo.dynamic_reshape %X, %n : (tensor<T>, tensor<1xi32>) -> tensor<T>`}},
	stablehlo.OpGetDimensionSize: {{"", "f32", `
  %d$ = stablehlo.get_dimension_size %X, dim = 0 : (tensor<T>) -> tensor<i32>
  %e$ = stablehlo.reshape %d$ : (tensor<i32>) -> tensor<1xi32>
  %Y = stablehlo.dynamic_reshape %X, %e$ : (tensor<T>, tensor<1xi32>) -> tensor<T>`}},
	stablehlo.OpReverse: {{"", "f32", `
  %r$ = stablehlo.reverse %X, dims = [0] : tensor<T>
  %Y = stablehlo.add %r$, %arg1 : tensor<T>`}, {"of a part", "f32", `
  %m$ = stablehlo.reshape %X : (tensor<T>) -> tensor<2x4xf32>
  %r$ = stablehlo.reverse %m$, dims = [1] : tensor<2x4xf32>
  %Y = stablehlo.reshape %r$ : (tensor<2x4xf32>) -> tensor<T>`}},
	stablehlo.OpSlice: {{"and concatenate", "f32", `
  %a$ = stablehlo.slice %X [0:3] : (tensor<T>) -> tensor<3xf32>
  %b$ = stablehlo.slice %X [3:8] : (tensor<T>) -> tensor<5xf32>
  %Y = stablehlo.concatenate %b$, %a$, dim = 0 : (tensor<5xf32>, tensor<3xf32>) -> tensor<T>`}, {"and pad", "f32", `
  %a$ = stablehlo.slice %X [0:7] : (tensor<T>) -> tensor<7xf32>
  %Y = stablehlo.pad %a$, %zero, low = [1], high = [0], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<T>`}, {"of an argument", "f32", `
  %a$ = stablehlo.slice %arg1 [3:4] : (tensor<T>) -> tensor<1xf32>
  %b$ = stablehlo.broadcast_in_dim %a$, dims = [0] : (tensor<1xf32>) -> tensor<T>
  %Y = stablehlo.multiply %X, %b$ : tensor<T>`}},
	stablehlo.OpPad: {{"and add", "f32", `
  %a$ = stablehlo.slice %arg1 [0:3] : (tensor<T>) -> tensor<3xf32>
  %p$ = stablehlo.pad %a$, %zero, low = [2], high = [3], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<T>
  %Y = stablehlo.add %X, %p$ : tensor<T>`}, {"of parts of itself", "f32", `
  %a$ = stablehlo.slice %X [0:4] : (tensor<T>) -> tensor<4xf32>
  %b$ = stablehlo.slice %X [4:8] : (tensor<T>) -> tensor<4xf32>
  %p$ = stablehlo.pad %a$, %zero, low = [4], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<T>
  %q$ = stablehlo.pad %b$, %zero, low = [0], high = [4], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<T>
  %Y = stablehlo.add %p$, %q$ : tensor<T>`}, {"between elements", "f32", `
  %a$ = stablehlo.slice %X [0:4] : (tensor<T>) -> tensor<4xf32>
  %Y = stablehlo.pad %a$, %zero, low = [1], high = [0], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<T>`}},
	stablehlo.OpDynamicPad: {{"", "f32", `
  %a$ = stablehlo.slice %X [0:7] : (tensor<T>) -> tensor<7xf32>
  %Y = stablehlo.dynamic_pad %a$, %zero, %ones, %none, %none : (tensor<7xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<T>`}},
	stablehlo.OpRealDynamicSlice: {{"", "f32", `
  %a$ = stablehlo.real_dynamic_slice %X, %none, %n, %ones : (tensor<T>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<T>
  %Y = stablehlo.add %a$, %arg1 : tensor<T>`}},
	stablehlo.OpConcatenate: {{"", "f32", `
  %a$ = stablehlo.slice %X [1:8] : (tensor<T>) -> tensor<7xf32>
  %b$ = stablehlo.slice %arg1 [0:1] : (tensor<T>) -> tensor<1xf32>
  %Y = stablehlo.concatenate %a$, %b$, dim = 0 : (tensor<7xf32>, tensor<1xf32>) -> tensor<T>`}, {"with itself", "f32", `
  %a$ = stablehlo.concatenate %X, %X, dim = 0 : (tensor<T>, tensor<T>) -> tensor<16xf32>
  %Y = stablehlo.slice %a$ [4:12] : (tensor<16xf32>) -> tensor<T>`}},
	stablehlo.OpDynamicSlice: {{"at a constant", "f32", `
  %a$ = stablehlo.dynamic_slice %X, %i, sizes = [4] : (tensor<T>, tensor<i32>) -> tensor<4xf32>
  %Y = stablehlo.concatenate %a$, %a$, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<T>`}, {"at computed indices", "i32", `
  %e$ = stablehlo.slice %arg1 [0:1] : (tensor<T>) -> tensor<1xi32>
  %p$ = stablehlo.reshape %e$ : (tensor<1xi32>) -> tensor<i32>
  %a$ = stablehlo.dynamic_slice %X, %p$, sizes = [1] : (tensor<T>, tensor<i32>) -> tensor<1xi32>
  %b$ = stablehlo.broadcast_in_dim %a$, dims = [0] : (tensor<1xi32>) -> tensor<T>
  %Y = stablehlo.add %X, %b$ : tensor<T>`}, {"at itself", "i32", `
  %e$ = stablehlo.slice %X [0:1] : (tensor<T>) -> tensor<1xi32>
  %p$ = stablehlo.reshape %e$ : (tensor<1xi32>) -> tensor<i32>
  %a$ = stablehlo.dynamic_slice %arg1, %p$, sizes = [1] : (tensor<T>, tensor<i32>) -> tensor<1xi32>
  %Y = stablehlo.broadcast_in_dim %a$, dims = [0] : (tensor<1xi32>) -> tensor<T>`}},
	stablehlo.OpDynamicUpdateSlice: {{"at computed indices", "i32", `
  %e$ = stablehlo.slice %arg1 [0:1] : (tensor<T>) -> tensor<1xi32>
  %p$ = stablehlo.reshape %e$ : (tensor<1xi32>) -> tensor<i32>
  %Y = stablehlo.dynamic_update_slice %X, %e$, %p$ : (tensor<T>, tensor<1xi32>, tensor<i32>) -> tensor<T>`}, {"of its own", "f32", `
  %e$ = stablehlo.slice %X [0:1] : (tensor<T>) -> tensor<1xf32>
  %Y = stablehlo.dynamic_update_slice %X, %e$, %i : (tensor<T>, tensor<1xf32>, tensor<i32>) -> tensor<T>`}},
	stablehlo.OpGather: {{"at constants", "f32", `
  %Y = "stablehlo.gather"(%X, %indices) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<T>, tensor<8x1xi32>) -> tensor<T>`}, {"at itself", "i32", `
  %p$ = stablehlo.reshape %X : (tensor<T>) -> tensor<8x1xi32>
  %Y = "stablehlo.gather"(%arg1, %p$) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<T>, tensor<8x1xi32>) -> tensor<T>`}},
	stablehlo.OpTorchIndexSelect: {{"", "i32", `
  %Y = "stablehlo.torch_index_select"(%arg1, %X) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<T>, tensor<T>) -> tensor<T>`}},
	stablehlo.OpScatter: {{"adds", "f32", `
  %Y = "stablehlo.scatter"(%X, %indices, %arg1) <{indices_are_sorted = false, unique_indices = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) : (tensor<T>, tensor<8x1xi32>, tensor<T>) -> tensor<T>`}, {"sets", "f32", `
  %Y = "stablehlo.scatter"(%arg1, %indices, %X) <{indices_are_sorted = false, unique_indices = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<T>, tensor<8x1xi32>, tensor<T>) -> tensor<T>`}},

	stablehlo.OpReduce: {{"and broadcast", "f32", `
  %r$ = stablehlo.reduce(%X init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<T>, tensor<f32>) -> tensor<f32>
  %b$ = stablehlo.broadcast_in_dim %r$, dims = [] : (tensor<f32>) -> tensor<T>
  %Y = stablehlo.divide %X, %b$ : tensor<T>`}, {"of rows", "f32", `
  %m$ = stablehlo.reshape %X : (tensor<T>) -> tensor<2x4xf32>
  %r$ = stablehlo.reduce(%m$ init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
  %b$ = stablehlo.broadcast_in_dim %r$, dims = [0] : (tensor<2xf32>) -> tensor<2x4xf32>
  %Y = stablehlo.reshape %b$ : (tensor<2x4xf32>) -> tensor<T>`}},
	stablehlo.OpReduceWindow: {{"sums", "f32", `
  %Y = "stablehlo.reduce_window"(%X, %zero) <{window_dimensions = array<i64: 3>, padding = dense<1> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) : (tensor<T>, tensor<f32>) -> tensor<T>`}, {"runs", "f32", `
  %Y = "stablehlo.reduce_window"(%X, %zero) <{window_dimensions = array<i64: 8>, padding = dense<[[7, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) : (tensor<T>, tensor<f32>) -> tensor<T>`}},
	stablehlo.OpSelectAndScatter: {{"", "f32", `
  %s$ = stablehlo.slice %X [0:4] : (tensor<T>) -> tensor<4xf32>
  %Y = "stablehlo.select_and_scatter"(%arg1, %s$, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) : (tensor<T>, tensor<4xf32>, tensor<f32>) -> tensor<T>`}},
	stablehlo.OpSort: {{"", "f32", `
  %Y = "stablehlo.sort"(%X) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }) : (tensor<T>) -> tensor<T>`}},
	stablehlo.OpChloTopK: {{"", "f32", `
  %Y, %j$ = chlo.top_k(%X, k = 8) : tensor<T> -> (tensor<T>, tensor<8xi32>)`}},
	stablehlo.OpDotGeneral: {{"with an outer product", "f32", `
  %m$ = stablehlo.dot_general %X, %arg1, contracting_dims = [] x [] : (tensor<T>, tensor<T>) -> tensor<8x8xf32>
  %Y = stablehlo.dot_general %m$, %arg1, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<T>) -> tensor<T>`}, {"of vectors", "f32", `
  %d$ = stablehlo.dot_general %X, %arg1, contracting_dims = [0] x [0] : (tensor<T>, tensor<T>) -> tensor<f32>
  %b$ = stablehlo.broadcast_in_dim %d$, dims = [] : (tensor<f32>) -> tensor<T>
  %Y = stablehlo.subtract %X, %b$ : tensor<T>`}},
	stablehlo.OpDot: {{"", "f32", `
  %d$ = stablehlo.dot %X, %arg1 : (tensor<T>, tensor<T>) -> tensor<f32>
  %Y = stablehlo.broadcast_in_dim %d$, dims = [] : (tensor<f32>) -> tensor<T>`}},
	stablehlo.OpConvolution: {{"", "f32", `
  %m$ = stablehlo.reshape %X : (tensor<T>) -> tensor<1x8x1xf32>
  %s$ = stablehlo.slice %arg1 [0:3] : (tensor<T>) -> tensor<3xf32>
  %k$ = stablehlo.reshape %s$ : (tensor<3xf32>) -> tensor<3x1x1xf32>
  %c$ = stablehlo.convolution(%m$, %k$) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x1xf32>, tensor<3x1x1xf32>) -> tensor<1x8x1xf32>
  %Y = stablehlo.reshape %c$ : (tensor<1x8x1xf32>) -> tensor<T>`}},
	stablehlo.OpFft: {{"", "complex<f32>", `
  %Y = stablehlo.fft %X, type = FFT, length = [8] : (tensor<T>) -> tensor<T>`}},
	stablehlo.OpCholesky: {{"", "f32", `
  %m$ = stablehlo.broadcast_in_dim %X, dims = [1] : (tensor<T>) -> tensor<8x8xf32>
  %c$ = stablehlo.cholesky %m$, lower = true : tensor<8x8xf32>
  %Y = stablehlo.reduce(%c$ init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<T>`}},
	stablehlo.OpTriangularSolve: {{"", "f32", `
  %m$ = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<T>) -> tensor<8x8xf32>
  %b$ = stablehlo.reshape %X : (tensor<T>) -> tensor<8x1xf32>
  %c$ = "stablehlo.triangular_solve"(%m$, %b$) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<8x8xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %Y = stablehlo.reshape %c$ : (tensor<8x1xf32>) -> tensor<T>`}},
	stablehlo.OpBatchNormInference: {{"", "f32", `
  %m$ = stablehlo.reshape %X : (tensor<T>) -> tensor<1x8xf32>
  %c$ = "stablehlo.batch_norm_inference"(%m$, %arg1, %X, %arg1, %arg1) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<1x8xf32>, tensor<T>, tensor<T>, tensor<T>, tensor<T>) -> tensor<1x8xf32>
  %Y = stablehlo.reshape %c$ : (tensor<1x8xf32>) -> tensor<T>`}},
	stablehlo.OpBatchNormTraining: {{"", "f32", `
  %m$ = stablehlo.broadcast_in_dim %X, dims = [1] : (tensor<T>) -> tensor<4x8xf32>
  %c$, %d$, %Y = "stablehlo.batch_norm_training"(%m$, %arg1, %X) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<4x8xf32>, tensor<T>, tensor<T>) -> (tensor<4x8xf32>, tensor<T>, tensor<T>)`}},
	stablehlo.OpBatchNormGrad: {{"", "f32", `
  %m$ = stablehlo.broadcast_in_dim %X, dims = [1] : (tensor<T>) -> tensor<4x8xf32>
  %c$, %Y, %d$ = "stablehlo.batch_norm_grad"(%m$, %arg1, %X, %arg1, %m$) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<4x8xf32>, tensor<T>, tensor<T>, tensor<T>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<T>, tensor<T>)`}},
	stablehlo.OpRng: {{"", "f32", `
  %o$ = stablehlo.constant dense<1.0> : tensor<f32>
  %u$ = stablehlo.rng %zero, %o$, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi32>) -> tensor<T>
  %Y = stablehlo.multiply %X, %u$ : tensor<T>`}},
	stablehlo.OpRngBitGenerator: {{"", "ui64", `
  %k$ = stablehlo.slice %X [0:2] : (tensor<T>) -> tensor<2xui64>
  %l$, %Y = stablehlo.rng_bit_generator %k$, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<T>)`}, {"philox", "ui64", `
  %k$ = stablehlo.slice %X [0:2] : (tensor<T>) -> tensor<2xui64>
  %l$, %Y = stablehlo.rng_bit_generator %k$, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<T>)`}},

	stablehlo.OpTuple: {{"", "f32", `
  %t$ = stablehlo.tuple %X, %arg1 : tuple<tensor<T>, tensor<T>>
  %Y = stablehlo.get_tuple_element %t$[0] : (tuple<tensor<T>, tensor<T>>) -> tensor<T>`}},
	stablehlo.OpOptimizationBarrier: {{"", "f32", `
  %s$ = stablehlo.sine %X : tensor<T>
  %Y = stablehlo.optimization_barrier %s$ : tensor<T>`}},
	stablehlo.OpIf: {{"", "f32", `
  %e$ = stablehlo.slice %X [0:1] : (tensor<T>) -> tensor<1xf32>
  %f$ = stablehlo.convert %e$ : (tensor<1xf32>) -> tensor<1xi1>
  %p$ = stablehlo.reshape %f$ : (tensor<1xi1>) -> tensor<i1>
  %Y = "stablehlo.if"(%p$) ({
    %0 = stablehlo.negate %X : tensor<T>
    stablehlo.return %0 : tensor<T>
  }, {
    stablehlo.return %X : tensor<T>
  }) : (tensor<i1>) -> tensor<T>`}},
	stablehlo.OpCase: {{"", "f32", `
  %e$ = stablehlo.slice %X [0:1] : (tensor<T>) -> tensor<1xf32>
  %f$ = stablehlo.convert %e$ : (tensor<1xf32>) -> tensor<1xi32>
  %j$ = stablehlo.reshape %f$ : (tensor<1xi32>) -> tensor<i32>
  %Y = "stablehlo.case"(%j$) ({
    %0 = stablehlo.negate %X : tensor<T>
    stablehlo.return %0 : tensor<T>
  }, {
    stablehlo.return %arg1 : tensor<T>
  }) : (tensor<i32>) -> tensor<T>`}},
	stablehlo.OpWhile: {{"", "f32", `
  %l$:2 = stablehlo.while(%j = %one, %v = %X) : tensor<i32>, tensor<T>
  cond {
    %p = stablehlo.compare LT, %j, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %k = stablehlo.add %j, %one : tensor<i32>
    %s = stablehlo.multiply %v, %arg1 : tensor<T>
    stablehlo.return %k, %s : tensor<i32>, tensor<T>
  }
  %Y = stablehlo.negate %l$#1 : tensor<T>`}},
	stablehlo.OpCall: {{"", "f32", `
  %Y = func.call @double(%X) : (tensor<T>) -> tensor<T>`}},
	stablehlo.OpComposite: {{"", "f32", `
  %Y = stablehlo.composite "my.double" %X {decomposition = @double} : (tensor<T>) -> tensor<T>`}},
}
