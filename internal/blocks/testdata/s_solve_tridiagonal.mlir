module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[-5.299999937e-02, 1.406000018e+00], [7.469999790e-01, 1.940000057e-01], [1.111999989e+00, -2.060000002e-01]]> : tensor<3x2xf32>
    %r = call @program(%a0) : (tensor<3x2xf32>) -> tensor<3x2xf32>
    check.expect_almost_eq_const %r, dense<[[-1.565789580e+00, 3.754210472e+00], [6.905263662e-02, 6.870526671e-01], [4.869473457e+00, -7.900526524e+00]]> : tensor<3x2xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x2xf32>) -> (tensor<3x2xf32>) {
    %cst = stablehlo.constant dense<[0.000000e+00, 5.000000e-01, 2.000000e+00]> : tensor<3xf32>
    %cst_0 = stablehlo.constant dense<[1.000000e-01, 1.000000e+00, 2.000000e-01]> : tensor<3xf32>
    %cst_1 = stablehlo.constant dense<[1.500000e+00, 3.000000e-01, 0.000000e+00]> : tensor<3xf32>
    %0:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%cst, %cst_0, %cst_1, %arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [2], operand_index = 2, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [3], operand_index = 3, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_2 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x2xi1>
    %6 = stablehlo.select %5, %0#3, %4 : tensor<3x2xi1>, tensor<3x2xf32>
    return %6 : tensor<3x2xf32>
  }
}
