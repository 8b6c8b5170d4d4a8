module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(7.594925000e+00, 3.444644570e-17), (-2.964811000e+00, -1.850244000e+00), (-6.585600000e-01, 1.247355000e+00)], [(-2.964811000e+00, 1.850244000e+00), (3.442904000e+00, 1.646593972e-17), (9.308050000e-01, 1.372950000e-01)], [(-6.585600000e-01, -1.247355000e+00), (9.308050000e-01, -1.372950000e-01), (6.441531000e+00, -7.053824191e-17)]]> : tensor<3x3xcomplex<f64>>
    %r:2 = call @program(%a0) : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xf64>, tensor<3x3xf64>)
    check.expect_almost_eq_const %r#0, dense<[[2.755889149e+00, 0.000000000e+00, 0.000000000e+00], [-1.075809236e+00, 1.354544111e+00, 0.000000000e+00], [-2.389646188e-01, 7.217189004e-01, 2.307190108e+00]]> : tensor<3x3xf64>
    check.expect_almost_eq_const %r#1, dense<[[0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [6.713782377e-01, 0.000000000e+00, 0.000000000e+00], [-4.526143588e-01, -5.792778144e-01, 0.000000000e+00]]> : tensor<3x3xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x3xcomplex<f64>>) -> (tensor<3x3xf64>, tensor<3x3xf64>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %1 = stablehlo.real %0 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %2 = stablehlo.imag %0 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %3 = stablehlo.negate %2 : tensor<3x3xf64>
    %4 = stablehlo.complex %1, %3 : tensor<3x3xcomplex<f64>>
    %5 = stablehlo.add %arg0, %4 : tensor<3x3xcomplex<f64>>
    %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %7 = stablehlo.divide %5, %6 : tensor<3x3xcomplex<f64>>
    %8:2 = stablehlo.custom_call @lapack_zpotrf_ffi(%7) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %10 = stablehlo.compare EQ, %8#1, %9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %14 = stablehlo.select %13, %8#0, %12 : tensor<3x3xi1>, tensor<3x3xcomplex<f64>>
    %15 = stablehlo.iota dim = 0 : tensor<3x3xi64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %16 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<3x3xi64>
    %17 = stablehlo.add %15, %16 : tensor<3x3xi64>
    %18 = stablehlo.iota dim = 1 : tensor<3x3xi64>
    %19 = stablehlo.compare GE, %17, %18, SIGNED : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi1>
    %cst_2 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %21 = stablehlo.select %19, %14, %20 : tensor<3x3xi1>, tensor<3x3xcomplex<f64>>
    %22 = stablehlo.real %21 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %23 = stablehlo.imag %21 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    return %22, %23 : tensor<3x3xf64>, tensor<3x3xf64>
  }
}
