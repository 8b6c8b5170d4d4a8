module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1025x1xf16>, %arg1: tensor<1025x1xui8>) -> (tensor<1025x1xui8> {jax.result_info = "result[0]"}, tensor<1025x1xf16> {jax.result_info = "result[1]"}) {
    %0:2 = "stablehlo.sort"(%arg1, %arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<ui8>, %arg3: tensor<ui8>, %arg4: tensor<f16>, %arg5: tensor<f16>):
      %1 = stablehlo.compare LT, %arg2, %arg3, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<1025x1xui8>, tensor<1025x1xf16>) -> (tensor<1025x1xui8>, tensor<1025x1xf16>)
    return %0#0, %0#1 : tensor<1025x1xui8>, tensor<1025x1xf16>
  }
}
