func.func @main(%x: tensor<100000x10xf32>) -> tensor<10xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<100000x10xf32>, tensor<f32>) -> tensor<10xf32>
  return %s : tensor<10xf32>
}
