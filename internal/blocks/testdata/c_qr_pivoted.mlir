module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(-4.819999933e-01, 1.019000053e+00), (1.350000054e-01, 2.176000118e+00), (8.379999995e-01, -2.700000070e-02), (1.082999945e+00, -3.829999864e-01)], [(1.039000034e+00, 1.669999957e-01), (1.550000012e-01, 7.350000143e-01), (1.610000014e+00, -5.870000124e-01), (-2.829999924e-01, 3.799999952e-01)], [(-1.410000026e-01, -1.700000092e-02), (7.990000248e-01, 1.616000056e+00), (-5.509999990e-01, -6.629999876e-01), (2.161000013e+00, 1.046000004e+00)]]> : tensor<3x4xcomplex<f32>>
    %r:5 = call @program(%a0) : (tensor<3x4xcomplex<f32>>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<4xi32>)
    check.expect_almost_eq_const %r#0, dense<[[-4.612231255e-02, -9.615806490e-02, 2.082290798e-01], [-5.295530707e-02, -3.946428895e-01, -8.729619980e-01], [-2.729760408e-01, 5.165899396e-01, -1.838052087e-02]]> : tensor<3x3xf32>
    check.expect_almost_eq_const %r#1, dense<[[-7.434242368e-01, -5.593383908e-01, 2.823615670e-01], [-2.511106431e-01, 1.120302677e-01, 6.150490418e-02], [-5.521017909e-01, 4.926817417e-01, -3.327602744e-01]]> : tensor<3x3xf32>
    check.expect_almost_eq_const %r#2, dense<[[-2.926996469e+00, -1.013054371e+00, 5.600191951e-01, -7.843990326e-01], [0.000000000e+00, 1.896038771e+00, -1.377904177e+00, -9.961572886e-01], [0.000000000e+00, 0.000000000e+00, -1.043952107e+00, -7.011275887e-01]]> : tensor<3x4xf32>
    check.expect_almost_eq_const %r#3, dense<[[0.000000000e+00, 1.639165044e+00, 9.363826513e-01, -2.264745235e-01], [0.000000000e+00, 0.000000000e+00, 4.515770376e-01, -4.892048836e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 9.198874235e-02]]> : tensor<3x4xf32>
    check.expect_eq_const %r#4, dense<[1, 3, 2, 0]> : tensor<4xi32>
    return
  }
  func.func private @program(%arg0: tensor<3x4xcomplex<f32>>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<4xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1:3 = stablehlo.custom_call @lapack_cgeqp3_ffi(%arg0, %0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>]} : (tensor<3x4xcomplex<f32>>, tensor<4xi32>) -> (tensor<3x4xcomplex<f32>>, tensor<4xi32>, tensor<3xcomplex<f32>>)
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.subtract %1#1, %2 : tensor<4xi32>
    %4 = stablehlo.slice %1#0 [0:3, 0:3] : (tensor<3x4xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
    %5 = stablehlo.custom_call @lapack_cungqr_ffi(%4, %1#2) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<3x3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
    %6 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %c_1 = stablehlo.constant dense<-1> : tensor<i64>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<3x4xi64>
    %8 = stablehlo.add %6, %7 : tensor<3x4xi64>
    %9 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %10 = stablehlo.compare GE, %8, %9, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<3x4xcomplex<f32>>
    %12 = stablehlo.select %10, %11, %1#0 : tensor<3x4xi1>, tensor<3x4xcomplex<f32>>
    %13 = stablehlo.real %5 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %14 = stablehlo.imag %5 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %15 = stablehlo.real %12 : (tensor<3x4xcomplex<f32>>) -> tensor<3x4xf32>
    %16 = stablehlo.imag %12 : (tensor<3x4xcomplex<f32>>) -> tensor<3x4xf32>
    return %13, %14, %15, %16, %3 : tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<4xi32>
  }
}
