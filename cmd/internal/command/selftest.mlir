// A matrix product, a transcendental function and a reduction, with results
// known by hand: [[1, 2], [3, 4]] · [[1], [1]] = [[3], [7]], exp(0) = 1.
func.func @main() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<1.0> : tensor<2x1xf32>
  %ab = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_eq_const %ab, dense<[[3.0], [7.0]]> : tensor<2x1xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.exponential %zero : tensor<f32>
  check.expect_eq_const %one, dense<1.0> : tensor<f32>
  %sum = stablehlo.reduce(%ab init: %one) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x1xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %sum, dense<11.0> : tensor<f32>
  return
}
