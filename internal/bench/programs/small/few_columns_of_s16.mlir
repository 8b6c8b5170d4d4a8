module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<257x513xi16>, %arg1: tensor<513x2xi16>) -> (tensor<257x2xi16> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<257x513xi16>, tensor<513x2xi16>) -> tensor<257x2xi16>
    %1 = stablehlo.iota dim = 0 : tensor<2xi64>
    %2 = stablehlo.convert %1 : (tensor<2xi64>) -> tensor<2xi16>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<2xi16>) -> tensor<1x2xi16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x2xi16>) -> tensor<257x2xi16>
    %5 = stablehlo.add %0, %4 : tensor<257x2xi16>
    return %5 : tensor<257x2xi16>
  }
}
