// seed 189475: values: result 0 of type tensor<1x1x2x2x1xcomplex<f32>>: element 0 is NaN, want 1: the transform of ones is 0, or an error
module {
  func.func @main() -> tensor<1x1x2x2x1xcomplex<f32>> {
    %cst = stablehlo.constant dense<1.0> : tensor<2x5xf32>
    %0 = stablehlo.fft %cst, type = RFFT, length = [5] : (tensor<2x5xf32>) -> tensor<2x3xcomplex<f32>>
    %1 = stablehlo.slice %0 [1:2:2, 1:3:2] : (tensor<2x3xcomplex<f32>>) -> tensor<1x1xcomplex<f32>>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1, 3] : (tensor<1x1xcomplex<f32>>) -> tensor<1x1x2x2x1xcomplex<f32>>
    %3 = stablehlo.divide %2, %2 : tensor<1x1x2x2x1xcomplex<f32>>
    return %3 : tensor<1x1x2x2x1xcomplex<f32>>
  }
}
