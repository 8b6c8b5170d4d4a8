func.func @main(%x: tensor<1000000xf32>) -> tensor<1000000xf32> {
  %y = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<1000000xf32>) -> tensor<1000000xf32>
  return %y : tensor<1000000xf32>
}
