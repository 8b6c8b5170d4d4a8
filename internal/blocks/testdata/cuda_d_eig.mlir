module @jit_eig attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[-9.260000000e-01, 5.840000000e-01, 5.830000000e-01], [-2.150000000e-01, -7.830000000e-01, 2.290000000e-01], [-2.494000000e+00, 6.900000000e-01, 4.910000000e-01]]> : tensor<3x3xf64>
    %r:4 = call @program(%a0) : (tensor<3x3xf64>) -> (tensor<f64>, tensor<f64>, tensor<3xf64>, tensor<3xf64>)
    check.expect_almost_eq_const %r#0, dense<-1.297562400e-02> : tensor<f64>
    check.expect_almost_eq_const %r#1, dense<-3.700682386e-17> : tensor<f64>
    check.expect_almost_eq_const %r#2, dense<[6.648864761e-01, 3.422617562e-01, 2.672650665e+00]> : tensor<3xf64>
    check.expect_almost_eq_const %r#3, dense<[0.000000000e+00, 0.000000000e+00, 0.000000000e+00]> : tensor<3xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x3xf64>) -> (tensor<f64>, tensor<f64>, tensor<3xf64>, tensor<3xf64>) {
    %0:5 = stablehlo.custom_call @cuhybrid_eig_real(%arg0) {backend_config = "", mhlo.backend_config = {left = false, magma = "auto", right = true}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
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
    %11 = stablehlo.select %10, %0#3, %9 : tensor<3x3xi1>, tensor<3x3xcomplex<f64>>
    %12:5 = stablehlo.custom_call @cuhybrid_eig_real(%arg0) {backend_config = "", mhlo.backend_config = {left = false, magma = "auto", right = true}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
    %13 = stablehlo.complex %12#0, %12#1 : tensor<3xcomplex<f64>>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<i32>
    %15 = stablehlo.compare EQ, %12#4, %14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %16 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst_2 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
    %18 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %19 = stablehlo.select %18, %13, %17 : tensor<3xi1>, tensor<3xcomplex<f64>>
    %20 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_3 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %21 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
    %22 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %23 = stablehlo.select %22, %12#3, %21 : tensor<3x3xi1>, tensor<3x3xcomplex<f64>>
    %24 = stablehlo.multiply %7, %7 : tensor<3xcomplex<f64>>
    %25 = stablehlo.multiply %24, %7 : tensor<3xcomplex<f64>>
    %cst_4 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %26 = stablehlo.reduce(%25 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    %27 = stablehlo.real %26 : (tensor<complex<f64>>) -> tensor<f64>
    %28 = stablehlo.multiply %7, %7 : tensor<3xcomplex<f64>>
    %29 = stablehlo.multiply %28, %7 : tensor<3xcomplex<f64>>
    %cst_5 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %30 = stablehlo.reduce(%29 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    %31 = stablehlo.imag %30 : (tensor<complex<f64>>) -> tensor<f64>
    %32 = stablehlo.abs %23 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %33 = stablehlo.multiply %32, %32 : tensor<3x3xf64>
    %34 = stablehlo.real %7 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %35 = stablehlo.imag %7 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %37 = stablehlo.compare EQ, %34, %36, FLOAT : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
    %38 = stablehlo.sine %34 : tensor<3xf64>
    %39 = stablehlo.cosine %34 : tensor<3xf64>
    %40 = stablehlo.exponential_minus_one %35 : tensor<3xf64>
    %41 = stablehlo.negate %35 : tensor<3xf64>
    %42 = stablehlo.exponential_minus_one %41 : tensor<3xf64>
    %43 = stablehlo.subtract %40, %42 : tensor<3xf64>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %44 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %45 = stablehlo.divide %43, %44 : tensor<3xf64>
    %46 = stablehlo.add %40, %42 : tensor<3xf64>
    %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %47 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %48 = stablehlo.add %46, %47 : tensor<3xf64>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %49 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %50 = stablehlo.divide %48, %49 : tensor<3xf64>
    %51 = stablehlo.multiply %39, %50 : tensor<3xf64>
    %52 = stablehlo.negate %38 : tensor<3xf64>
    %53 = stablehlo.multiply %52, %45 : tensor<3xf64>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %54 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %55 = stablehlo.complex %51, %54 : tensor<3xcomplex<f64>>
    %56 = stablehlo.complex %51, %53 : tensor<3xcomplex<f64>>
    %57 = stablehlo.select %37, %55, %56 : tensor<3xi1>, tensor<3xcomplex<f64>>
    %58 = stablehlo.convert %33 : (tensor<3x3xf64>) -> tensor<3x3xcomplex<f64>>
    %59 = stablehlo.broadcast_in_dim %57, dims = [1] : (tensor<3xcomplex<f64>>) -> tensor<1x3xcomplex<f64>>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1] : (tensor<1x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %61 = stablehlo.multiply %58, %60 : tensor<3x3xcomplex<f64>>
    %cst_11 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %62 = stablehlo.reduce(%61 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<3x3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
    %63 = stablehlo.real %62 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    %64 = stablehlo.imag %62 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
    return %27, %31, %63, %64 : tensor<f64>, tensor<f64>, tensor<3xf64>, tensor<3xf64>
  }
}
