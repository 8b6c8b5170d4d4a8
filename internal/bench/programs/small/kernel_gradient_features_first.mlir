module {
func.func public @main(%x: tensor<8x16x28x28xf32>, %k: tensor<8x32x28x28xf32>) -> tensor<16x32x3x3xf32> {
    %19 = stablehlo.convolution(%x, %k) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x28x28xf32>, tensor<8x32x28x28xf32>) -> tensor<16x32x3x3xf32>
    return %19 : tensor<16x32x3x3xf32>
}
}
