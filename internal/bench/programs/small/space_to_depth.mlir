module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x64x64x8xf32>) -> (tensor<4x16x16x128xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<4x64x64x8xf32>) -> tensor<4x16x4x16x4x8xf32>
    %1 = stablehlo.transpose %0, dims = [0, 1, 3, 2, 4, 5] : (tensor<4x16x4x16x4x8xf32>) -> tensor<4x16x16x4x4x8xf32>
    %2 = stablehlo.reshape %1 : (tensor<4x16x16x4x4x8xf32>) -> tensor<4x16x16x128xf32>
    return %2 : tensor<4x16x16x128xf32>
  }
}
