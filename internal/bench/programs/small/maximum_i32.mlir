func.func @main(%x: tensor<1000000xi32>, %y: tensor<1000000xi32>) -> tensor<1000000xi32> {
  %0 = stablehlo.maximum %x, %y : tensor<1000000xi32>
  return %0 : tensor<1000000xi32>
}
