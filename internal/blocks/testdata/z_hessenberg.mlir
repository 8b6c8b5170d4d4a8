module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(-1.608000000e+00, -5.600000000e-01), (7.600000000e-01, -1.810000000e-01), (-1.756000000e+00, 4.200000000e-02)], [(6.530000000e-01, -1.350000000e-01), (-1.400000000e-02, -1.890000000e-01), (1.127000000e+00, -8.320000000e-01)], [(-6.800000000e-02, -1.890000000e-01), (-8.230000000e-01, -2.138000000e+00), (3.580000000e-01, -1.570000000e-01)]]> : tensor<3x3xcomplex<f64>>
    %r:4 = call @program(%a0) : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<2xf64>, tensor<2xf64>)
    check.expect_almost_eq_const %r#0, dense<[[-1.608000000e+00, -8.604067616e-01, 6.756708084e-01], [-6.964043366e-01, 3.621766303e-01, 1.114533323e+00], [-3.601972718e-02, -2.263341308e+00, -1.817663033e-02]]> : tensor<3x3xf64>
    check.expect_almost_eq_const %r#1, dense<[[-5.600000000e-01, -1.554197674e-01, 1.573109932e+00], [0.000000000e+00, -6.038071978e-01, 6.870280995e-01], [-1.436653625e-01, 0.000000000e+00, 2.578071978e-01]]> : tensor<3x3xf64>
    check.expect_almost_eq_const %r#2, dense<[1.937673656e+00, 1.495058180e+00]> : tensor<2xf64>
    check.expect_almost_eq_const %r#3, dense<[-1.938528997e-01, 8.688598269e-01]> : tensor<2xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x3xcomplex<f64>>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<2xf64>, tensor<2xf64>) {
    %0:3 = stablehlo.custom_call @lapack_zgehrd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {high = 3 : i32, low = 1 : i32}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#2, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %6 = stablehlo.select %5, %0#0, %4 : tensor<3x3xi1>, tensor<3x3xcomplex<f64>>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<2xcomplex<f64>>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<1xi1>) -> tensor<2xi1>
    %10 = stablehlo.select %9, %0#1, %8 : tensor<2xi1>, tensor<2xcomplex<f64>>
    %11 = stablehlo.real %6 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %12 = stablehlo.imag %6 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %13 = stablehlo.real %10 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
    %14 = stablehlo.imag %10 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
    return %11, %12, %13, %14 : tensor<3x3xf64>, tensor<3x3xf64>, tensor<2xf64>, tensor<2xf64>
  }
}
