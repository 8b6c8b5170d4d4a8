module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[3.490000000e-01, -6.390000000e-01, -8.000000000e-01, -8.000000000e-01], [1.370000000e+00, -1.460000000e+00, -5.960000000e-01, -3.210000000e-01], [2.250000000e-01, 5.750000000e-01, -1.249000000e+00, -1.730000000e+00]]> : tensor<3x4xf64>
    %r:3 = call @program(%a0) : (tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>, tensor<4xi32>)
    check.expect_almost_eq_const %r#0, dense<[[-4.138948118e-01, -3.790397435e-01, -8.276593246e-01], [-1.660752932e-01, -8.624928235e-01, 4.780430173e-01], [-8.950475305e-01, 3.353132897e-01, 2.940321683e-01]]> : tensor<3x3xf64>
    check.expect_almost_eq_const %r#1, dense<[[1.932858246e+00, -7.703617184e-03, -5.733581354e-01, 1.548011090e+00], [0.000000000e+00, 1.694251060e+00, -1.238454549e+00, 3.984712188e-01], [0.000000000e+00, 0.000000000e+00, 4.322230672e-01, 9.967643204e-03]]> : tensor<3x4xf64>
    check.expect_eq_const %r#2, dense<[3, 1, 0, 2]> : tensor<4xi32>
    return
  }
  func.func private @program(%arg0: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3x4xf64>, tensor<4xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1:3 = stablehlo.custom_call @cuhybrid_geqp3(%arg0, %0) {backend_config = "", mhlo.backend_config = {magma = "auto"}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>]} : (tensor<3x4xf64>, tensor<4xi32>) -> (tensor<3x4xf64>, tensor<4xi32>, tensor<3xf64>)
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.subtract %1#1, %2 : tensor<4xi32>
    %4 = stablehlo.slice %1#0 [0:3, 0:3] : (tensor<3x4xf64>) -> tensor<3x3xf64>
    %5 = stablehlo.custom_call @cusolver_orgqr_ffi(%4, %1#2) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<3x3xf64>, tensor<3xf64>) -> tensor<3x3xf64>
    %6 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %c_1 = stablehlo.constant dense<-1> : tensor<i64>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<3x4xi64>
    %8 = stablehlo.add %6, %7 : tensor<3x4xi64>
    %9 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %10 = stablehlo.compare GE, %8, %9, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
    %12 = stablehlo.select %10, %11, %1#0 : tensor<3x4xi1>, tensor<3x4xf64>
    return %5, %12, %3 : tensor<3x3xf64>, tensor<3x4xf64>, tensor<4xi32>
  }
}
