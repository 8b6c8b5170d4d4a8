module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(-2.430000007e-01, 1.496999979e+00), (8.169999719e-01, -2.039999962e+00), (-7.940000296e-01, -3.400000036e-01)], [(1.340000033e-01, -6.090000272e-01), (-1.110000014e-01, 5.329999924e-01), (5.429999828e-01, -2.279000044e+00)], [(2.249999940e-01, 1.174000025e+00), (2.549999952e+00, 1.067000031e+00), (1.498999953e+00, -1.302000046e+00)]]> : tensor<3x3xcomplex<f32>>
    %r:4 = call @program(%a0) : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<2xf32>, tensor<2xf32>)
    check.expect_almost_eq_const %r#0, dense<[[-2.430000007e-01, 6.767157316e-01, -6.682289839e-01], [-1.348235250e+00, 5.311496258e-01, 1.253283739e+00], [-1.485504955e-01, 2.992750406e+00, 8.568505049e-01]]> : tensor<3x3xf32>
    check.expect_almost_eq_const %r#1, dense<[[1.496999979e+00, 1.319924831e+00, 1.711271524e+00], [0.000000000e+00, -7.778481245e-01, -2.284640074e+00], [7.310127616e-01, 0.000000000e+00, 8.848190308e-03]]> : tensor<3x3xf32>
    check.expect_almost_eq_const %r#2, dense<[1.099389195e+00, 1.706697702e+00]> : tensor<2xf32>
    check.expect_almost_eq_const %r#3, dense<[-4.517016113e-01, -7.075156569e-01]> : tensor<2xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x3xcomplex<f32>>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<2xf32>, tensor<2xf32>) {
    %0:3 = stablehlo.custom_call @lapack_cgehrd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {high = 3 : i32, low = 1 : i32}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#2, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<3x3xcomplex<f32>>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %6 = stablehlo.select %5, %0#0, %4 : tensor<3x3xi1>, tensor<3x3xcomplex<f32>>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<1xi1>) -> tensor<2xi1>
    %10 = stablehlo.select %9, %0#1, %8 : tensor<2xi1>, tensor<2xcomplex<f32>>
    %11 = stablehlo.real %6 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %12 = stablehlo.imag %6 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %13 = stablehlo.real %10 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    %14 = stablehlo.imag %10 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    return %11, %12, %13, %14 : tensor<3x3xf32>, tensor<3x3xf32>, tensor<2xf32>, tensor<2xf32>
  }
}
