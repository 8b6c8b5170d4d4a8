module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x64x14x17xbf16>, %arg1: tensor<33x64x2x2xbf16>) -> (tensor<33x64x2x2xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 2], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x64x14x17xbf16>, tensor<33x64x2x2xbf16>) -> tensor<1x33x8x8xbf16>
    %1 = stablehlo.iota dim = 0 : tensor<2112xi64>
    %2 = stablehlo.convert %1 : (tensor<2112xi64>) -> tensor<2112xf64>
    %cst = stablehlo.constant dense<0.69999999999999996> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2112xf64>
    %4 = stablehlo.multiply %2, %3 : tensor<2112xf64>
    %5 = stablehlo.cosine %4 : tensor<2112xf64>
    %6 = stablehlo.reshape %5 : (tensor<2112xf64>) -> tensor<1x33x8x8xf64>
    %7 = stablehlo.convert %6 : (tensor<1x33x8x8xf64>) -> tensor<1x33x8x8xbf16>
    %8 = stablehlo.convolution(%arg0, %7) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {stride = [2, 2], pad = [[1, 2], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x64x14x17xbf16>, tensor<1x33x8x8xbf16>) -> tensor<33x64x2x2xbf16>
    %9 = stablehlo.reverse %arg1, dims = [2, 3] : tensor<33x64x2x2xbf16>
    %10 = stablehlo.convolution(%7, %9) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 0], [2, 2]], lhs_dilate = [2, 2], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x33x8x8xbf16>, tensor<33x64x2x2xbf16>) -> tensor<1x64x14x17xbf16>
    return %8 : tensor<33x64x2x2xbf16>
  }
}
