module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x19x14x64xbf16>, %arg1: tensor<5x3x64x64xbf16>) -> (tensor<5x3x64x64xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 5], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x19x14x64xbf16>, tensor<5x3x64x64xbf16>) -> tensor<3x18x14x64xbf16>
    %1 = stablehlo.iota dim = 0 : tensor<48384xi64>
    %2 = stablehlo.convert %1 : (tensor<48384xi64>) -> tensor<48384xf64>
    %cst = stablehlo.constant dense<0.69999999999999996> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<48384xf64>
    %4 = stablehlo.multiply %2, %3 : tensor<48384xf64>
    %5 = stablehlo.cosine %4 : tensor<48384xf64>
    %6 = stablehlo.reshape %5 : (tensor<48384xf64>) -> tensor<3x18x14x64xf64>
    %7 = stablehlo.convert %6 : (tensor<3x18x14x64xf64>) -> tensor<3x18x14x64xbf16>
    %8 = stablehlo.convolution(%arg0, %7) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [2, 2], pad = [[2, 5], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x19x14x64xbf16>, tensor<3x18x14x64xbf16>) -> tensor<5x3x64x64xbf16>
    %9 = stablehlo.reverse %arg1, dims = [0, 1] : tensor<5x3x64x64xbf16>
    %10 = stablehlo.convolution(%7, %9) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[6, 3], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x18x14x64xbf16>, tensor<5x3x64x64xbf16>) -> tensor<3x19x14x64xbf16>
    return %8 : tensor<5x3x64x64xbf16>
  }
}
