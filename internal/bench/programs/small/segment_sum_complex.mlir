module @jit_segment_sum_complex attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<100000xcomplex<f32>>, %arg1: tensor<100000xi32>) -> (tensor<1000xcomplex<f32>> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<1000xcomplex<f32>>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<100000xi32>) -> tensor<100000x1xi32>
    %2 = "stablehlo.scatter"(%0, %1, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<complex<f32>>, %arg3: tensor<complex<f32>>):
      %3 = stablehlo.add %arg2, %arg3 : tensor<complex<f32>>
      stablehlo.return %3 : tensor<complex<f32>>
    }) : (tensor<1000xcomplex<f32>>, tensor<100000x1xi32>, tensor<100000xcomplex<f32>>) -> tensor<1000xcomplex<f32>>
    return %2 : tensor<1000xcomplex<f32>>
  }
}
