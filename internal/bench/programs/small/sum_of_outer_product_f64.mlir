func.func @main(%x: tensor<1000xf64>, %y: tensor<1000xf64>) -> tensor<f64> {
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %a = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<1000xf64>) -> tensor<1000x1000xf64>
  %b = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<1000xf64>) -> tensor<1000x1000xf64>
  %p = stablehlo.multiply %a, %b : tensor<1000x1000xf64>
  %s = stablehlo.reduce(%p init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<1000x1000xf64>, tensor<f64>) -> tensor<f64>
  return %s : tensor<f64>
}
