module @jit_eig attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(-2.430000007e-01, 1.496999979e+00), (8.169999719e-01, -2.039999962e+00), (-7.940000296e-01, -3.400000036e-01)], [(1.340000033e-01, -6.090000272e-01), (-1.110000014e-01, 5.329999924e-01), (5.429999828e-01, -2.279000044e+00)], [(2.249999940e-01, 1.174000025e+00), (2.549999952e+00, 1.067000031e+00), (1.498999953e+00, -1.302000046e+00)]]> : tensor<3x3xcomplex<f32>>
    %r:6 = call @program(%a0) : (tensor<3x3xcomplex<f32>>) -> (tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
    check.expect_almost_eq_const %r#0, dense<1.241780472e+01> : tensor<f32>
    check.expect_almost_eq_const %r#1, dense<-6.460289001e+01> : tensor<f32>
    check.expect_almost_eq_const %r#2, dense<[1.968472958e+00, 1.137371957e-01, -2.257600069e+00]> : tensor<3xf32>
    check.expect_almost_eq_const %r#3, dense<[3.252429962e+00, 1.033845782e+00, -2.086673379e-01]> : tensor<3xf32>
    check.expect_almost_eq_const %r#4, dense<[1.504108191e+00, -8.017684519e-02, -1.599320292e+00]> : tensor<3xf32>
    check.expect_almost_eq_const %r#5, dense<[2.302330017e+00, 1.420726895e+00, 3.545520306e-01]> : tensor<3xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x3xcomplex<f32>>) -> (tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
    %0:4 = stablehlo.custom_call @lapack_cgeev_ffi(%arg0) {backend_config = "", mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f32>>) -> (tensor<3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
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
    %10 = stablehlo.select %9, %0#1, %8 : tensor<3x3xi1>, tensor<3x3xcomplex<f32>>
    %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_1 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<3x3xcomplex<f32>>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %14 = stablehlo.select %13, %0#2, %12 : tensor<3x3xi1>, tensor<3x3xcomplex<f32>>
    %15 = stablehlo.multiply %6, %6 : tensor<3xcomplex<f32>>
    %16 = stablehlo.multiply %15, %6 : tensor<3xcomplex<f32>>
    %cst_2 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %17 = stablehlo.reduce(%16 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %18 = stablehlo.real %17 : (tensor<complex<f32>>) -> tensor<f32>
    %19 = stablehlo.multiply %6, %6 : tensor<3xcomplex<f32>>
    %20 = stablehlo.multiply %19, %6 : tensor<3xcomplex<f32>>
    %cst_3 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %21 = stablehlo.reduce(%20 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %22 = stablehlo.imag %21 : (tensor<complex<f32>>) -> tensor<f32>
    %23 = stablehlo.abs %14 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %24 = stablehlo.multiply %23, %23 : tensor<3x3xf32>
    %25 = stablehlo.real %6 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %26 = stablehlo.imag %6 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %28 = stablehlo.compare EQ, %25, %27, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %29 = stablehlo.sine %25 : tensor<3xf32>
    %30 = stablehlo.cosine %25 : tensor<3xf32>
    %31 = stablehlo.exponential_minus_one %26 : tensor<3xf32>
    %32 = stablehlo.negate %26 : tensor<3xf32>
    %33 = stablehlo.exponential_minus_one %32 : tensor<3xf32>
    %34 = stablehlo.subtract %31, %33 : tensor<3xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %36 = stablehlo.divide %34, %35 : tensor<3xf32>
    %37 = stablehlo.add %31, %33 : tensor<3xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %39 = stablehlo.add %37, %38 : tensor<3xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %41 = stablehlo.divide %39, %40 : tensor<3xf32>
    %42 = stablehlo.multiply %30, %41 : tensor<3xf32>
    %43 = stablehlo.negate %29 : tensor<3xf32>
    %44 = stablehlo.multiply %43, %36 : tensor<3xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %46 = stablehlo.complex %42, %45 : tensor<3xcomplex<f32>>
    %47 = stablehlo.complex %42, %44 : tensor<3xcomplex<f32>>
    %48 = stablehlo.select %28, %46, %47 : tensor<3xi1>, tensor<3xcomplex<f32>>
    %49 = stablehlo.convert %24 : (tensor<3x3xf32>) -> tensor<3x3xcomplex<f32>>
    %50 = stablehlo.broadcast_in_dim %48, dims = [1] : (tensor<3xcomplex<f32>>) -> tensor<1x3xcomplex<f32>>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1] : (tensor<1x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
    %52 = stablehlo.multiply %49, %51 : tensor<3x3xcomplex<f32>>
    %cst_9 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %53 = stablehlo.reduce(%52 init: %cst_9) applies stablehlo.add across dimensions = [1] : (tensor<3x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
    %54 = stablehlo.real %53 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %55 = stablehlo.imag %53 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %56 = stablehlo.abs %10 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %57 = stablehlo.multiply %56, %56 : tensor<3x3xf32>
    %58 = stablehlo.real %6 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %59 = stablehlo.imag %6 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %61 = stablehlo.compare EQ, %58, %60, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %62 = stablehlo.sine %58 : tensor<3xf32>
    %63 = stablehlo.cosine %58 : tensor<3xf32>
    %64 = stablehlo.exponential_minus_one %59 : tensor<3xf32>
    %65 = stablehlo.negate %59 : tensor<3xf32>
    %66 = stablehlo.exponential_minus_one %65 : tensor<3xf32>
    %67 = stablehlo.subtract %64, %66 : tensor<3xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %69 = stablehlo.divide %67, %68 : tensor<3xf32>
    %70 = stablehlo.add %64, %66 : tensor<3xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %72 = stablehlo.add %70, %71 : tensor<3xf32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %74 = stablehlo.divide %72, %73 : tensor<3xf32>
    %75 = stablehlo.multiply %63, %74 : tensor<3xf32>
    %76 = stablehlo.negate %62 : tensor<3xf32>
    %77 = stablehlo.multiply %76, %69 : tensor<3xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %79 = stablehlo.complex %75, %78 : tensor<3xcomplex<f32>>
    %80 = stablehlo.complex %75, %77 : tensor<3xcomplex<f32>>
    %81 = stablehlo.select %61, %79, %80 : tensor<3xi1>, tensor<3xcomplex<f32>>
    %82 = stablehlo.convert %57 : (tensor<3x3xf32>) -> tensor<3x3xcomplex<f32>>
    %83 = stablehlo.broadcast_in_dim %81, dims = [1] : (tensor<3xcomplex<f32>>) -> tensor<1x3xcomplex<f32>>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1] : (tensor<1x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
    %85 = stablehlo.multiply %82, %84 : tensor<3x3xcomplex<f32>>
    %cst_15 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %86 = stablehlo.reduce(%85 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<3x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
    %87 = stablehlo.real %86 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %88 = stablehlo.imag %86 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    return %18, %22, %54, %55, %87, %88 : tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  }
}
