module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[2.538421000e+00, -1.246750000e-01, 2.998657000e+00], [-1.246750000e-01, 1.711755000e+00, 1.083790000e-01], [2.998657000e+00, 1.083790000e-01, 7.937217000e+00]]> : tensor<3x3xf64>
    %a1 = stablehlo.constant dense<[[-4.000000000e-03, 1.214000000e+00], [7.570000000e-01, 2.160000000e-01], [-3.170000000e-01, 2.930000000e-01]]> : tensor<3x2xf64>
    %r = call @program(%a0, %a1) : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    check.expect_almost_eq_const %r, dense<[[6.744851154e-02, 4.407252974e-01], [4.447648684e-01, 1.238490447e-01], [-3.993843182e-02, 3.691470197e-02]]> : tensor<3x2xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x3xf64>, %arg1: tensor<3x2xf64>) -> (tensor<3x2xf64>) {
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    return %0 : tensor<3x2xf64>
  }
}
