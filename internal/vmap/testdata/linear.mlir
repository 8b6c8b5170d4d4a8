func.func @dot_general(%x: tensor<2x3x4xf32>, %y: tensor<4x2x5xf32>) -> tensor<2x3x5xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [1], contracting_dims = [2] x [0]
    : (tensor<2x3x4xf32>, tensor<4x2x5xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
func.func @dot_general_outer(%x: tensor<3xf32>, %y: tensor<2x2xf32>) -> tensor<3x2x2xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<3xf32>, tensor<2x2xf32>) -> tensor<3x2x2xf32>
  return %0 : tensor<3x2x2xf32>
}
func.func @dot(%x: tensor<3x4xi32>, %y: tensor<4xi32>) -> tensor<3xi32> {
  %0 = stablehlo.dot %x, %y : (tensor<3x4xi32>, tensor<4xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
func.func @einsum(%x: tensor<3x4xf32>, %y: tensor<4x3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.einsum %x, %y, config = "ij,ji->i" : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @convolution(%x: tensor<2x5x6x3xf32>, %w: tensor<2x3x3x4xf32>) -> tensor<2x3x8x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [2, 1], pad = [[1, 0], [2, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x5x6x3xf32>, tensor<2x3x3x4xf32>) -> tensor<2x3x7x4xf32>
  %1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.pad %0, %1, low = [0, 0, 0, 0], high = [0, 0, 1, 0], interior = [0, 0, 0, 0]
    : (tensor<2x3x7x4xf32>, tensor<f32>) -> tensor<2x3x8x4xf32>
  return %2 : tensor<2x3x8x4xf32>
}
func.func @convolution_groups(%x: tensor<4x6x2xf32>, %w: tensor<6x2x3xf32>) -> tensor<4x6x1xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [f, b, 0]x[o, i, 0]->[b, f, 0],
    window = {lhs_dilate = [2], reverse = [true]}
    {batch_group_count = 1 : i64, feature_group_count = 2 : i64}
    : (tensor<4x6x2xf32>, tensor<6x2x3xf32>) -> tensor<6x6x1xf32>
  %1 = stablehlo.slice %0 [0:4, 0:6, 0:1] : (tensor<6x6x1xf32>) -> tensor<4x6x1xf32>
  return %1 : tensor<4x6x1xf32>
}
func.func @convolution_batch_groups(%x: tensor<6x4x3xf32>, %w: tensor<2x3x6xf32>) -> tensor<2x3x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
    {batch_group_count = 3 : i64, feature_group_count = 1 : i64}
    : (tensor<6x4x3xf32>, tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
  return %0 : tensor<2x3x6xf32>
}
func.func @fft(%x: tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = FFT, length = [4] : (tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
  return %0 : tensor<3x4xcomplex<f32>>
}
func.func @triangular_solve(%a: tensor<2x2xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @cholesky(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x2xf32>
  %3 = stablehlo.cholesky %2, lower = true : tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}
func.func @top_k(%x: tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %0:2 = chlo.top_k(%x, k = 3) : tensor<2x5xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}
