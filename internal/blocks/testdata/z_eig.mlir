module @jit_eig attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(-1.608000000e+00, -5.600000000e-01), (7.600000000e-01, -1.810000000e-01), (-1.756000000e+00, 4.200000000e-02)], [(6.530000000e-01, -1.350000000e-01), (-1.400000000e-02, -1.890000000e-01), (1.127000000e+00, -8.320000000e-01)], [(-6.800000000e-02, -1.890000000e-01), (-8.230000000e-01, -2.138000000e+00), (3.580000000e-01, -1.570000000e-01)]]> : tensor<3x3xcomplex<f64>>
    %r:6 = call @program(%a0) : (tensor<3x3xcomplex<f64>>) -> (tensor<f64>, tensor<f64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>)
    check.expect_almost_eq_const %r#0, dense<-5.873891920e+00> : tensor<f64>
    check.expect_almost_eq_const %r#1, dense<1.753097259e+00> : tensor<f64>
    check.expect_almost_eq_const %r#2, dense<[1.160596111e+00, 1.050145733e+00, 2.124578221e+00]> : tensor<3xf64>
    check.expect_almost_eq_const %r#3, dense<[1.168095954e-01, 4.155882095e-01, 8.254421088e-01]> : tensor<3xf64>
    check.expect_almost_eq_const %r#4, dense<[3.204166960e-01, 2.763394694e+00, 1.251508676e+00]> : tensor<3xf64>
    check.expect_almost_eq_const %r#5, dense<[-3.251165807e-02, 9.676745640e-01, 4.226770077e-01]> : tensor<3xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x3xcomplex<f64>>) -> (tensor<f64>, tensor<f64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) {
    %0:4 = stablehlo.custom_call @lapack_zgeev_ffi(%arg0) {backend_config = "", mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#3, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %6 = stablehlo.select %5, %0#0, %4 : tensor<3xi1>, tensor<3xcomplex<f64>>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %10 = stablehlo.select %9, %0#1, %8 : tensor<3x3xi1>, tensor<3x3xcomplex<f64>>
    %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_1 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %14 = stablehlo.select %13, %0#2, %12 : tensor<3x3xi1>, tensor<3x3xcomplex<f64>>
    %15 = stablehlo.multiply %6, %6 : tensor<3xcomplex<f64>>
    %16 = stablehlo.multiply %15, %6 : tensor<3xcomplex<f64>>
    %cst_2 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %17 = stablehlo.reduce(%16 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    %18 = stablehlo.real %17 : (tensor<complex<f64>>) -> tensor<f64>
    %19 = stablehlo.multiply %6, %6 : tensor<3xcomplex<f64>>
    %20 = stablehlo.multiply %19, %6 : tensor<3xcomplex<f64>>
    %cst_3 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %21 = stablehlo.reduce(%20 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    %22 = stablehlo.imag %21 : (tensor<complex<f64>>) -> tensor<f64>
    %23 = stablehlo.abs %14 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %24 = stablehlo.multiply %23, %23 : tensor<3x3xf64>
    %25 = stablehlo.real %6 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %26 = stablehlo.imag %6 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %27 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %28 = stablehlo.compare EQ, %25, %27, FLOAT : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
    %29 = stablehlo.sine %25 : tensor<3xf64>
    %30 = stablehlo.cosine %25 : tensor<3xf64>
    %31 = stablehlo.exponential_minus_one %26 : tensor<3xf64>
    %32 = stablehlo.negate %26 : tensor<3xf64>
    %33 = stablehlo.exponential_minus_one %32 : tensor<3xf64>
    %34 = stablehlo.subtract %31, %33 : tensor<3xf64>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %35 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %36 = stablehlo.divide %34, %35 : tensor<3xf64>
    %37 = stablehlo.add %31, %33 : tensor<3xf64>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %38 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %39 = stablehlo.add %37, %38 : tensor<3xf64>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %40 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %41 = stablehlo.divide %39, %40 : tensor<3xf64>
    %42 = stablehlo.multiply %30, %41 : tensor<3xf64>
    %43 = stablehlo.negate %29 : tensor<3xf64>
    %44 = stablehlo.multiply %43, %36 : tensor<3xf64>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %45 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %46 = stablehlo.complex %42, %45 : tensor<3xcomplex<f64>>
    %47 = stablehlo.complex %42, %44 : tensor<3xcomplex<f64>>
    %48 = stablehlo.select %28, %46, %47 : tensor<3xi1>, tensor<3xcomplex<f64>>
    %49 = stablehlo.convert %24 : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %50 = stablehlo.broadcast_in_dim %48, dims = [1] : (tensor<3xcomplex<f64>>) -> tensor<1x3xcomplex<f64>>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1] : (tensor<1x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %52 = stablehlo.multiply %49, %51 : tensor<3x3xcomplex<f64>>
    %cst_9 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %53 = stablehlo.reduce(%52 init: %cst_9) applies stablehlo.add across dimensions = [1] : (tensor<3x3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
    %54 = stablehlo.real %53 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %55 = stablehlo.imag %53 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %56 = stablehlo.abs %10 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %57 = stablehlo.multiply %56, %56 : tensor<3x3xf64>
    %58 = stablehlo.real %6 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %59 = stablehlo.imag %6 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %60 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %61 = stablehlo.compare EQ, %58, %60, FLOAT : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
    %62 = stablehlo.sine %58 : tensor<3xf64>
    %63 = stablehlo.cosine %58 : tensor<3xf64>
    %64 = stablehlo.exponential_minus_one %59 : tensor<3xf64>
    %65 = stablehlo.negate %59 : tensor<3xf64>
    %66 = stablehlo.exponential_minus_one %65 : tensor<3xf64>
    %67 = stablehlo.subtract %64, %66 : tensor<3xf64>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %68 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %69 = stablehlo.divide %67, %68 : tensor<3xf64>
    %70 = stablehlo.add %64, %66 : tensor<3xf64>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %71 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %72 = stablehlo.add %70, %71 : tensor<3xf64>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %73 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %74 = stablehlo.divide %72, %73 : tensor<3xf64>
    %75 = stablehlo.multiply %63, %74 : tensor<3xf64>
    %76 = stablehlo.negate %62 : tensor<3xf64>
    %77 = stablehlo.multiply %76, %69 : tensor<3xf64>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %78 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %79 = stablehlo.complex %75, %78 : tensor<3xcomplex<f64>>
    %80 = stablehlo.complex %75, %77 : tensor<3xcomplex<f64>>
    %81 = stablehlo.select %61, %79, %80 : tensor<3xi1>, tensor<3xcomplex<f64>>
    %82 = stablehlo.convert %57 : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %83 = stablehlo.broadcast_in_dim %81, dims = [1] : (tensor<3xcomplex<f64>>) -> tensor<1x3xcomplex<f64>>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1] : (tensor<1x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %85 = stablehlo.multiply %82, %84 : tensor<3x3xcomplex<f64>>
    %cst_15 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %86 = stablehlo.reduce(%85 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<3x3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
    %87 = stablehlo.real %86 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %88 = stablehlo.imag %86 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    return %18, %22, %54, %55, %87, %88 : tensor<f64>, tensor<f64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
  }
}
