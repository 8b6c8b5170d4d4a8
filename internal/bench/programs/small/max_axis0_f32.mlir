func.func @main(%x: tensor<1000x1000xf32>) -> tensor<1000xf32> {
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<1000x1000xf32>, tensor<f32>) -> tensor<1000xf32>
  return %s : tensor<1000xf32>
}
