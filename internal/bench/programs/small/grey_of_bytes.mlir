module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<200x200x3xui8>) -> (tensor<200x200xui8> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[3.000000e-01, 6.000000e-01, 1.000000e-01]> : tensor<3xf32>
    %0 = stablehlo.convert %arg0 : (tensor<200x200x3xui8>) -> tensor<200x200x3xf32>
    %1 = stablehlo.dot_general %0, %cst, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<200x200x3xf32>, tensor<3xf32>) -> tensor<200x200xf32>
    %2 = stablehlo.convert %1 : (tensor<200x200xf32>) -> tensor<200x200xui8>
    return %2 : tensor<200x200xui8>
  }
}
