// seed 1: gradient: derivative: stablehlo.complex: operand 0 (lhs) must be tensor of float (f32 or f64), not tensor<3xf16>
module {
  func.func @main(%arg0: tensor<3xf16>, %arg1: tensor<3xf64>) -> (tensor<3xf16>, tensor<3xf64>) {
    %0 = stablehlo.real %arg0 : (tensor<3xf16>) -> tensor<3xf16>
    %1 = stablehlo.imag %arg1 : (tensor<3xf64>) -> tensor<3xf64>
    %2 = stablehlo.multiply %1, %arg1 : tensor<3xf64>
    return %0, %2 : tensor<3xf16>, tensor<3xf64>
  }
}
