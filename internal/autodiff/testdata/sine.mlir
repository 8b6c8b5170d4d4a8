// An elementwise op. Reverse mode keeps the factor and removes the tangent.
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.sine %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
// ----- JVP
module {
  func.func @main(%x: tensor<3xf32>, %arg0: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
    %0 = stablehlo.sine %x : tensor<3xf32>
    %1 = stablehlo.cosine %x : tensor<3xf32>
    %2 = stablehlo.multiply %arg0, %1 : tensor<3xf32>
    return %0, %2 : tensor<3xf32>, tensor<3xf32>
  }
}
// ----- VJP
module {
  func.func @main(%x: tensor<3xf32>, %arg0: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
    %0 = stablehlo.sine %x : tensor<3xf32>
    %1 = stablehlo.cosine %x : tensor<3xf32>
    %2 = stablehlo.multiply %arg0, %1 : tensor<3xf32>
    return %0, %2 : tensor<3xf32>, tensor<3xf32>
  }
}
