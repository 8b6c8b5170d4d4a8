func.func @main(%x: tensor<1000xf32>, %y: tensor<1000xf32>) -> tensor<1000xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<1000xf32>) -> tensor<1000x1000xf32>
  %b = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<1000xf32>) -> tensor<1000x1000xf32>
  %p = stablehlo.multiply %a, %b : tensor<1000x1000xf32>
  %s = stablehlo.reduce(%p init: %z) applies stablehlo.add across dimensions = [1] : (tensor<1000x1000xf32>, tensor<f32>) -> tensor<1000xf32>
  return %s : tensor<1000xf32>
}
