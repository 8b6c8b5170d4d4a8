module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3000x3xf32>) -> (tensor<3000x39xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<3000x3xf32>) -> tensor<3000x1x3xf32>
    %1 = stablehlo.iota dim = 0 : tensor<6xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = stablehlo.convert %2 : (tensor<6x1xi32>) -> tensor<6x1xf32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
    %5 = stablehlo.power %4, %3 : tensor<6x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<6x1xf32>) -> tensor<1x6x1xf32>
    %7 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<3000x1x3xf32>) -> tensor<3000x6x3xf32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<1x6x1xf32>) -> tensor<3000x6x3xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<3000x6x3xf32>
    %10 = stablehlo.reshape %9 : (tensor<3000x6x3xf32>) -> tensor<3000x18xf32>
    %11 = stablehlo.sine %10 : tensor<3000x18xf32>
    %12 = stablehlo.cosine %10 : tensor<3000x18xf32>
    %13 = stablehlo.concatenate %arg0, %11, %12, dim = 1 : (tensor<3000x3xf32>, tensor<3000x18xf32>, tensor<3000x18xf32>) -> tensor<3000x39xf32>
    return %13 : tensor<3000x39xf32>
  }
}
