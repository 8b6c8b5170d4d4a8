module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[5.799999833e-01, 9.200000018e-02, 6.700000167e-01, -2.828000069e+00], [1.021000028e+00, -9.599999785e-01, -1.669000030e+00, 2.759999931e-01], [7.009999752e-01, -4.449999928e-01, -1.075999975e+00, 2.600000054e-02]]> : tensor<3x4xf32>
    %r:3 = call @program(%a0) : (tensor<3x4xf32>) -> (tensor<3x3xf32>, tensor<3x4xf32>, tensor<4xi32>)
    check.expect_almost_eq_const %r#0, dense<[[-9.952297211e-01, -8.578438312e-02, -4.646484926e-02], [9.712991118e-02, -8.265792727e-01, -5.543760061e-01], [9.149919264e-03, -5.562445521e-01, 8.309683204e-01]]> : tensor<3x3xf32>
    check.expect_almost_eq_const %r#1, dense<[[2.841555119e+00, -8.387591243e-01, -1.888775527e-01, -4.716494679e-01], [0.000000000e+00, 1.920603991e+00, 1.033152819e+00, -1.283619761e+00], [0.000000000e+00, 0.000000000e+00, 1.581452936e-01, -1.045875065e-02]]> : tensor<3x4xf32>
    check.expect_eq_const %r#2, dense<[3, 2, 1, 0]> : tensor<4xi32>
    return
  }
  func.func private @program(%arg0: tensor<3x4xf32>) -> (tensor<3x3xf32>, tensor<3x4xf32>, tensor<4xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1:3 = stablehlo.custom_call @hiphybrid_geqp3(%arg0, %0) {backend_config = "", mhlo.backend_config = {magma = "auto"}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>]} : (tensor<3x4xf32>, tensor<4xi32>) -> (tensor<3x4xf32>, tensor<4xi32>, tensor<3xf32>)
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.subtract %1#1, %2 : tensor<4xi32>
    %4 = stablehlo.slice %1#0 [0:3, 0:3] : (tensor<3x4xf32>) -> tensor<3x3xf32>
    %5 = stablehlo.custom_call @hipsolver_orgqr_ffi(%4, %1#2) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
    %6 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %c_1 = stablehlo.constant dense<-1> : tensor<i64>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<3x4xi64>
    %8 = stablehlo.add %6, %7 : tensor<3x4xi64>
    %9 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %10 = stablehlo.compare GE, %8, %9, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %12 = stablehlo.select %10, %11, %1#0 : tensor<3x4xi1>, tensor<3x4xf32>
    return %5, %12, %3 : tensor<3x3xf32>, tensor<3x4xf32>, tensor<4xi32>
  }
}
