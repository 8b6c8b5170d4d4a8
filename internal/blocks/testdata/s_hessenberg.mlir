module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[2.040999889e+00, -2.555999994e+00, 4.180000126e-01], [-5.680000186e-01, -4.530000091e-01, -2.160000056e-01], [-2.019999981e+00, -2.319999933e-01, -8.650000095e-01]]> : tensor<3x3xf32>
    %r:2 = call @program(%a0) : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>)
    check.expect_almost_eq_const %r#0, dense<[[2.040999889e+00, 2.894901633e-01, 2.573724031e+00], [2.098338366e+00, -9.515532255e-01, -9.181272984e-02], [7.575932145e-01, -7.581267506e-02, -3.664467335e-01]]> : tensor<3x3xf32>
    check.expect_almost_eq_const %r#1, dense<[1.270690441e+00, 0.000000000e+00]> : tensor<2xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>) {
    %0:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {high = 3 : i32, low = 1 : i32}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#2, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %6 = stablehlo.select %5, %0#0, %4 : tensor<3x3xi1>, tensor<3x3xf32>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<1xi1>) -> tensor<2xi1>
    %10 = stablehlo.select %9, %0#1, %8 : tensor<2xi1>, tensor<2xf32>
    return %6, %10 : tensor<3x3xf32>, tensor<2xf32>
  }
}
