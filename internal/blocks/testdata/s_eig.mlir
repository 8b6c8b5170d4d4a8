module @jit_eig attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[2.040999889e+00, -2.555999994e+00, 4.180000126e-01], [-5.680000186e-01, -4.530000091e-01, -2.160000056e-01], [-2.019999981e+00, -2.319999933e-01, -8.650000095e-01]]> : tensor<3x3xf32>
    %r:6 = call @program(%a0) : (tensor<3x3xf32>) -> (tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
    check.expect_almost_eq_const %r#0, dense<8.320880890e+00> : tensor<f32>
    check.expect_almost_eq_const %r#1, dense<0.000000000e+00> : tensor<f32>
    check.expect_almost_eq_const %r#2, dense<[-2.982293963e-01, 3.640504181e-02, 9.588881135e-01]> : tensor<3xf32>
    check.expect_almost_eq_const %r#3, dense<[0.000000000e+00, 0.000000000e+00, 0.000000000e+00]> : tensor<3xf32>
    check.expect_almost_eq_const %r#4, dense<[-2.571149468e-01, 8.414564133e-01, 1.127222925e-01]> : tensor<3xf32>
    check.expect_almost_eq_const %r#5, dense<[0.000000000e+00, 0.000000000e+00, 0.000000000e+00]> : tensor<3xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x3xf32>) -> (tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
    %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%arg0) {backend_config = "", mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
    %1 = stablehlo.complex %0#0, %0#1 : tensor<3xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %3 = stablehlo.compare EQ, %0#4, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
    %6 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %7 = stablehlo.select %6, %1, %5 : tensor<3xi1>, tensor<3xcomplex<f32>>
    %8 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<3x3xcomplex<f32>>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %11 = stablehlo.select %10, %0#2, %9 : tensor<3x3xi1>, tensor<3x3xcomplex<f32>>
    %12 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_1 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<3x3xcomplex<f32>>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %15 = stablehlo.select %14, %0#3, %13 : tensor<3x3xi1>, tensor<3x3xcomplex<f32>>
    %16 = stablehlo.multiply %7, %7 : tensor<3xcomplex<f32>>
    %17 = stablehlo.multiply %16, %7 : tensor<3xcomplex<f32>>
    %cst_2 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %18 = stablehlo.reduce(%17 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %19 = stablehlo.real %18 : (tensor<complex<f32>>) -> tensor<f32>
    %20 = stablehlo.multiply %7, %7 : tensor<3xcomplex<f32>>
    %21 = stablehlo.multiply %20, %7 : tensor<3xcomplex<f32>>
    %cst_3 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %22 = stablehlo.reduce(%21 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %23 = stablehlo.imag %22 : (tensor<complex<f32>>) -> tensor<f32>
    %24 = stablehlo.abs %15 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %25 = stablehlo.multiply %24, %24 : tensor<3x3xf32>
    %26 = stablehlo.real %7 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %27 = stablehlo.imag %7 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %29 = stablehlo.compare EQ, %26, %28, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %30 = stablehlo.sine %26 : tensor<3xf32>
    %31 = stablehlo.cosine %26 : tensor<3xf32>
    %32 = stablehlo.exponential_minus_one %27 : tensor<3xf32>
    %33 = stablehlo.negate %27 : tensor<3xf32>
    %34 = stablehlo.exponential_minus_one %33 : tensor<3xf32>
    %35 = stablehlo.subtract %32, %34 : tensor<3xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %37 = stablehlo.divide %35, %36 : tensor<3xf32>
    %38 = stablehlo.add %32, %34 : tensor<3xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %40 = stablehlo.add %38, %39 : tensor<3xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %42 = stablehlo.divide %40, %41 : tensor<3xf32>
    %43 = stablehlo.multiply %31, %42 : tensor<3xf32>
    %44 = stablehlo.negate %30 : tensor<3xf32>
    %45 = stablehlo.multiply %44, %37 : tensor<3xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %47 = stablehlo.complex %43, %46 : tensor<3xcomplex<f32>>
    %48 = stablehlo.complex %43, %45 : tensor<3xcomplex<f32>>
    %49 = stablehlo.select %29, %47, %48 : tensor<3xi1>, tensor<3xcomplex<f32>>
    %50 = stablehlo.convert %25 : (tensor<3x3xf32>) -> tensor<3x3xcomplex<f32>>
    %51 = stablehlo.broadcast_in_dim %49, dims = [1] : (tensor<3xcomplex<f32>>) -> tensor<1x3xcomplex<f32>>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<1x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
    %53 = stablehlo.multiply %50, %52 : tensor<3x3xcomplex<f32>>
    %cst_9 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %54 = stablehlo.reduce(%53 init: %cst_9) applies stablehlo.add across dimensions = [1] : (tensor<3x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
    %55 = stablehlo.real %54 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %56 = stablehlo.imag %54 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %57 = stablehlo.abs %11 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %58 = stablehlo.multiply %57, %57 : tensor<3x3xf32>
    %59 = stablehlo.real %7 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %60 = stablehlo.imag %7 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %62 = stablehlo.compare EQ, %59, %61, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %63 = stablehlo.sine %59 : tensor<3xf32>
    %64 = stablehlo.cosine %59 : tensor<3xf32>
    %65 = stablehlo.exponential_minus_one %60 : tensor<3xf32>
    %66 = stablehlo.negate %60 : tensor<3xf32>
    %67 = stablehlo.exponential_minus_one %66 : tensor<3xf32>
    %68 = stablehlo.subtract %65, %67 : tensor<3xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %70 = stablehlo.divide %68, %69 : tensor<3xf32>
    %71 = stablehlo.add %65, %67 : tensor<3xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %73 = stablehlo.add %71, %72 : tensor<3xf32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %75 = stablehlo.divide %73, %74 : tensor<3xf32>
    %76 = stablehlo.multiply %64, %75 : tensor<3xf32>
    %77 = stablehlo.negate %63 : tensor<3xf32>
    %78 = stablehlo.multiply %77, %70 : tensor<3xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %80 = stablehlo.complex %76, %79 : tensor<3xcomplex<f32>>
    %81 = stablehlo.complex %76, %78 : tensor<3xcomplex<f32>>
    %82 = stablehlo.select %62, %80, %81 : tensor<3xi1>, tensor<3xcomplex<f32>>
    %83 = stablehlo.convert %58 : (tensor<3x3xf32>) -> tensor<3x3xcomplex<f32>>
    %84 = stablehlo.broadcast_in_dim %82, dims = [1] : (tensor<3xcomplex<f32>>) -> tensor<1x3xcomplex<f32>>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1] : (tensor<1x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
    %86 = stablehlo.multiply %83, %85 : tensor<3x3xcomplex<f32>>
    %cst_15 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %87 = stablehlo.reduce(%86 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<3x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
    %88 = stablehlo.real %87 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    %89 = stablehlo.imag %87 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    return %19, %23, %55, %56, %88, %89 : tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  }
}
