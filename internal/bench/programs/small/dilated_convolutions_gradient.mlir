module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32xf32>, %arg1: tensor<3x32x32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<3x32x32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<3x32x32xf32>, %arg6: tensor<8x100x32xf32>) -> (tensor<32xf32> {jax.result_info = "result['params']['Conv_0']['bias']"}, tensor<3x32x32xf32> {jax.result_info = "result['params']['Conv_0']['kernel']"}, tensor<32xf32> {jax.result_info = "result['params']['Conv_1']['bias']"}, tensor<3x32x32xf32> {jax.result_info = "result['params']['Conv_1']['kernel']"}, tensor<32xf32> {jax.result_info = "result['params']['Conv_2']['bias']"}, tensor<3x32x32xf32> {jax.result_info = "result['params']['Conv_2']['kernel']"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg6, %c) : (tensor<8x100x32xf32>, tensor<i32>) -> tensor<8x102x32xf32>
    %1 = stablehlo.convolution(%0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x102x32xf32>, tensor<3x32x32xf32>) -> tensor<8x100x32xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x100x32xf32>
    %4 = stablehlo.add %1, %3 : tensor<8x100x32xf32>
    %5 = call @relu(%4) : (tensor<8x100x32xf32>) -> tensor<8x100x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x100x32xf32>
    %7 = stablehlo.compare GT, %4, %6, FLOAT : (tensor<8x100x32xf32>, tensor<8x100x32xf32>) -> tensor<8x100x32xi1>
    %8 = stablehlo.add %arg6, %5 : tensor<8x100x32xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %9 = call @_pad_0(%8, %c_0) : (tensor<8x100x32xf32>, tensor<i32>) -> tensor<8x104x32xf32>
    %10 = stablehlo.convolution(%9, %arg3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [2], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x104x32xf32>, tensor<3x32x32xf32>) -> tensor<8x100x32xf32>
    %11 = stablehlo.reshape %arg2 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x100x32xf32>
    %13 = stablehlo.add %10, %12 : tensor<8x100x32xf32>
    %14 = call @relu(%13) : (tensor<8x100x32xf32>) -> tensor<8x100x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x100x32xf32>
    %16 = stablehlo.compare GT, %13, %15, FLOAT : (tensor<8x100x32xf32>, tensor<8x100x32xf32>) -> tensor<8x100x32xi1>
    %17 = stablehlo.add %8, %14 : tensor<8x100x32xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %18 = call @_pad_1(%17, %c_2) : (tensor<8x100x32xf32>, tensor<i32>) -> tensor<8x108x32xf32>
    %19 = stablehlo.convolution(%18, %arg5) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [4], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x108x32xf32>, tensor<3x32x32xf32>) -> tensor<8x100x32xf32>
    %20 = stablehlo.reshape %arg4 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x100x32xf32>
    %22 = stablehlo.add %19, %21 : tensor<8x100x32xf32>
    %23 = call @relu(%22) : (tensor<8x100x32xf32>) -> tensor<8x100x32xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x100x32xf32>
    %25 = stablehlo.compare GT, %22, %24, FLOAT : (tensor<8x100x32xf32>, tensor<8x100x32xf32>) -> tensor<8x100x32xi1>
    %26 = stablehlo.add %17, %23 : tensor<8x100x32xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x100x32xf32>
    %28 = stablehlo.multiply %27, %26 : tensor<8x100x32xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_6 = stablehlo.constant dense<2.560000e+04> : tensor<f32>
    %29 = stablehlo.divide %cst_5, %cst_6 : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [] : (tensor<f32>) -> tensor<8x100x32xf32>
    %31 = stablehlo.multiply %30, %28 : tensor<8x100x32xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x100x32xf32>
    %33 = stablehlo.select %25, %31, %32 : tensor<8x100x32xi1>, tensor<8x100x32xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_8) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x100x32xf32>, tensor<f32>) -> tensor<32xf32>
    %35 = stablehlo.reshape %34 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %36 = stablehlo.reshape %35 : (tensor<1x1x32xf32>) -> tensor<32xf32>
    %37 = stablehlo.convolution(%18, %33) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [4], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x108x32xf32>, tensor<8x100x32xf32>) -> tensor<3x32x32xf32>
    %38 = stablehlo.reverse %arg5, dims = [0] : tensor<3x32x32xf32>
    %39 = stablehlo.convolution(%33, %38) dim_numbers = [b, 0, f]x[0, o, i]->[b, 0, f], window = {stride = [1], pad = [[8, 8]], lhs_dilate = [1], rhs_dilate = [4], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x100x32xf32>, tensor<3x32x32xf32>) -> tensor<8x108x32xf32>
    %40 = call @_pad_2(%39) : (tensor<8x108x32xf32>) -> tensor<8x100x32xf32>
    %41 = stablehlo.add %31, %40 : tensor<8x100x32xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x100x32xf32>
    %43 = stablehlo.select %16, %41, %42 : tensor<8x100x32xi1>, tensor<8x100x32xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%43 init: %cst_10) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x100x32xf32>, tensor<f32>) -> tensor<32xf32>
    %45 = stablehlo.reshape %44 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %46 = stablehlo.reshape %45 : (tensor<1x1x32xf32>) -> tensor<32xf32>
    %47 = stablehlo.convolution(%9, %43) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [2], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x104x32xf32>, tensor<8x100x32xf32>) -> tensor<3x32x32xf32>
    %48 = stablehlo.reverse %arg3, dims = [0] : tensor<3x32x32xf32>
    %49 = stablehlo.convolution(%43, %48) dim_numbers = [b, 0, f]x[0, o, i]->[b, 0, f], window = {stride = [1], pad = [[4, 4]], lhs_dilate = [1], rhs_dilate = [2], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x100x32xf32>, tensor<3x32x32xf32>) -> tensor<8x104x32xf32>
    %50 = call @_pad_3(%49) : (tensor<8x104x32xf32>) -> tensor<8x100x32xf32>
    %51 = stablehlo.add %41, %50 : tensor<8x100x32xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x100x32xf32>
    %53 = stablehlo.select %7, %51, %52 : tensor<8x100x32xi1>, tensor<8x100x32xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_12) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x100x32xf32>, tensor<f32>) -> tensor<32xf32>
    %55 = stablehlo.reshape %54 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %56 = stablehlo.reshape %55 : (tensor<1x1x32xf32>) -> tensor<32xf32>
    %57 = stablehlo.convolution(%0, %53) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x102x32xf32>, tensor<8x100x32xf32>) -> tensor<3x32x32xf32>
    return %56, %57, %46, %47, %36, %37 : tensor<32xf32>, tensor<3x32x32xf32>, tensor<32xf32>, tensor<3x32x32xf32>, tensor<32xf32>, tensor<3x32x32xf32>
  }
  func.func private @_pad(%arg0: tensor<8x100x32xf32>, %arg1: tensor<i32>) -> tensor<8x102x32xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 2, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<8x100x32xf32>, tensor<f32>) -> tensor<8x102x32xf32>
    return %1 : tensor<8x102x32xf32>
  }
  func.func private @relu(%arg0: tensor<8x100x32xf32>) -> tensor<8x100x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x100x32xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x100x32xf32>
    return %1 : tensor<8x100x32xf32>
  }
  func.func private @_pad_0(%arg0: tensor<8x100x32xf32>, %arg1: tensor<i32>) -> tensor<8x104x32xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 4, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<8x100x32xf32>, tensor<f32>) -> tensor<8x104x32xf32>
    return %1 : tensor<8x104x32xf32>
  }
  func.func private @_pad_1(%arg0: tensor<8x100x32xf32>, %arg1: tensor<i32>) -> tensor<8x108x32xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 8, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<8x100x32xf32>, tensor<f32>) -> tensor<8x108x32xf32>
    return %1 : tensor<8x108x32xf32>
  }
  func.func private @_pad_2(%arg0: tensor<8x108x32xf32>) -> tensor<8x100x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.pad %arg0, %cst, low = [0, -8, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<8x108x32xf32>, tensor<f32>) -> tensor<8x100x32xf32>
    %1 = stablehlo.slice %0 [0:8, 0:100, 0:32] : (tensor<8x100x32xf32>) -> tensor<8x100x32xf32>
    return %1 : tensor<8x100x32xf32>
  }
  func.func private @_pad_3(%arg0: tensor<8x104x32xf32>) -> tensor<8x100x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.pad %arg0, %cst, low = [0, -4, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<8x104x32xf32>, tensor<f32>) -> tensor<8x100x32xf32>
    %1 = stablehlo.slice %0 [0:8, 0:100, 0:32] : (tensor<8x100x32xf32>) -> tensor<8x100x32xf32>
    return %1 : tensor<8x100x32xf32>
  }
}
