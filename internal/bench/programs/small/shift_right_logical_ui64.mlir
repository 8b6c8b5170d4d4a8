func.func @main(%x: tensor<1000000xui64>, %y: tensor<1000000xui64>) -> tensor<1000000xui64> {
  %0 = stablehlo.shift_right_logical %x, %y : tensor<1000000xui64>
  return %0 : tensor<1000000xui64>
}
