func.func @main(%x: tensor<1000000xui8>, %y: tensor<1000000xui8>) -> tensor<1000000xui8> {
  %0 = stablehlo.shift_right_logical %x, %y : tensor<1000000xui8>
  return %0 : tensor<1000000xui8>
}
