module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(7.594925000e+00, 3.444644570e-17), (-2.964811000e+00, -1.850244000e+00), (-6.585600000e-01, 1.247355000e+00)], [(-2.964811000e+00, 1.850244000e+00), (3.442904000e+00, 1.646593972e-17), (9.308050000e-01, 1.372950000e-01)], [(-6.585600000e-01, -1.247355000e+00), (9.308050000e-01, -1.372950000e-01), (6.441531000e+00, -7.053824191e-17)]]> : tensor<3x3xcomplex<f64>>
    %r:4 = call @program(%a0) : (tensor<3x3xcomplex<f64>>) -> (tensor<3xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>)
    check.expect_almost_eq_const %r#0, dense<[7.594925000e+00, 3.721319343e+00, 6.163115657e+00]> : tensor<3xf64>
    check.expect_almost_eq_const %r#1, dense<[3.768700425e+00, 1.281638220e+00]> : tensor<2xf64>
    check.expect_almost_eq_const %r#2, dense<[1.786693201e+00, 1.965239021e+00]> : tensor<2xf64>
    check.expect_almost_eq_const %r#3, dense<[-4.909501396e-01, 2.613687669e-01]> : tensor<2xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x3xcomplex<f64>>) -> (tensor<3xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
    %0:5 = stablehlo.custom_call @lapack_zhetrd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<3xf64>, tensor<2xf64>, tensor<2xcomplex<f64>>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %6 = stablehlo.select %5, %0#0, %4 : tensor<3x3xi1>, tensor<3x3xcomplex<f64>>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %10 = stablehlo.select %9, %0#1, %8 : tensor<3xi1>, tensor<3xf64>
    %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<1xi1>) -> tensor<2xi1>
    %14 = stablehlo.select %13, %0#2, %12 : tensor<2xi1>, tensor<2xf64>
    %15 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst_2 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<complex<f64>>) -> tensor<2xcomplex<f64>>
    %17 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<1xi1>) -> tensor<2xi1>
    %18 = stablehlo.select %17, %0#3, %16 : tensor<2xi1>, tensor<2xcomplex<f64>>
    %19 = stablehlo.real %18 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
    %20 = stablehlo.imag %18 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
    return %10, %14, %19, %20 : tensor<3xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
  }
}
