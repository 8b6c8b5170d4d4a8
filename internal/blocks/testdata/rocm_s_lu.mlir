module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[[3.322999954e+00, 2.259999961e-01, -3.529999852e-01], [-2.809999883e-01, -6.679999828e-01, -1.054999948e+00], [-3.910000026e-01, 4.819999933e-01, -2.389999926e-01], [9.580000043e-01, -2.000000030e-01, 2.400000021e-02]], [[1.546000004e+00, 5.450000167e-01, -5.049999952e-01], [-1.829999983e-01, 5.410000086e-01, 1.934999943e+00], [-2.700000107e-01, -2.440000027e-01, 1.001999974e+00], [-8.859999776e-01, -2.919999957e-01, 8.830000162e-01]]]> : tensor<2x4x3xf32>
    %r:3 = call @program(%a0) : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2x4xi32>)
    check.expect_almost_eq_const %r#0, dense<[[[3.322999954e+00, 2.259999961e-01, -3.529999852e-01], [-8.456213772e-02, -6.488889456e-01, -1.084850430e+00], [-1.176647618e-01, -7.837893367e-01, -1.130829811e+00], [2.882936895e-01, 4.086282551e-01, -5.032306314e-01]], [[1.546000004e+00, 5.450000167e-01, -5.049999952e-01], [-1.183699816e-01, 6.055116653e-01, 1.875223160e+00], [-1.746442467e-01, -2.457737625e-01, 1.374685287e+00], [-5.730918050e-01, 3.358324617e-02, 3.859884143e-01]]]> : tensor<2x4x3xf32>
    check.expect_eq_const %r#1, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>
    check.expect_eq_const %r#2, dense<[[0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<2x4xi32>
    return
  }
  func.func private @program(%arg0: tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2x4xi32>) {
    %0:3 = stablehlo.custom_call @hipsolver_getrf_ffi(%arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2xi32>)
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %2 = stablehlo.subtract %0#1, %1 : tensor<2x3xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %4 = stablehlo.compare GE, %0#2, %3, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x3xf32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x3xi1>
    %8 = stablehlo.select %7, %0#0, %6 : tensor<2x4x3xi1>, tensor<2x4x3xf32>
    %9 = stablehlo.custom_call @hip_lu_pivots_to_permutation(%2) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xi32>) -> tensor<2x4xi32>
    return %8, %2, %9 : tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2x4xi32>
  }
}
