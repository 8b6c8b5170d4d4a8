module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1000x4xf32>) -> (tensor<9000x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<1000x4xf32>) -> tensor<1000x1x4xf32>
    %1 = stablehlo.iota dim = 0 : tensor<9xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<9xf32>) -> tensor<1x9x1xf32>
    %3 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<1000x1x4xf32>) -> tensor<1000x9x4xf32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<1x9x1xf32>) -> tensor<1000x9x4xf32>
    %5 = stablehlo.add %3, %4 : tensor<1000x9x4xf32>
    %6 = stablehlo.reshape %5 : (tensor<1000x9x4xf32>) -> tensor<9000x4xf32>
    return %6 : tensor<9000x4xf32>
  }
}
