func.func @main(%x: tensor<1000000xi8>) -> tensor<1000000xi8> {
  %lo = stablehlo.constant dense<3> : tensor<i8>
  %hi = stablehlo.constant dense<9> : tensor<i8>
  %0 = stablehlo.clamp %lo, %x, %hi : (tensor<i8>, tensor<1000000xi8>, tensor<i8>) -> tensor<1000000xi8>
  return %0 : tensor<1000000xi8>
}
