func.func @main(%x: tensor<1000000xi8>, %y: tensor<1000000xi8>) -> tensor<1000000xi8> {
  %0 = stablehlo.shift_right_arithmetic %x, %y : tensor<1000000xi8>
  return %0 : tensor<1000000xi8>
}
