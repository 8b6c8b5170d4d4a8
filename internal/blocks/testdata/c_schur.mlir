module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(-2.430000007e-01, 1.496999979e+00), (8.169999719e-01, -2.039999962e+00), (-7.940000296e-01, -3.400000036e-01)], [(1.340000033e-01, -6.090000272e-01), (-1.110000014e-01, 5.329999924e-01), (5.429999828e-01, -2.279000044e+00)], [(2.249999940e-01, 1.174000025e+00), (2.549999952e+00, 1.067000031e+00), (1.498999953e+00, -1.302000046e+00)]]> : tensor<3x3xcomplex<f32>>
    %r:4 = call @program(%a0) : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>)
    check.expect_almost_eq_const %r#0, dense<[[-2.430000603e-01, 8.169994354e-01, -7.939997911e-01], [1.339999139e-01, -1.109999716e-01, 5.430006981e-01], [2.250004411e-01, 2.549999237e+00, 1.498999119e+00]]> : tensor<3x3xf32>
    check.expect_almost_eq_const %r#1, dense<[[1.496999025e+00, -2.039999008e+00, -3.399998248e-01], [-6.089995503e-01, 5.330002308e-01, -2.279000044e+00], [1.173999786e+00, 1.066999793e+00, -1.301999450e+00]]> : tensor<3x3xf32>
    check.expect_almost_eq_const %r#2, dense<[[9.999997020e-01, 4.470348358e-08, -5.960464478e-08], [4.470348358e-08, 9.999998808e-01, 4.470348358e-08], [-7.078051567e-08, 2.980232239e-08, 1.000000238e+00]]> : tensor<3x3xf32>
    check.expect_almost_eq_const %r#3, dense<[[0.000000000e+00, -5.960464478e-08, 1.490116119e-07], [5.960464478e-08, 0.000000000e+00, 2.682209015e-07], [-1.415610313e-07, -2.682209015e-07, 0.000000000e+00]]> : tensor<3x3xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x3xcomplex<f32>>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) {
    %0:5 = stablehlo.custom_call @lapack_cgees_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<i32>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<3x3xcomplex<f32>>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %6 = stablehlo.select %5, %0#0, %4 : tensor<3x3xi1>, tensor<3x3xcomplex<f32>>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<3x3xcomplex<f32>>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %10 = stablehlo.select %9, %0#1, %8 : tensor<3x3xi1>, tensor<3x3xcomplex<f32>>
    %11 = stablehlo.dot_general %10, %6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
    %12 = stablehlo.transpose %10, dims = [1, 0] : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
    %13 = stablehlo.real %12 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %14 = stablehlo.imag %12 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %15 = stablehlo.negate %14 : tensor<3x3xf32>
    %16 = stablehlo.complex %13, %15 : tensor<3x3xcomplex<f32>>
    %17 = stablehlo.dot_general %11, %16, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
    %18 = stablehlo.real %17 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %19 = stablehlo.imag %17 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %20 = stablehlo.transpose %10, dims = [1, 0] : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
    %21 = stablehlo.real %20 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %22 = stablehlo.imag %20 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %23 = stablehlo.negate %22 : tensor<3x3xf32>
    %24 = stablehlo.complex %21, %23 : tensor<3x3xcomplex<f32>>
    %25 = stablehlo.dot_general %10, %24, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
    %26 = stablehlo.real %25 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %27 = stablehlo.imag %25 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    return %18, %19, %26, %27 : tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>
  }
}
