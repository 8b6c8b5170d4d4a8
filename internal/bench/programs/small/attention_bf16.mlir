module @jit_attn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x65x32xbf16>, %arg1: tensor<2x3x65x32xbf16>, %arg2: tensor<2x3x65x32xbf16>) -> (tensor<2x3x65x32xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x3x65x32xbf16>, tensor<2x3x65x32xbf16>) -> tensor<2x3x65x65xbf16>
    %cst = stablehlo.constant dense<3.200000e+01> : tensor<f64>
    %1 = stablehlo.sqrt %cst : tensor<f64>
    %2 = stablehlo.convert %1 : (tensor<f64>) -> tensor<bf16>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<bf16>) -> tensor<2x3x65x65xbf16>
    %4 = stablehlo.divide %0, %3 : tensor<2x3x65x65xbf16>
    %cst_0 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x3x65x65xbf16>, tensor<bf16>) -> tensor<2x3x65xbf16>
    %cst_1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x3x65xbf16>
    %7 = stablehlo.maximum %6, %5 : tensor<2x3x65xbf16>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x3x65xbf16>) -> tensor<2x3x65x1xbf16>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<2x3x65x1xbf16>) -> tensor<2x3x65x65xbf16>
    %10 = stablehlo.subtract %4, %9 : tensor<2x3x65x65xbf16>
    %11 = stablehlo.exponential %10 : tensor<2x3x65x65xbf16>
    %12 = stablehlo.convert %11 : (tensor<2x3x65x65xbf16>) -> tensor<2x3x65x65xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x3x65x65xf32>, tensor<f32>) -> tensor<2x3x65xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x3x65xf32>) -> tensor<2x3x65x1xf32>
    %15 = stablehlo.convert %14 : (tensor<2x3x65x1xf32>) -> tensor<2x3x65x1xbf16>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x3x65x1xbf16>) -> tensor<2x3x65x65xbf16>
    %17 = stablehlo.divide %11, %16 : tensor<2x3x65x65xbf16>
    %18 = stablehlo.dot_general %17, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x3x65x65xbf16>, tensor<2x3x65x32xbf16>) -> tensor<2x3x65x32xbf16>
    return %18 : tensor<2x3x65x32xbf16>
  }
}
