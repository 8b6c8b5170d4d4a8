module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(-1.608000000e+00, -5.600000000e-01), (7.600000000e-01, -1.810000000e-01), (-1.756000000e+00, 4.200000000e-02)], [(6.530000000e-01, -1.350000000e-01), (-1.400000000e-02, -1.890000000e-01), (1.127000000e+00, -8.320000000e-01)], [(-6.800000000e-02, -1.890000000e-01), (-8.230000000e-01, -2.138000000e+00), (3.580000000e-01, -1.570000000e-01)]]> : tensor<3x3xcomplex<f64>>
    %r:4 = call @program(%a0) : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>)
    check.expect_almost_eq_const %r#0, dense<[[-1.608000000e+00, 7.600000000e-01, -1.756000000e+00], [6.530000000e-01, -1.400000000e-02, 1.127000000e+00], [-6.800000000e-02, -8.230000000e-01, 3.580000000e-01]]> : tensor<3x3xf64>
    check.expect_almost_eq_const %r#1, dense<[[-5.600000000e-01, -1.810000000e-01, 4.200000000e-02], [-1.350000000e-01, -1.890000000e-01, -8.320000000e-01], [-1.890000000e-01, -2.138000000e+00, -1.570000000e-01]]> : tensor<3x3xf64>
    check.expect_almost_eq_const %r#2, dense<[[1.000000000e+00, -1.665334537e-16, -4.440892099e-16], [-1.665334537e-16, 1.000000000e+00, 1.249000903e-16], [-4.440892099e-16, 1.249000903e-16, 1.000000000e+00]]> : tensor<3x3xf64>
    check.expect_almost_eq_const %r#3, dense<[[0.000000000e+00, -2.775557562e-17, 1.387778781e-16], [2.775557562e-17, 0.000000000e+00, 2.220446049e-16], [-1.387778781e-16, -2.220446049e-16, 0.000000000e+00]]> : tensor<3x3xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x3xcomplex<f64>>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>) {
    %0:5 = stablehlo.custom_call @lapack_zgees_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<i32>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %6 = stablehlo.select %5, %0#0, %4 : tensor<3x3xi1>, tensor<3x3xcomplex<f64>>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %10 = stablehlo.select %9, %0#1, %8 : tensor<3x3xi1>, tensor<3x3xcomplex<f64>>
    %11 = stablehlo.dot_general %10, %6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %12 = stablehlo.transpose %10, dims = [1, 0] : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %13 = stablehlo.real %12 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %14 = stablehlo.imag %12 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %15 = stablehlo.negate %14 : tensor<3x3xf64>
    %16 = stablehlo.complex %13, %15 : tensor<3x3xcomplex<f64>>
    %17 = stablehlo.dot_general %11, %16, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %18 = stablehlo.real %17 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %19 = stablehlo.imag %17 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %20 = stablehlo.transpose %10, dims = [1, 0] : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %21 = stablehlo.real %20 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %22 = stablehlo.imag %20 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %23 = stablehlo.negate %22 : tensor<3x3xf64>
    %24 = stablehlo.complex %21, %23 : tensor<3x3xcomplex<f64>>
    %25 = stablehlo.dot_general %10, %24, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %26 = stablehlo.real %25 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %27 = stablehlo.imag %25 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    return %18, %19, %26, %27 : tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>
  }
}
