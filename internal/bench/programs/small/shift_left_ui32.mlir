func.func @main(%x: tensor<1000000xui32>, %y: tensor<1000000xui32>) -> tensor<1000000xui32> {
  %0 = stablehlo.shift_left %x, %y : tensor<1000000xui32>
  return %0 : tensor<1000000xui32>
}
