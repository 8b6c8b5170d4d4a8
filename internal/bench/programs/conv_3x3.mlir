func.func @main(%x: tensor<32x28x28x8xf32>, %w: tensor<3x3x8x16xf32>) -> tensor<32x28x28x16xf32> {
  %y = stablehlo.convolution(%x, %w)
    dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {pad = [[1, 1], [1, 1]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<32x28x28x8xf32>, tensor<3x3x8x16xf32>) -> tensor<32x28x28x16xf32>
  return %y : tensor<32x28x28x16xf32>
}
