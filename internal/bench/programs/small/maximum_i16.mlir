func.func @main(%x: tensor<1000000xi16>, %y: tensor<1000000xi16>) -> tensor<1000000xi16> {
  %0 = stablehlo.maximum %x, %y : tensor<1000000xi16>
  return %0 : tensor<1000000xi16>
}
