module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(-4.819999933e-01, 1.019000053e+00), (1.350000054e-01, 2.176000118e+00), (8.379999995e-01, -2.700000070e-02), (1.082999945e+00, -3.829999864e-01)], [(1.039000034e+00, 1.669999957e-01), (1.550000012e-01, 7.350000143e-01), (1.610000014e+00, -5.870000124e-01), (-2.829999924e-01, 3.799999952e-01)], [(-1.410000026e-01, -1.700000092e-02), (7.990000248e-01, 1.616000056e+00), (-5.509999990e-01, -6.629999876e-01), (2.161000013e+00, 1.046000004e+00)]]> : tensor<3x4xcomplex<f32>>
    %r = call @program(%a0) : (tensor<3x4xcomplex<f32>>) -> tensor<3xf32>
    check.expect_almost_eq_const %r, dense<[3.829249144e+00, 2.691343307e+00, 8.660327196e-01]> : tensor<3xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x4xcomplex<f32>>) -> (tensor<3xf32>) {
    %0:5 = stablehlo.custom_call @cusolver_gesvdj_ffi(%arg0) {backend_config = "", mhlo.backend_config = {compute_uv = false, full_matrices = true}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x4xcomplex<f32>>) -> (tensor<3x4xcomplex<f32>>, tensor<3xf32>, tensor<3x3xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %6 = stablehlo.select %5, %0#1, %4 : tensor<3xi1>, tensor<3xf32>
    return %6 : tensor<3xf32>
  }
}
