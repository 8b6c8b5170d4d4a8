module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[-4.000000000e-03, 1.214000000e+00], [7.570000000e-01, 2.160000000e-01], [-3.170000000e-01, 2.930000000e-01]]> : tensor<3x2xf64>
    %r = call @program(%a0) : (tensor<3x2xf64>) -> tensor<3x2xf64>
    check.expect_almost_eq_const %r, dense<[[1.937631579e+00, 2.202894737e+00], [-1.318421053e-01, 6.624736842e-01], [-2.665789474e-01, -5.159736842e+00]]> : tensor<3x2xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x2xf64>) -> (tensor<3x2xf64>) {
    %cst = stablehlo.constant dense<[0.000000e+00, 5.000000e-01, 2.000000e+00]> : tensor<3xf64>
    %cst_0 = stablehlo.constant dense<[1.000000e-01, 1.000000e+00, 2.000000e-01]> : tensor<3xf64>
    %cst_1 = stablehlo.constant dense<[1.500000e+00, 3.000000e-01, 0.000000e+00]> : tensor<3xf64>
    %0:5 = stablehlo.custom_call @lapack_dgtsv_ffi(%cst, %cst_0, %cst_1, %arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [2], operand_index = 2, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [3], operand_index = 3, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3x2xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3x2xf64>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_2 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<3x2xf64>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x2xi1>
    %6 = stablehlo.select %5, %0#3, %4 : tensor<3x2xi1>, tensor<3x2xf64>
    return %6 : tensor<3x2xf64>
  }
}
