func.func @main(%x: tensor<1000000xf64>, %y: tensor<1000000xf64>) -> tensor<1000000xf64> {
  %0 = stablehlo.remainder %x, %y : tensor<1000000xf64>
  return %0 : tensor<1000000xf64>
}
