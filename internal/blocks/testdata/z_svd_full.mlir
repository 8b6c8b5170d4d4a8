module @jit_svd attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(5.940000000e-01, -1.837000000e+00), (-1.010000000e-01, 3.660000000e-01), (7.260000000e-01, 1.192000000e+00), (1.286000000e+00, -8.130000000e-01)], [(2.350000000e-01, 1.489000000e+00), (-3.560000000e-01, 5.350000000e-01), (7.190000000e-01, -5.490000000e-01), (1.901000000e+00, 2.040000000e-01)], [(-2.110000000e-01, -1.534000000e+00), (-9.200000000e-02, -5.660000000e-01), (-1.360000000e-01, 1.827000000e+00), (1.223000000e+00, -8.940000000e-01)]]> : tensor<3x4xcomplex<f64>>
    %r:3 = call @program(%a0) : (tensor<3x4xcomplex<f64>>) -> (tensor<3xf64>, tensor<3x4xf64>, tensor<3x4xf64>)
    check.expect_almost_eq_const %r#0, dense<[3.958756771e+00, 2.638977216e+00, 1.017489107e+00]> : tensor<3xf64>
    check.expect_almost_eq_const %r#1, dense<[[1.255085281e-01, -3.574428605e-02, 3.125760582e-01, -2.328181655e-01], [-2.044233628e-01, -1.449889552e-02, 2.161961614e-01, 3.811607441e-01], [-3.283723114e-01, 1.634372325e-03, -2.961174778e-01, -4.140787024e-02]]> : tensor<3x4xf64>
    check.expect_almost_eq_const %r#2, dense<[[1.053526042e-01, 3.245717042e-01, -3.710964428e-01, 4.337858225e-01], [9.980428970e-02, 4.111132000e-02, -4.436963151e-02, -1.735901159e-01], [5.557150839e-01, -2.788369512e-01, -1.044861714e-01, 6.230812660e-02]]> : tensor<3x4xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x4xcomplex<f64>>) -> (tensor<3xf64>, tensor<3x4xf64>, tensor<3x4xf64>) {
    %0:5 = stablehlo.custom_call @lapack_zgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x4xcomplex<f64>>) -> (tensor<3x4xcomplex<f64>>, tensor<3xf64>, tensor<3x3xcomplex<f64>>, tensor<4x4xcomplex<f64>>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %6 = stablehlo.select %5, %0#1, %4 : tensor<3xi1>, tensor<3xf64>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %10 = stablehlo.select %9, %0#2, %8 : tensor<3x3xi1>, tensor<3x3xcomplex<f64>>
    %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_1 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f64>>) -> tensor<4x4xcomplex<f64>>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<4x4xi1>
    %14 = stablehlo.select %13, %0#3, %12 : tensor<4x4xi1>, tensor<4x4xcomplex<f64>>
    %15 = stablehlo.sine %6 : tensor<3xf64>
    %16 = stablehlo.convert %15 : (tensor<3xf64>) -> tensor<3xcomplex<f64>>
    %17 = stablehlo.broadcast_in_dim %16, dims = [1] : (tensor<3xcomplex<f64>>) -> tensor<1x3xcomplex<f64>>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<1x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %19 = stablehlo.multiply %10, %18 : tensor<3x3xcomplex<f64>>
    %20 = stablehlo.slice %14 [0:3, 0:4] : (tensor<4x4xcomplex<f64>>) -> tensor<3x4xcomplex<f64>>
    %21 = stablehlo.dot_general %19, %20, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xcomplex<f64>>, tensor<3x4xcomplex<f64>>) -> tensor<3x4xcomplex<f64>>
    %22 = stablehlo.real %21 : (tensor<3x4xcomplex<f64>>) -> tensor<3x4xf64>
    %23 = stablehlo.imag %21 : (tensor<3x4xcomplex<f64>>) -> tensor<3x4xf64>
    return %6, %22, %23 : tensor<3xf64>, tensor<3x4xf64>, tensor<3x4xf64>
  }
}
