func.func @main(%x: tensor<1000000xf32>) -> tensor<1000000xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = "stablehlo.reduce_window"(%x, %zero) <{
    window_dimensions = array<i64: 1000000>,
    padding = dense<[[999999, 0]]> : tensor<1x2xi64>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<1000000xf32>, tensor<f32>) -> tensor<1000000xf32>
  return %y : tensor<1000000xf32>
}
