module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x64x64xf32>, %arg1: tensor<4x64x64xf32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<0> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 8, 8>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %51 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %51 : tensor<f32>
    }) : (tensor<4x64x64xf32>, tensor<f32>) -> tensor<4x57x57xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x57x57xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x57x57xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<f32>
    %5 = "stablehlo.reduce_window"(%arg1, %4) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<0> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 8, 8>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %51 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %51 : tensor<f32>
    }) : (tensor<4x64x64xf32>, tensor<f32>) -> tensor<4x57x57xf32>
    %cst_2 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x57x57xf32>
    %7 = stablehlo.divide %5, %6 : tensor<4x57x57xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x57x57xf32>
    %9 = stablehlo.multiply %8, %3 : tensor<4x57x57xf32>
    %10 = stablehlo.multiply %9, %7 : tensor<4x57x57xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x57x57xf32>
    %12 = stablehlo.add %10, %11 : tensor<4x57x57xf32>
    %13 = stablehlo.multiply %arg0, %arg1 : tensor<4x64x64xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<f32>
    %15 = "stablehlo.reduce_window"(%13, %14) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<0> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 8, 8>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %51 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %51 : tensor<f32>
    }) : (tensor<4x64x64xf32>, tensor<f32>) -> tensor<4x57x57xf32>
    %cst_6 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x57x57xf32>
    %17 = stablehlo.divide %15, %16 : tensor<4x57x57xf32>
    %18 = stablehlo.multiply %3, %7 : tensor<4x57x57xf32>
    %19 = stablehlo.subtract %17, %18 : tensor<4x57x57xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x57x57xf32>
    %21 = stablehlo.multiply %20, %19 : tensor<4x57x57xf32>
    %cst_8 = stablehlo.constant dense<8.99999984E-4> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x57x57xf32>
    %23 = stablehlo.add %21, %22 : tensor<4x57x57xf32>
    %24 = stablehlo.multiply %12, %23 : tensor<4x57x57xf32>
    %25 = stablehlo.multiply %3, %3 : tensor<4x57x57xf32>
    %26 = stablehlo.multiply %7, %7 : tensor<4x57x57xf32>
    %27 = stablehlo.add %25, %26 : tensor<4x57x57xf32>
    %cst_9 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x57x57xf32>
    %29 = stablehlo.add %27, %28 : tensor<4x57x57xf32>
    %30 = stablehlo.multiply %arg0, %arg0 : tensor<4x64x64xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<f32>
    %32 = "stablehlo.reduce_window"(%30, %31) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<0> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 8, 8>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %51 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %51 : tensor<f32>
    }) : (tensor<4x64x64xf32>, tensor<f32>) -> tensor<4x57x57xf32>
    %cst_11 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x57x57xf32>
    %34 = stablehlo.divide %32, %33 : tensor<4x57x57xf32>
    %35 = stablehlo.multiply %3, %3 : tensor<4x57x57xf32>
    %36 = stablehlo.subtract %34, %35 : tensor<4x57x57xf32>
    %37 = stablehlo.multiply %arg1, %arg1 : tensor<4x64x64xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<f32>
    %39 = "stablehlo.reduce_window"(%37, %38) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<0> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 8, 8>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %51 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %51 : tensor<f32>
    }) : (tensor<4x64x64xf32>, tensor<f32>) -> tensor<4x57x57xf32>
    %cst_13 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x57x57xf32>
    %41 = stablehlo.divide %39, %40 : tensor<4x57x57xf32>
    %42 = stablehlo.add %36, %41 : tensor<4x57x57xf32>
    %43 = stablehlo.multiply %7, %7 : tensor<4x57x57xf32>
    %44 = stablehlo.subtract %42, %43 : tensor<4x57x57xf32>
    %cst_14 = stablehlo.constant dense<8.99999984E-4> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x57x57xf32>
    %46 = stablehlo.add %44, %45 : tensor<4x57x57xf32>
    %47 = stablehlo.multiply %29, %46 : tensor<4x57x57xf32>
    %48 = stablehlo.divide %24, %47 : tensor<4x57x57xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.reduce(%48 init: %cst_15) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x57x57xf32>, tensor<f32>) -> tensor<f32>
    %cst_16 = stablehlo.constant dense<1.299600e+04> : tensor<f32>
    %50 = stablehlo.divide %49, %cst_16 : tensor<f32>
    return %50 : tensor<f32>
  }
}
