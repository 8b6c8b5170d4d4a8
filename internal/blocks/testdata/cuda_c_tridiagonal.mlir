module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(8.875183105e+00, 6.272554742e-08), (-1.778523922e+00, -2.150556087e+00), (8.619468808e-01, -6.995079517e+00)], [(-1.778523922e+00, 2.150556087e+00), (7.173937321e+00, 1.261520310e-08), (3.382060051e+00, -1.525989056e+00)], [(8.619468808e-01, 6.995079517e+00), (3.382060051e+00, 1.525989056e+00), (1.401209450e+01, -5.702781891e-08)]]> : tensor<3x3xcomplex<f32>>
    %r:4 = call @program(%a0) : (tensor<3x3xcomplex<f32>>) -> (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
    check.expect_almost_eq_const %r#0, dense<[8.875183105e+00, 1.391642857e+01, 7.269601822e+00]> : tensor<3xf32>
    check.expect_almost_eq_const %r#1, dense<[7.580378056e+00, 3.796314478e+00]> : tensor<2xf32>
    check.expect_almost_eq_const %r#2, dense<[1.234622002e+00, 1.586392999e+00]> : tensor<2xf32>
    check.expect_almost_eq_const %r#3, dense<[-2.837003767e-01, -8.100267649e-01]> : tensor<2xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x3xcomplex<f32>>) -> (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
    %0:5 = stablehlo.custom_call @cusolver_sytrd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {lower = true}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<3xf32>, tensor<2xf32>, tensor<2xcomplex<f32>>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<3x3xcomplex<f32>>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %6 = stablehlo.select %5, %0#0, %4 : tensor<3x3xi1>, tensor<3x3xcomplex<f32>>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %10 = stablehlo.select %9, %0#1, %8 : tensor<3xi1>, tensor<3xf32>
    %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<1xi1>) -> tensor<2xi1>
    %14 = stablehlo.select %13, %0#2, %12 : tensor<2xi1>, tensor<2xf32>
    %15 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst_2 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
    %17 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<1xi1>) -> tensor<2xi1>
    %18 = stablehlo.select %17, %0#3, %16 : tensor<2xi1>, tensor<2xcomplex<f32>>
    %19 = stablehlo.real %18 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    %20 = stablehlo.imag %18 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    return %10, %14, %19, %20 : tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
}
