module @jit_eigh attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(7.594925000e+00, 3.444644570e-17), (-2.964811000e+00, -1.850244000e+00), (-6.585600000e-01, 1.247355000e+00)], [(-2.964811000e+00, 1.850244000e+00), (3.442904000e+00, 1.646593972e-17), (9.308050000e-01, 1.372950000e-01)], [(-6.585600000e-01, -1.247355000e+00), (9.308050000e-01, -1.372950000e-01), (6.441531000e+00, -7.053824191e-17)]]> : tensor<3x3xcomplex<f64>>
    %r:3 = call @program(%a0) : (tensor<3x3xcomplex<f64>>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<3x3xf64>)
    check.expect_almost_eq_const %r#0, dense<[1.178310187e+00, 6.285589324e+00, 1.001546049e+01]> : tensor<3xf64>
    check.expect_almost_eq_const %r#1, dense<[[-1.558880223e-01, 4.969004601e-01, 9.525952379e-02], [4.969004601e-01, 5.383127921e-01, -1.614093136e-01], [9.525952379e-02, -1.614093136e-01, -1.298778762e-02]]> : tensor<3x3xf64>
    check.expect_almost_eq_const %r#2, dense<[[0.000000000e+00, 3.153668909e-01, -2.041402083e-01], [-3.153668909e-01, 0.000000000e+00, -4.058511071e-02], [2.041402083e-01, 4.058511071e-02, 0.000000000e+00]]> : tensor<3x3xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x3xcomplex<f64>>) -> (tensor<3xf64>, tensor<3x3xf64>, tensor<3x3xf64>) {
    %0:3 = stablehlo.custom_call @lapack_zheevd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<3xf64>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#2, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
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
    %11 = stablehlo.sine %10 : tensor<3xf64>
    %12 = call @_diag(%11) : (tensor<3xf64>) -> tensor<3x3xf64>
    %13 = stablehlo.convert %12 : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %14 = stablehlo.dot_general %6, %13, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %15 = stablehlo.transpose %6, dims = [1, 0] : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %16 = stablehlo.real %15 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %17 = stablehlo.imag %15 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %18 = stablehlo.negate %17 : tensor<3x3xf64>
    %19 = stablehlo.complex %16, %18 : tensor<3x3xcomplex<f64>>
    %20 = stablehlo.dot_general %14, %19, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %21 = stablehlo.real %20 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %22 = stablehlo.imag %20 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    return %10, %21, %22 : tensor<3xf64>, tensor<3x3xf64>, tensor<3x3xf64>
  }
  func.func private @_diag(%arg0: tensor<3xf64>) -> tensor<3x3xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.pad %arg0, %cst, low = [0], high = [0], interior = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
    %1 = stablehlo.iota dim = 0 : tensor<3x3xi64>
    %2 = stablehlo.iota dim = 1 : tensor<3x3xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<3x3xi64>
    %4 = stablehlo.add %1, %3 : tensor<3x3xi64>
    %5 = stablehlo.compare EQ, %4, %2, SIGNED : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi1>
    %6 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %7 = call @_where(%5, %6, %cst_0) : (tensor<3x3xi1>, tensor<3x1xf64>, tensor<f64>) -> tensor<3x3xf64>
    return %7 : tensor<3x3xf64>
  }
  func.func private @_where(%arg0: tensor<3x3xi1>, %arg1: tensor<3x1xf64>, %arg2: tensor<f64>) -> tensor<3x3xf64> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x3xf64>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<3x3xf64>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<3x3xi1>, tensor<3x3xf64>
    return %2 : tensor<3x3xf64>
  }
}
