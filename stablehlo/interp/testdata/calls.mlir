// Calls of functions that exporters name, and ops of MHLO.

func.func @erf() {
  %x = stablehlo.constant dense<[0.0, 0.5, -2.0]> : tensor<3xf64>
  %0 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<3xf64>) -> tensor<3xf64>
  %1 = "mhlo.erf"(%x) : (tensor<3xf64>) -> tensor<3xf64>
  %2 = mhlo.erf %x : tensor<3xf64>
  check.expect_almost_eq_const %0, dense<[0.0, 0.52049987781304654, -0.99532226501895273]> : tensor<3xf64>
  check.expect_eq %0, %1 : tensor<3xf64>
  check.expect_eq %0, %2 : tensor<3xf64>
  return
}

func.func @others_of_mhlo() {
  %x = stablehlo.constant dense<[0.0, 0.5, -0.75]> : tensor<3xf32>
  %0 = stablehlo.custom_call @mhlo.asin(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %1 = chlo.asin %x : tensor<3xf32> -> tensor<3xf32>
  check.expect_eq %0, %1 : tensor<3xf32>
  %2 = mhlo.add %x, %x : tensor<3xf32>
  %3 = "mhlo.compare"(%x, %2) {comparison_direction = #mhlo<comparison_direction LT>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %3, dense<[false, true, false]> : tensor<3xi1>
  %4 = stablehlo.custom_call @mhlo.tan(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %5 = stablehlo.tan %x : tensor<3xf32>
  check.expect_eq %4, %5 : tensor<3xf32>
  %w = stablehlo.constant dense<1.0> : tensor<3x2xf32>
  %6 = "mhlo.dot_general"(%x, %w) {dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]} : (tensor<3xf32>, tensor<3x2xf32>) -> tensor<2xf32>
  check.expect_eq_const %6, dense<-0.25> : tensor<2xf32>
  return
}

func.func @copies() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = mhlo.copy %x : tensor<2xi32>
  %1 = "mhlo.copy"(%0) {cross_program_prefetch_index = 0 : i32} : (tensor<2xi32>) -> tensor<2xi32>
  %2 = stablehlo.custom_call @mhlo.copy(%1) : (tensor<2xi32>) -> tensor<2xi32>
  %3 = stablehlo.custom_call @LayoutConstraint(%2) {operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2xi32>) -> tensor<2xi32>
  %4 = stablehlo.custom_call @SPMDFullToShardShape(%3) : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %4, dense<[1, 2]> : tensor<2xi32>
  return
}

func.func @topk() {
  %x = stablehlo.constant dense<[[3.0, 1.0, 4.0, 1.0], [-0.0, 0.0, -5.0, 2.0]]> : tensor<2x4xf32>
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %0#0, dense<[[4.0, 3.0], [2.0, 0.0]]> : tensor<2x2xf32>
  check.expect_eq_const %0#1, dense<[[2, 0], [3, 1]]> : tensor<2x2xi32>
  %1:2 = mhlo.topk(%x, k=2, largest=true) : tensor<2x4xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq %0#1, %1#1 : tensor<2x2xi32>
  %2:2 = mhlo.topk(%x, k=3, largest=false) : tensor<2x4xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  check.expect_eq_const %2#0, dense<[[1.0, 1.0, 3.0], [-5.0, -0.0, 0.0]]> : tensor<2x3xf32>
  check.expect_eq_const %2#1, dense<[[1, 3, 0], [2, 0, 1]]> : tensor<2x3xi32>
  return
}

func.func @smallest_integers() {
  %x = stablehlo.constant dense<[5, -128, 127, 0]> : tensor<4xi8>
  %0:2 = "mhlo.topk"(%x) {k = 4 : i64, largest = false} : (tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi32>)
  check.expect_eq_const %0#0, dense<[-128, 0, 5, 127]> : tensor<4xi8>
  check.expect_eq_const %0#1, dense<[1, 3, 0, 2]> : tensor<4xi32>
  %y = stablehlo.constant dense<[5, 255, 0]> : tensor<3xui8>
  %1:2 = "mhlo.topk"(%y) {k = 2 : i64, largest = false} : (tensor<3xui8>) -> (tensor<2xui8>, tensor<2xi32>)
  check.expect_eq_const %1#0, dense<[0, 5]> : tensor<2xui8>
  return
}

func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = func.call @compare(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func private @compare(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

func.func @approx_top_k() {
  %x = stablehlo.constant dense<[[3.0, 1.0], [9.0, 1.5], [2.0, 4.0]]> : tensor<3x2xf32>
  %places = stablehlo.iota dim = 0 : tensor<3x2xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %places, %low, %none) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} : (tensor<3x2xf32>, tensor<3x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %0#0, dense<[[9.0, 4.0], [3.0, 1.5]]> : tensor<2x2xf32>
  check.expect_eq_const %0#1, dense<[[1, 2], [0, 1]]> : tensor<2x2xi32>
  return
}

func.func private @less_of_four(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

func.func private @greater_of_four(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// Along the last dimension, with the places as they are, what is asked for are the largest elements, or the least.
func.func @approx_extremes() {
  %x = stablehlo.constant dense<[[3.0, 9.0, -2.0, 9.0, 1.0], [5.0, -4.0, 4.0, -4.0, 5.5]]> : tensor<2x5xf32>
  %places = stablehlo.iota dim = 1 : tensor<2x5xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %places, %low, %none) {called_computations = [@greater_of_four], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<2x5xf32>, tensor<2x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  check.expect_eq_const %0#0, dense<[[9.0, 9.0, 3.0], [5.5, 5.0, 4.0]]> : tensor<2x3xf32>
  check.expect_eq_const %0#1, dense<[[1, 3, 0], [4, 0, 2]]> : tensor<2x3xi32>
  %1:2 = stablehlo.custom_call @ApproxTopK(%x, %places, %low, %none) {called_computations = [@less_of_four], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<2x5xf32>, tensor<2x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  check.expect_eq_const %1#0, dense<[[-2.0, 1.0, 3.0], [-4.0, -4.0, 4.0]]> : tensor<2x3xf32>
  check.expect_eq_const %1#1, dense<[[2, 4, 0], [1, 3, 2]]> : tensor<2x3xi32>
  return
}

func.func @dynamic_top_k() {
  %x = stablehlo.constant dense<[3, 1, 4]> : tensor<3xi32>
  %k = stablehlo.constant dense<2> : tensor<i32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) {api_version = 2 : i32} : (tensor<3xi32>, tensor<i32>) -> (tensor<?xi32>, tensor<?xi32>)
  %1 = stablehlo.convert %0#0 : (tensor<?xi32>) -> tensor<2xi32>
  check.expect_eq_const %1, dense<[4, 3]> : tensor<2xi32>
  return
}

func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}

// The sums of all elements up to each one.
func.func @dynamic_reduce_window() {
  %x = stablehlo.constant dense<[[1.0, 10.0], [2.0, 20.0], [4.0, 40.0]]> : tensor<3x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %window = stablehlo.constant dense<[3, 1]> : tensor<2xi32>
  %one = stablehlo.constant dense<1> : tensor<2xi32>
  %low = stablehlo.constant dense<[[2, 0]]> : tensor<1x2xi32>
  %none = stablehlo.constant dense<0> : tensor<1x2xi32>
  %padding = stablehlo.concatenate %low, %none, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %window, %one, %one, %one, %padding) {api_version = 2 : i32, called_computations = [@sum]} : (tensor<3x2xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<3x2xf32>
  check.expect_eq_const %0, dense<[[1.0, 10.0], [3.0, 30.0], [7.0, 70.0]]> : tensor<3x2xf32>
  return
}

func.func @dynamic_rng_bit_generator() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %shape) {api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>, tensor<2xi32>) -> (tensor<2xui64>, tensor<2x3xui32>)
  %1:2 = stablehlo.rng_bit_generator %state, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  check.expect_eq %0#0, %1#0 : tensor<2xui64>
  check.expect_eq %0#1, %1#1 : tensor<2x3xui32>
  return
}

// A slice whose start is known only when it runs, but whose extent is known before.
func.func @real_dynamic_slice() {
  %x = stablehlo.constant dense<[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]> : tensor<2x5xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %zero) : tensor<i32>, tensor<i32>
  cond {
    %c = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %from = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    %none = stablehlo.constant dense<0> : tensor<1xi32>
    %start = stablehlo.concatenate %none, %from, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %extent = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
    %limit = stablehlo.add %start, %extent : tensor<2xi32>
    %strides = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %part = stablehlo.real_dynamic_slice %x, %start, %limit, %strides : (tensor<2x5xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
    %sum = stablehlo.reduce(%part init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2xi32>, tensor<i32>) -> tensor<i32>
    %next = stablehlo.add %s, %sum : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next : tensor<i32>, tensor<i32>
  }
  check.expect_eq_const %0#1, dense<32> : tensor<i32>
  return
}

// What jax.debug.print exports does nothing without Python.
func.func @debugging() {
  %x = stablehlo.constant dense<2.0> : tensor<f32>
  stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) {backend_config = "", has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}} : (tensor<f32>) -> ()
  %t = stablehlo.create_token : !stablehlo.token
  %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%t, %x) {has_side_effect = true} : (!stablehlo.token, tensor<f32>) -> !stablehlo.token
  %1 = stablehlo.custom_call @xla_python_cpu_callback(%x) {api_version = 2 : i32, has_side_effect = true} : (tensor<f32>) -> tuple<>
  %2 = stablehlo.custom_call @xla_python_cpu_callback(%0, %x) {api_version = 2 : i32, has_side_effect = true} : (!stablehlo.token, tensor<f32>) -> tuple<!stablehlo.token>
  %3 = stablehlo.get_tuple_element %2[0] : (tuple<!stablehlo.token>) -> !stablehlo.token
  %4 = stablehlo.after_all %3, %0 : !stablehlo.token
  check.expect_eq_const %x, dense<2.0> : tensor<f32>
  return
}
