func.func @main(%x: tensor<1048576xcomplex<f32>>) -> tensor<1048576xcomplex<f32>> {
  %y = stablehlo.fft %x, type = FFT, length = [1048576]
    : (tensor<1048576xcomplex<f32>>) -> tensor<1048576xcomplex<f32>>
  return %y : tensor<1048576xcomplex<f32>>
}
