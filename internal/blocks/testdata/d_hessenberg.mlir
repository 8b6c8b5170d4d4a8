module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[-9.260000000e-01, 5.840000000e-01, 5.830000000e-01], [-2.150000000e-01, -7.830000000e-01, 2.290000000e-01], [-2.494000000e+00, 6.900000000e-01, 4.910000000e-01]]> : tensor<3x3xf64>
    %r:2 = call @program(%a0) : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<2xf64>)
    check.expect_almost_eq_const %r#0, dense<[[-9.260000000e-01, -6.310044721e-01, -5.317690816e-01], [2.503250087e+00, 5.602416642e-01, 5.742033048e-01], [9.175020399e-01, 1.132033048e-01, -8.522416642e-01]]> : tensor<3x3xf64>
    check.expect_almost_eq_const %r#1, dense<[1.085888342e+00, 0.000000000e+00]> : tensor<2xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<2xf64>) {
    %0:3 = stablehlo.custom_call @lapack_dgehrd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {high = 3 : i32, low = 1 : i32}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<2xf64>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#2, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x3xf64>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %6 = stablehlo.select %5, %0#0, %4 : tensor<3x3xi1>, tensor<3x3xf64>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<1xi1>) -> tensor<2xi1>
    %10 = stablehlo.select %9, %0#1, %8 : tensor<2xi1>, tensor<2xf64>
    return %6, %10 : tensor<3x3xf64>, tensor<2xf64>
  }
}
