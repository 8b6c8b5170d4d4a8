module @vmap_grad_mlp {
  func.func public @main(%arg0: tensor<64x64xf32>, %arg1: tensor<64xf32>, %arg2: tensor<64x10xf32>, %arg3: tensor<10xf32>, %arg4: tensor<64x64xf32>, %arg5: tensor<64x10xf32>) -> (tensor<64x64x64xf32>, tensor<64x64xf32>, tensor<64x64x10xf32>, tensor<64x10xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg4, dims = [0, 2] : (tensor<64x64xf32>) -> tensor<64x1x64xf32>
    %1 = stablehlo.broadcast_in_dim %arg5, dims = [0, 2] : (tensor<64x10xf32>) -> tensor<64x1x10xf32>
    %2 = stablehlo.dot_general %0, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x1x64xf32>, tensor<64x64xf32>) -> tensor<64x1x64xf32>
    %3 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [1, 2] : (tensor<1x64xf32>) -> tensor<1x1x64xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<64x1x64xf32>
    %6 = stablehlo.add %2, %5 : tensor<64x1x64xf32>
    %7 = call @relu(%6) : (tensor<64x1x64xf32>) -> tensor<64x1x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x1x64xf32>
    %9 = stablehlo.compare GT, %6, %8, FLOAT : (tensor<64x1x64xf32>, tensor<64x1x64xf32>) -> tensor<64x1x64xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x64xf32>
    %11 = stablehlo.dot_general %7, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x1x64xf32>, tensor<64x10xf32>) -> tensor<64x1x10xf32>
    %12 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<1x10xf32>) -> tensor<1x1x10xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x1x10xf32>) -> tensor<64x1x10xf32>
    %15 = stablehlo.add %11, %14 : tensor<64x1x10xf32>
    %16:3 = call @log_softmax(%15) : (tensor<64x1x10xf32>) -> (tensor<64x1x10xf32>, tensor<64x1x10xf32>, tensor<64x1x1xf32>)
    %17 = stablehlo.multiply %16#0, %1 : tensor<64x1x10xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<64x1x10xf32>, tensor<f32>) -> tensor<64x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<64x1xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %21 = stablehlo.divide %19, %20 : tensor<64xf32>
    %22 = stablehlo.negate %21 : tensor<64xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.negate %cst_4 : tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.divide %23, %cst_5 : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<1xf32>) -> tensor<1x10xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [1, 2] : (tensor<1x10xf32>) -> tensor<1x1x10xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<1x1x10xf32>) -> tensor<64x1x10xf32>
    %29 = stablehlo.multiply %28, %1 : tensor<64x1x10xf32>
    %30 = call @log_softmax_0(%16#1, %16#2, %29) : (tensor<64x1x10xf32>, tensor<64x1x1xf32>, tensor<64x1x10xf32>) -> tensor<64x1x10xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_6) applies stablehlo.add across dimensions = [1] : (tensor<64x1x10xf32>, tensor<f32>) -> tensor<64x10xf32>
    %32 = stablehlo.dot_general %30, %7, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x1x10xf32>, tensor<64x1x64xf32>) -> tensor<64x10x64xf32>
    %33 = stablehlo.transpose %32, dims = [0, 2, 1] : (tensor<64x10x64xf32>) -> tensor<64x64x10xf32>
    %34 = stablehlo.dot_general %30, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x1x10xf32>, tensor<64x10xf32>) -> tensor<64x1x64xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x64xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [1, 2] : (tensor<1x64xf32>) -> tensor<64x1x64xf32>
    %37 = stablehlo.select %9, %34, %36 : tensor<64x1x64xi1>, tensor<64x1x64xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<64x1x64xf32>, tensor<f32>) -> tensor<64x64xf32>
    %39 = stablehlo.dot_general %37, %0, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x1x64xf32>, tensor<64x1x64xf32>) -> tensor<64x64x64xf32>
    %40 = stablehlo.transpose %39, dims = [0, 2, 1] : (tensor<64x64x64xf32>) -> tensor<64x64x64xf32>
    return %40, %38, %33, %31 : tensor<64x64x64xf32>, tensor<64x64xf32>, tensor<64x64x10xf32>, tensor<64x10xf32>
  }
  func.func private @relu(%arg0: tensor<64x1x64xf32>) -> tensor<64x1x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x1x64xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x1x64xf32>
    return %1 : tensor<64x1x64xf32>
  }
  func.func private @log_softmax(%arg0: tensor<64x1x10xf32>) -> (tensor<64x1x10xf32>, tensor<64x1x10xf32>, tensor<64x1x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<64x1x10xf32>, tensor<f32>) -> tensor<64x1xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<64x1xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<64x1xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x1x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<64x1x1xf32>) -> tensor<64x1x10xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<64x1x10xf32>
    %6 = stablehlo.exponential %5 : tensor<64x1x10xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<64x1x10xf32>, tensor<f32>) -> tensor<64x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x1x1xf32>
    %9 = stablehlo.log %8 : tensor<64x1x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<64x1x1xf32>) -> tensor<64x1x10xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<64x1x10xf32>
    return %11, %6, %8 : tensor<64x1x10xf32>, tensor<64x1x10xf32>, tensor<64x1x1xf32>
  }
  func.func private @log_softmax_0(%arg0: tensor<64x1x10xf32>, %arg1: tensor<64x1x1xf32>, %arg2: tensor<64x1x10xf32>) -> tensor<64x1x10xf32> {
    %0 = stablehlo.negate %arg2 : tensor<64x1x10xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<64x1x10xf32>, tensor<f32>) -> tensor<64x1xf32>
    %2 = stablehlo.reshape %1 : (tensor<64x1xf32>) -> tensor<64x1x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<64x1x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1, 2] : (tensor<64x1x1xf32>, tensor<f32>) -> tensor<64xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x1x10xf32>
    %7 = stablehlo.multiply %6, %arg0 : tensor<64x1x10xf32>
    %8 = stablehlo.add %arg2, %7 : tensor<64x1x10xf32>
    return %8 : tensor<64x1x10xf32>
  }
}
