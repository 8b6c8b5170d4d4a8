module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<201x99xui8>, %arg1: tensor<201x50xui8>) -> (tensor<201x248xui8> {jax.result_info = "result"}) {
    %0 = stablehlo.concatenate %arg0, %arg1, %arg0, dim = 1 : (tensor<201x99xui8>, tensor<201x50xui8>, tensor<201x99xui8>) -> tensor<201x248xui8>
    return %0 : tensor<201x248xui8>
  }
}
