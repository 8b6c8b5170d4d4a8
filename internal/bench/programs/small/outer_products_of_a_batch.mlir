module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<200x20xf32>, %arg1: tensor<200x20xf32>) -> (tensor<200x20x20xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<200x20xf32>, tensor<200x20xf32>) -> tensor<200x20x20xf32>
    return %0 : tensor<200x20x20xf32>
  }
}
