module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[1.187353992e+01, -9.170791507e-02, -3.891397953e+00], [-9.170791507e-02, 1.574489117e+00, 1.439296007e+00], [-3.891397953e+00, 1.439296007e+00, 5.882449150e+00]]> : tensor<3x3xf32>
    %a1 = stablehlo.constant dense<[[-5.299999937e-02, 1.406000018e+00], [7.469999790e-01, 1.940000057e-01], [1.111999989e+00, -2.060000002e-01]]> : tensor<3x2xf32>
    %r = call @program(%a0, %a1) : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    check.expect_almost_eq_const %r, dense<[[5.982041731e-02, 1.081363186e-01], [3.016342819e-01, 1.552270651e-01], [1.890369058e-01, -3.501942754e-02]]> : tensor<3x2xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x3xf32>, %arg1: tensor<3x2xf32>) -> (tensor<3x2xf32>) {
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
}
