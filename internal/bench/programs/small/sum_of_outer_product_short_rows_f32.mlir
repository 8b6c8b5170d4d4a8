func.func @main(%x: tensor<20000xf32>, %y: tensor<50xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<20000xf32>) -> tensor<20000x50xf32>
  %b = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<50xf32>) -> tensor<20000x50xf32>
  %p = stablehlo.multiply %a, %b : tensor<20000x50xf32>
  %s = stablehlo.reduce(%p init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<20000x50xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}
