module @jit_segment_sum_f16 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<100000xf16>, %arg1: tensor<100000xi32>) -> (tensor<1000xf16> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<1000xf16>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<100000xi32>) -> tensor<100000x1xi32>
    %2 = "stablehlo.scatter"(%0, %1, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f16>, %arg3: tensor<f16>):
      %3 = stablehlo.add %arg2, %arg3 : tensor<f16>
      stablehlo.return %3 : tensor<f16>
    }) : (tensor<1000xf16>, tensor<100000x1xi32>, tensor<100000xf16>) -> tensor<1000xf16>
    return %2 : tensor<1000xf16>
  }
}
