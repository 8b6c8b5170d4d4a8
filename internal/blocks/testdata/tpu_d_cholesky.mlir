module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[2.538421000e+00, -1.246750000e-01, 2.998657000e+00], [-1.246750000e-01, 1.711755000e+00, 1.083790000e-01], [2.998657000e+00, 1.083790000e-01, 7.937217000e+00]]> : tensor<3x3xf64>
    %r = call @program(%a0) : (tensor<3x3xf64>) -> tensor<3x3xf64>
    check.expect_almost_eq_const %r, dense<[[1.593242292e+00, 0.000000000e+00, 0.000000000e+00], [-7.825237922e-02, 1.305998302e+00, 0.000000000e+00], [1.882109843e+00, 1.957572018e-01, 2.087237087e+00]]> : tensor<3x3xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x3xf64>) -> (tensor<3x3xf64>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
    %1 = stablehlo.add %arg0, %0 : tensor<3x3xf64>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x3xf64>
    %3 = stablehlo.divide %1, %2 : tensor<3x3xf64>
    %4 = stablehlo.cholesky %3, lower = true : tensor<3x3xf64>
    %5 = stablehlo.iota dim = 0 : tensor<3x3xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<3x3xi64>
    %7 = stablehlo.add %5, %6 : tensor<3x3xi64>
    %8 = stablehlo.iota dim = 1 : tensor<3x3xi64>
    %9 = stablehlo.compare GE, %7, %8, SIGNED : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<3x3xf64>
    %11 = stablehlo.select %9, %4, %10 : tensor<3x3xi1>, tensor<3x3xf64>
    return %11 : tensor<3x3xf64>
  }
}
