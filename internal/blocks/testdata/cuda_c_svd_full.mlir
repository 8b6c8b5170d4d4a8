module @jit_svd attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(-4.819999933e-01, 1.019000053e+00), (1.350000054e-01, 2.176000118e+00), (8.379999995e-01, -2.700000070e-02), (1.082999945e+00, -3.829999864e-01)], [(1.039000034e+00, 1.669999957e-01), (1.550000012e-01, 7.350000143e-01), (1.610000014e+00, -5.870000124e-01), (-2.829999924e-01, 3.799999952e-01)], [(-1.410000026e-01, -1.700000092e-02), (7.990000248e-01, 1.616000056e+00), (-5.509999990e-01, -6.629999876e-01), (2.161000013e+00, 1.046000004e+00)]]> : tensor<3x4xcomplex<f32>>
    %r:3 = call @program(%a0) : (tensor<3x4xcomplex<f32>>) -> (tensor<3xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
    check.expect_almost_eq_const %r#0, dense<[3.829249144e+00, 2.691343546e+00, 8.660328388e-01]> : tensor<3xf32>
    check.expect_almost_eq_const %r#1, dense<[[-2.319378853e-01, -1.747745872e-01, 2.205927297e-02, -3.683886826e-01], [3.461414576e-01, 4.272210598e-02, 4.019278586e-01, 6.702256948e-02], [1.547702849e-01, -3.505066782e-02, -1.930938661e-01, -1.504282951e-01]]> : tensor<3x4xf32>
    check.expect_almost_eq_const %r#2, dense<[[2.762141451e-02, -1.227273270e-01, -1.774960756e-02, -3.983390927e-01], [-1.699931920e-01, -2.119759917e-01, 3.993239999e-02, -8.456337452e-02], [-6.217265874e-02, -4.457147121e-01, 2.866118550e-01, 1.928196251e-01]]> : tensor<3x4xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x4xcomplex<f32>>) -> (tensor<3xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
    %0:5 = stablehlo.custom_call @cusolver_gesvdj_ffi(%arg0) {backend_config = "", mhlo.backend_config = {compute_uv = true, full_matrices = true}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x4xcomplex<f32>>) -> (tensor<3x4xcomplex<f32>>, tensor<3xf32>, tensor<3x3xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i32>)
    %1 = stablehlo.transpose %0#3, dims = [1, 0] : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %2 = stablehlo.real %1 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %3 = stablehlo.imag %1 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %4 = stablehlo.negate %3 : tensor<4x4xf32>
    %5 = stablehlo.complex %2, %4 : tensor<4x4xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %7 = stablehlo.compare EQ, %0#4, %6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %11 = stablehlo.select %10, %0#1, %9 : tensor<3xi1>, tensor<3xf32>
    %12 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<3x3xcomplex<f32>>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %15 = stablehlo.select %14, %0#2, %13 : tensor<3x3xi1>, tensor<3x3xcomplex<f32>>
    %16 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_1 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %17 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
    %18 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<4x4xi1>
    %19 = stablehlo.select %18, %5, %17 : tensor<4x4xi1>, tensor<4x4xcomplex<f32>>
    %20 = stablehlo.sine %11 : tensor<3xf32>
    %21 = stablehlo.convert %20 : (tensor<3xf32>) -> tensor<3xcomplex<f32>>
    %22 = stablehlo.broadcast_in_dim %21, dims = [1] : (tensor<3xcomplex<f32>>) -> tensor<1x3xcomplex<f32>>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<1x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
    %24 = stablehlo.multiply %15, %23 : tensor<3x3xcomplex<f32>>
    %25 = stablehlo.slice %19 [0:3, 0:4] : (tensor<4x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
    %26 = stablehlo.dot_general %24, %25, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
    %27 = stablehlo.real %26 : (tensor<3x4xcomplex<f32>>) -> tensor<3x4xf32>
    %28 = stablehlo.imag %26 : (tensor<3x4xcomplex<f32>>) -> tensor<3x4xf32>
    return %11, %27, %28 : tensor<3xf32>, tensor<3x4xf32>, tensor<3x4xf32>
  }
}
