module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1000x8xi32>, %arg1: tensor<1000xf32>) -> (tensor<8x16xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1000x8xi32>
    %2 = stablehlo.compare LT, %arg0, %1, SIGNED : (tensor<1000x8xi32>, tensor<1000x8xi32>) -> tensor<1000x8xi1>
    %c_0 = stablehlo.constant dense<16> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1000x8xi32>
    %4 = stablehlo.add %arg0, %3 : tensor<1000x8xi32>
    %5 = stablehlo.select %2, %4, %arg0 : tensor<1000x8xi1>, tensor<1000x8xi32>
    %6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<1000x8xi32>) -> tensor<8x1000xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<8x1000xi32>) -> tensor<8x1000x1xi32>
    %8 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<16xf32>) -> tensor<8x16xf32>
    %9 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<1000xf32>) -> tensor<8x1000xf32>
    %10 = "stablehlo.scatter"(%8, %7, %9) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %11 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %11 : tensor<f32>
    }) : (tensor<8x16xf32>, tensor<8x1000x1xi32>, tensor<8x1000xf32>) -> tensor<8x16xf32>
    return %10 : tensor<8x16xf32>
  }
}
