func.func @main(%x: tensor<1000x1000xf32>, %y: tensor<1000x1000xf32>) -> (tensor<f32>, tensor<f32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s:2 = stablehlo.reduce(%x init: %z), (%y init: %z) across dimensions = [0, 1] : (tensor<1000x1000xf32>, tensor<1000x1000xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<f32>, %d: tensor<f32>) {
    %0 = stablehlo.add %a, %c : tensor<f32>
    %1 = stablehlo.add %b, %d : tensor<f32>
    stablehlo.return %0, %1 : tensor<f32>, tensor<f32>
  }
  return %s#0, %s#1 : tensor<f32>, tensor<f32>
}
