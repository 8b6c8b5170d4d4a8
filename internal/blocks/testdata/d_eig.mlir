module @jit_eig attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[-9.260000000e-01, 5.840000000e-01, 5.830000000e-01], [-2.150000000e-01, -7.830000000e-01, 2.290000000e-01], [-2.494000000e+00, 6.900000000e-01, 4.910000000e-01]]> : tensor<3x3xf64>
    %r:6 = call @program(%a0) : (tensor<3x3xf64>) -> (tensor<f64>, tensor<f64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>)
    check.expect_almost_eq_const %r#0, dense<-1.297562400e-02> : tensor<f64>
    check.expect_almost_eq_const %r#1, dense<-3.700682386e-17> : tensor<f64>
    check.expect_almost_eq_const %r#2, dense<[6.648864761e-01, 3.422617562e-01, 2.672650665e+00]> : tensor<3xf64>
    check.expect_almost_eq_const %r#3, dense<[0.000000000e+00, 0.000000000e+00, 0.000000000e+00]> : tensor<3xf64>
    check.expect_almost_eq_const %r#4, dense<[2.262184951e+00, 8.739246527e-01, 5.436892941e-01]> : tensor<3xf64>
    check.expect_almost_eq_const %r#5, dense<[0.000000000e+00, 0.000000000e+00, 0.000000000e+00]> : tensor<3xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x3xf64>) -> (tensor<f64>, tensor<f64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) {
    %0:5 = stablehlo.custom_call @lapack_dgeev_ffi(%arg0) {backend_config = "", mhlo.backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
    %1 = stablehlo.complex %0#0, %0#1 : tensor<3xcomplex<f64>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %3 = stablehlo.compare EQ, %0#4, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
    %6 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %7 = stablehlo.select %6, %1, %5 : tensor<3xi1>, tensor<3xcomplex<f64>>
    %8 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %11 = stablehlo.select %10, %0#2, %9 : tensor<3x3xi1>, tensor<3x3xcomplex<f64>>
    %12 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_1 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %15 = stablehlo.select %14, %0#3, %13 : tensor<3x3xi1>, tensor<3x3xcomplex<f64>>
    %16 = stablehlo.multiply %7, %7 : tensor<3xcomplex<f64>>
    %17 = stablehlo.multiply %16, %7 : tensor<3xcomplex<f64>>
    %cst_2 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %18 = stablehlo.reduce(%17 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    %19 = stablehlo.real %18 : (tensor<complex<f64>>) -> tensor<f64>
    %20 = stablehlo.multiply %7, %7 : tensor<3xcomplex<f64>>
    %21 = stablehlo.multiply %20, %7 : tensor<3xcomplex<f64>>
    %cst_3 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %22 = stablehlo.reduce(%21 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    %23 = stablehlo.imag %22 : (tensor<complex<f64>>) -> tensor<f64>
    %24 = stablehlo.abs %15 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %25 = stablehlo.multiply %24, %24 : tensor<3x3xf64>
    %26 = stablehlo.real %7 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %27 = stablehlo.imag %7 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %28 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %29 = stablehlo.compare EQ, %26, %28, FLOAT : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
    %30 = stablehlo.sine %26 : tensor<3xf64>
    %31 = stablehlo.cosine %26 : tensor<3xf64>
    %32 = stablehlo.exponential_minus_one %27 : tensor<3xf64>
    %33 = stablehlo.negate %27 : tensor<3xf64>
    %34 = stablehlo.exponential_minus_one %33 : tensor<3xf64>
    %35 = stablehlo.subtract %32, %34 : tensor<3xf64>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %36 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %37 = stablehlo.divide %35, %36 : tensor<3xf64>
    %38 = stablehlo.add %32, %34 : tensor<3xf64>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %39 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %40 = stablehlo.add %38, %39 : tensor<3xf64>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %41 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %42 = stablehlo.divide %40, %41 : tensor<3xf64>
    %43 = stablehlo.multiply %31, %42 : tensor<3xf64>
    %44 = stablehlo.negate %30 : tensor<3xf64>
    %45 = stablehlo.multiply %44, %37 : tensor<3xf64>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %46 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %47 = stablehlo.complex %43, %46 : tensor<3xcomplex<f64>>
    %48 = stablehlo.complex %43, %45 : tensor<3xcomplex<f64>>
    %49 = stablehlo.select %29, %47, %48 : tensor<3xi1>, tensor<3xcomplex<f64>>
    %50 = stablehlo.convert %25 : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %51 = stablehlo.broadcast_in_dim %49, dims = [1] : (tensor<3xcomplex<f64>>) -> tensor<1x3xcomplex<f64>>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<1x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %53 = stablehlo.multiply %50, %52 : tensor<3x3xcomplex<f64>>
    %cst_9 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %54 = stablehlo.reduce(%53 init: %cst_9) applies stablehlo.add across dimensions = [1] : (tensor<3x3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
    %55 = stablehlo.real %54 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %56 = stablehlo.imag %54 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %57 = stablehlo.abs %11 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %58 = stablehlo.multiply %57, %57 : tensor<3x3xf64>
    %59 = stablehlo.real %7 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %60 = stablehlo.imag %7 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %61 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %62 = stablehlo.compare EQ, %59, %61, FLOAT : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
    %63 = stablehlo.sine %59 : tensor<3xf64>
    %64 = stablehlo.cosine %59 : tensor<3xf64>
    %65 = stablehlo.exponential_minus_one %60 : tensor<3xf64>
    %66 = stablehlo.negate %60 : tensor<3xf64>
    %67 = stablehlo.exponential_minus_one %66 : tensor<3xf64>
    %68 = stablehlo.subtract %65, %67 : tensor<3xf64>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %69 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %70 = stablehlo.divide %68, %69 : tensor<3xf64>
    %71 = stablehlo.add %65, %67 : tensor<3xf64>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %72 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %73 = stablehlo.add %71, %72 : tensor<3xf64>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %74 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %75 = stablehlo.divide %73, %74 : tensor<3xf64>
    %76 = stablehlo.multiply %64, %75 : tensor<3xf64>
    %77 = stablehlo.negate %63 : tensor<3xf64>
    %78 = stablehlo.multiply %77, %70 : tensor<3xf64>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %79 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %80 = stablehlo.complex %76, %79 : tensor<3xcomplex<f64>>
    %81 = stablehlo.complex %76, %78 : tensor<3xcomplex<f64>>
    %82 = stablehlo.select %62, %80, %81 : tensor<3xi1>, tensor<3xcomplex<f64>>
    %83 = stablehlo.convert %58 : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %84 = stablehlo.broadcast_in_dim %82, dims = [1] : (tensor<3xcomplex<f64>>) -> tensor<1x3xcomplex<f64>>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1] : (tensor<1x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %86 = stablehlo.multiply %83, %85 : tensor<3x3xcomplex<f64>>
    %cst_15 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %87 = stablehlo.reduce(%86 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<3x3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
    %88 = stablehlo.real %87 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %89 = stablehlo.imag %87 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    return %19, %23, %55, %56, %88, %89 : tensor<f64>, tensor<f64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
  }
}
