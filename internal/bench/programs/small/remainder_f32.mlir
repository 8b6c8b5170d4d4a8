func.func @main(%x: tensor<1000000xf32>, %y: tensor<1000000xf32>) -> tensor<1000000xf32> {
  %0 = stablehlo.remainder %x, %y : tensor<1000000xf32>
  return %0 : tensor<1000000xf32>
}
