module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x5x64x5xui8>) -> (tensor<64x64x5xui8> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<ui8>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.maximum across dimensions = [1] : (tensor<64x5x64x5xui8>, tensor<ui8>) -> tensor<64x64x5xui8>
    return %0 : tensor<64x64x5xui8>
  }
}
