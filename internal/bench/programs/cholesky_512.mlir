func.func @main(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %l = stablehlo.cholesky %a, lower = true : tensor<512x512xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<512x512xf32>
  %row = stablehlo.iota dim = 0 : tensor<512x512xi32>
  %col = stablehlo.iota dim = 1 : tensor<512x512xi32>
  %lower = stablehlo.compare GE, %row, %col : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi1>
  %y = stablehlo.select %lower, %l, %zero : tensor<512x512xi1>, tensor<512x512xf32>
  return %y : tensor<512x512xf32>
}
