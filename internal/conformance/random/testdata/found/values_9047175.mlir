// seed 9047175: values: result 0 of type tensor<15x9x2x3xcomplex<f32>>: element 176 is -Inf, want 6.68503069687808e+14 or what is not 6.685030696877789e+14 from it
module {
  func.func @main(%arg0: tensor<15x9x2x3xcomplex<f32>>) -> tensor<15x9x2x3xcomplex<f32>> {
    %cst = stablehlo.constant dense<-1.0625> : tensor<7x9x6x2xf32>
    %cst_0 = stablehlo.constant dense<3.2092745> : tensor<3x9x2x3xf32>
    %0 = stablehlo.convolution(%cst, %cst_0) dim_numbers = [1, 0, b, f]x[1, o, i, 0]->[0, f, b, 1], window = {stride = [1, 1], pad = [[1, -1], [0, 0]], lhs_dilate = [2, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 3 : i64, feature_group_count = 1 : i64} : (tensor<7x9x6x2xf32>, tensor<3x9x2x3xf32>) -> tensor<15x9x2x5xf32>
    %1 = stablehlo.fft %0, type = RFFT, length = [5] : (tensor<15x9x2x5xf32>) -> tensor<15x9x2x3xcomplex<f32>>
    %2 = stablehlo.divide %arg0, %1 : tensor<15x9x2x3xcomplex<f32>>
    return %2 : tensor<15x9x2x3xcomplex<f32>>
  }
}
