module @jit_svd attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[3.490000000e-01, -6.390000000e-01, -8.000000000e-01, -8.000000000e-01], [1.370000000e+00, -1.460000000e+00, -5.960000000e-01, -3.210000000e-01], [2.250000000e-01, 5.750000000e-01, -1.249000000e+00, -1.730000000e+00]]> : tensor<3x4xf64>
    %r:2 = call @program(%a0) : (tensor<3x4xf64>) -> (tensor<3xf64>, tensor<3x4xf64>)
    check.expect_almost_eq_const %r#0, dense<[2.676166942e+00, 1.981606875e+00, 3.498495219e-01]> : tensor<3xf64>
    check.expect_almost_eq_const %r#1, dense<[[-1.234676149e-01, -2.721641859e-01, -1.806316712e-01, -1.350080101e-01], [5.001516421e-01, -5.065433751e-01, 2.317793173e-03, 1.464709737e-01], [-6.399497307e-02, 4.481201055e-01, -2.645399501e-01, -4.649365342e-01]]> : tensor<3x4xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x4xf64>) -> (tensor<3xf64>, tensor<3x4xf64>) {
    %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<3x4xf64>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %6 = stablehlo.select %5, %0#1, %4 : tensor<3xi1>, tensor<3xf64>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<3x3xf64>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %10 = stablehlo.select %9, %0#2, %8 : tensor<3x3xi1>, tensor<3x3xf64>
    %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x4xi1>
    %14 = stablehlo.select %13, %0#3, %12 : tensor<3x4xi1>, tensor<3x4xf64>
    %15 = stablehlo.sine %6 : tensor<3xf64>
    %16 = stablehlo.broadcast_in_dim %15, dims = [1] : (tensor<3xf64>) -> tensor<1x3xf64>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<1x3xf64>) -> tensor<3x3xf64>
    %18 = stablehlo.multiply %10, %17 : tensor<3x3xf64>
    %19 = stablehlo.dot_general %18, %14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
    return %6, %19 : tensor<3xf64>, tensor<3x4xf64>
  }
}
