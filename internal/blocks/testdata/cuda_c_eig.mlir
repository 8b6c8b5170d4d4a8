module @jit_eig attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(-2.430000007e-01, 1.496999979e+00), (8.169999719e-01, -2.039999962e+00), (-7.940000296e-01, -3.400000036e-01)], [(1.340000033e-01, -6.090000272e-01), (-1.110000014e-01, 5.329999924e-01), (5.429999828e-01, -2.279000044e+00)], [(2.249999940e-01, 1.174000025e+00), (2.549999952e+00, 1.067000031e+00), (1.498999953e+00, -1.302000046e+00)]]> : tensor<3x3xcomplex<f32>>
    %r:4 = call @program(%a0) : (tensor<3x3xcomplex<f32>>) -> (tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>)
    check.expect_almost_eq_const %r#0, dense<1.241780472e+01> : tensor<f32>
    check.expect_almost_eq_const %r#1, dense<-6.460289001e+01> : tensor<f32>
    check.expect_almost_eq_const %r#2, dense<[1.968472958e+00, 1.137371957e-01, -2.257600069e+00]> : tensor<3xf32>
    check.expect_almost_eq_const %r#3, dense<[3.252429962e+00, 1.033845782e+00, -2.086673379e-01]> : tensor<3xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x3xcomplex<f32>>) -> (tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>) {
    %0:4 = stablehlo.custom_call @cuhybrid_eig_comp(%arg0) {backend_config = "", mhlo.backend_config = {left = false, magma = "auto", right = true}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f32>>) -> (tensor<3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#3, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %6 = stablehlo.select %5, %0#0, %4 : tensor<3xi1>, tensor<3xcomplex<f32>>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<3x3xcomplex<f32>>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %10 = stablehlo.select %9, %0#2, %8 : tensor<3x3xi1>, tensor<3x3xcomplex<f32>>
    %11:4 = stablehlo.custom_call @cuhybrid_eig_comp(%arg0) {backend_config = "", mhlo.backend_config = {left = false, magma = "auto", right = true}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f32>>) -> (tensor<3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<i32>
    %13 = stablehlo.compare EQ, %11#3, %12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %14 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst_2 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %17 = stablehlo.select %16, %11#0, %15 : tensor<3xi1>, tensor<3xcomplex<f32>>
    %18 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_3 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<complex<f32>>) -> tensor<3x3xcomplex<f32>>
    %20 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %21 = stablehlo.select %20, %11#2, %19 : tensor<3x3xi1>, tensor<3x3xcomplex<f32>>
    %22 = stablehlo.multiply %6, %6 : tensor<3xcomplex<f32>>
    %23 = stablehlo.multiply %22, %6 : tensor<3xcomplex<f32>>
    %cst_4 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %24 = stablehlo.reduce(%23 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %25 = stablehlo.real %24 : (tensor<complex<f32>>) -> tensor<f32>
    %26 = stablehlo.multiply %6, %6 : tensor<3xcomplex<f32>>
    %27 = stablehlo.multiply %26, %6 : tensor<3xcomplex<f32>>
    %cst_5 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %28 = stablehlo.reduce(%27 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %29 = stablehlo.imag %28 : (tensor<complex<f32>>) -> tensor<f32>
    %30 = stablehlo.abs %21 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %31 = stablehlo.multiply %30, %30 : tensor<3x3xf32>
    %32 = stablehlo.real %6 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %33 = stablehlo.imag %6 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %35 = stablehlo.compare EQ, %32, %34, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %36 = stablehlo.sine %32 : tensor<3xf32>
    %37 = stablehlo.cosine %32 : tensor<3xf32>
    %38 = stablehlo.exponential_minus_one %33 : tensor<3xf32>
    %39 = stablehlo.negate %33 : tensor<3xf32>
    %40 = stablehlo.exponential_minus_one %39 : tensor<3xf32>
    %41 = stablehlo.subtract %38, %40 : tensor<3xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %43 = stablehlo.divide %41, %42 : tensor<3xf32>
    %44 = stablehlo.add %38, %40 : tensor<3xf32>
    %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %46 = stablehlo.add %44, %45 : tensor<3xf32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %48 = stablehlo.divide %46, %47 : tensor<3xf32>
    %49 = stablehlo.multiply %37, %48 : tensor<3xf32>
    %50 = stablehlo.negate %36 : tensor<3xf32>
    %51 = stablehlo.multiply %50, %43 : tensor<3xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %53 = stablehlo.complex %49, %52 : tensor<3xcomplex<f32>>
    %54 = stablehlo.complex %49, %51 : tensor<3xcomplex<f32>>
    %55 = stablehlo.select %35, %53, %54 : tensor<3xi1>, tensor<3xcomplex<f32>>
    %56 = stablehlo.convert %31 : (tensor<3x3xf32>) -> tensor<3x3xcomplex<f32>>
    %57 = stablehlo.broadcast_in_dim %55, dims = [1] : (tensor<3xcomplex<f32>>) -> tensor<1x3xcomplex<f32>>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1] : (tensor<1x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
    %59 = stablehlo.multiply %56, %58 : tensor<3x3xcomplex<f32>>
    %cst_11 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %60 = stablehlo.reduce(%59 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<3x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
    %61 = stablehlo.real %60 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %62 = stablehlo.imag %60 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    return %25, %29, %61, %62 : tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>
  }
}
