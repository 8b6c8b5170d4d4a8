module {
  func.func @main(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<100x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>) {
    %cst = stablehlo.constant dense<1.0> : tensor<f32>
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0] : (tensor<100x64xf32>, tensor<64x64xf32>) -> tensor<100x64xf32>
    %1 = stablehlo.tanh %0 : tensor<100x64xf32>
    %cst_0 = stablehlo.constant dense<1.0> : tensor<100x64xf32>
    %2 = stablehlo.subtract %cst_0, %1 : tensor<100x64xf32>
    %cst_1 = stablehlo.constant dense<1.0> : tensor<100x64xf32>
    %3 = stablehlo.add %cst_1, %1 : tensor<100x64xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<100x64xf32>
    %5 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0] : (tensor<100x64xf32>, tensor<64x64xf32>) -> tensor<100x64xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<100x64xf32>
    %cst_2 = stablehlo.constant dense<0.0> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<100x64xf32>, tensor<f32>) -> tensor<f32>
    %cst_3 = stablehlo.constant dense<6400.0> : tensor<f32>
    %8 = stablehlo.divide %7, %cst_3 : tensor<f32>
    %9 = stablehlo.divide %cst, %cst_3 : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<100x64xf32>
    %11 = stablehlo.multiply %10, %5 : tensor<100x64xf32>
    %12 = stablehlo.multiply %10, %5 : tensor<100x64xf32>
    %13 = stablehlo.add %11, %12 : tensor<100x64xf32>
    %14 = stablehlo.dot_general %13, %1, contracting_dims = [0] x [0] : (tensor<100x64xf32>, tensor<100x64xf32>) -> tensor<64x64xf32>
    %15 = stablehlo.transpose %14, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %16 = stablehlo.dot_general %13, %arg1, contracting_dims = [1] x [1] : (tensor<100x64xf32>, tensor<64x64xf32>) -> tensor<100x64xf32>
    %17 = stablehlo.multiply %16, %4 : tensor<100x64xf32>
    %18 = stablehlo.dot_general %17, %arg2, contracting_dims = [0] x [0] : (tensor<100x64xf32>, tensor<100x64xf32>) -> tensor<64x64xf32>
    %19 = stablehlo.transpose %18, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %cst_4 = stablehlo.constant dense<0.01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %21 = stablehlo.multiply %20, %19 : tensor<64x64xf32>
    %22 = stablehlo.subtract %arg0, %21 : tensor<64x64xf32>
    %cst_5 = stablehlo.constant dense<0.01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %24 = stablehlo.multiply %23, %15 : tensor<64x64xf32>
    %25 = stablehlo.subtract %arg1, %24 : tensor<64x64xf32>
    return %22, %25, %8 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>
  }
}
