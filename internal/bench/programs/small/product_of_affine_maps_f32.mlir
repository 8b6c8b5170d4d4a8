func.func @main(%x: tensor<1000x1000xf32>, %y: tensor<1000x1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s:2 = stablehlo.reduce(%x init: %one), (%y init: %z) across dimensions = [1] : (tensor<1000x1000xf32>, tensor<1000x1000xf32>, tensor<f32>, tensor<f32>) -> (tensor<1000xf32>, tensor<1000xf32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<f32>, %d: tensor<f32>) {
    %0 = stablehlo.multiply %a, %c : tensor<f32>
    %1 = stablehlo.multiply %b, %c : tensor<f32>
    %2 = stablehlo.add %1, %d : tensor<f32>
    stablehlo.return %0, %2 : tensor<f32>, tensor<f32>
  }
  return %s#0, %s#1 : tensor<1000xf32>, tensor<1000xf32>
}
