module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4000x3xf32>) -> (tensor<4000x48xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4000x3xf32>) -> tensor<4000x3x1xf32>
    %1 = stablehlo.iota dim = 0 : tensor<8xi64>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %2 = stablehlo.convert %1 : (tensor<8xi64>) -> tensor<8xf64>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %4 = stablehlo.power %3, %2 : tensor<8xf64>
    %5 = stablehlo.convert %0 : (tensor<4000x3x1xf32>) -> tensor<4000x3x1xf64>
    %6 = stablehlo.broadcast_in_dim %4, dims = [2] : (tensor<8xf64>) -> tensor<1x1x8xf64>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<4000x3x1xf64>) -> tensor<4000x3x8xf64>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<1x1x8xf64>) -> tensor<4000x3x8xf64>
    %9 = stablehlo.multiply %7, %8 : tensor<4000x3x8xf64>
    %10 = stablehlo.sine %9 : tensor<4000x3x8xf64>
    %11 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4000x3xf32>) -> tensor<4000x3x1xf32>
    %12 = stablehlo.iota dim = 0 : tensor<8xi64>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %13 = stablehlo.convert %12 : (tensor<8xi64>) -> tensor<8xf64>
    %14 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %15 = stablehlo.power %14, %13 : tensor<8xf64>
    %16 = stablehlo.convert %11 : (tensor<4000x3x1xf32>) -> tensor<4000x3x1xf64>
    %17 = stablehlo.broadcast_in_dim %15, dims = [2] : (tensor<8xf64>) -> tensor<1x1x8xf64>
    %18 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<4000x3x1xf64>) -> tensor<4000x3x8xf64>
    %19 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<1x1x8xf64>) -> tensor<4000x3x8xf64>
    %20 = stablehlo.multiply %18, %19 : tensor<4000x3x8xf64>
    %21 = stablehlo.cosine %20 : tensor<4000x3x8xf64>
    %22 = stablehlo.concatenate %10, %21, dim = 2 : (tensor<4000x3x8xf64>, tensor<4000x3x8xf64>) -> tensor<4000x3x16xf64>
    %23 = stablehlo.reshape %22 : (tensor<4000x3x16xf64>) -> tensor<4000x48xf64>
    return %23 : tensor<4000x48xf64>
  }
}
