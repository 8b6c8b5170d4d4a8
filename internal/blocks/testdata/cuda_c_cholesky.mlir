module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(8.875183105e+00, 6.272554742e-08), (-1.778523922e+00, -2.150556087e+00), (8.619468808e-01, -6.995079517e+00)], [(-1.778523922e+00, 2.150556087e+00), (7.173937321e+00, 1.261520310e-08), (3.382060051e+00, -1.525989056e+00)], [(8.619468808e-01, 6.995079517e+00), (3.382060051e+00, 1.525989056e+00), (1.401209450e+01, -5.702781891e-08)]]> : tensor<3x3xcomplex<f32>>
    %r:2 = call @program(%a0) : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xf32>, tensor<3x3xf32>)
    check.expect_almost_eq_const %r#0, dense<[[2.979124546e+00, 0.000000000e+00, 0.000000000e+00], [-5.969954729e-01, 2.509268761e+00, 0.000000000e+00], [2.893289030e-01, 7.411729693e-01, 2.510630608e+00]]> : tensor<3x3xf32>
    check.expect_almost_eq_const %r#1, dense<[[0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [7.218751907e-01, 0.000000000e+00, 0.000000000e+00], [2.348031759e+00, 1.250010610e+00, 0.000000000e+00]]> : tensor<3x3xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x3xcomplex<f32>>) -> (tensor<3x3xf32>, tensor<3x3xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
    %1 = stablehlo.real %0 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %2 = stablehlo.imag %0 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %3 = stablehlo.negate %2 : tensor<3x3xf32>
    %4 = stablehlo.complex %1, %3 : tensor<3x3xcomplex<f32>>
    %5 = stablehlo.add %arg0, %4 : tensor<3x3xcomplex<f32>>
    %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<3x3xcomplex<f32>>
    %7 = stablehlo.divide %5, %6 : tensor<3x3xcomplex<f32>>
    %8:2 = stablehlo.custom_call @cusolver_potrf_ffi(%7) {backend_config = "", mhlo.backend_config = {lower = true}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %10 = stablehlo.compare EQ, %8#1, %9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<3x3xcomplex<f32>>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %14 = stablehlo.select %13, %8#0, %12 : tensor<3x3xi1>, tensor<3x3xcomplex<f32>>
    %15 = stablehlo.iota dim = 0 : tensor<3x3xi64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %16 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<3x3xi64>
    %17 = stablehlo.add %15, %16 : tensor<3x3xi64>
    %18 = stablehlo.iota dim = 1 : tensor<3x3xi64>
    %19 = stablehlo.compare GE, %17, %18, SIGNED : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi1>
    %cst_2 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<complex<f32>>) -> tensor<3x3xcomplex<f32>>
    %21 = stablehlo.select %19, %14, %20 : tensor<3x3xi1>, tensor<3x3xcomplex<f32>>
    %22 = stablehlo.real %21 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %23 = stablehlo.imag %21 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    return %22, %23 : tensor<3x3xf32>, tensor<3x3xf32>
  }
}
