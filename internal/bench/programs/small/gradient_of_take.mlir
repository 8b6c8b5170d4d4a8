module @jit_gradient_of_take attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<10000xi32>, %arg1: tensor<10000x16xf32>) -> (tensor<1000x16xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg0) : (tensor<10000xi32>) -> tensor<10000x1xi32>
    %1 = call @_take_0(%0, %arg1) : (tensor<10000x1xi32>, tensor<10000x16xf32>) -> tensor<1000x16xf32>
    return %1 : tensor<1000x16xf32>
  }
  func.func private @_take(%arg0: tensor<10000xi32>) -> tensor<10000x1xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<10000xi32>
    %1 = stablehlo.compare LT, %arg0, %0, SIGNED : (tensor<10000xi32>, tensor<10000xi32>) -> tensor<10000xi1>
    %c_0 = stablehlo.constant dense<1000> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<10000xi32>
    %3 = stablehlo.add %arg0, %2 : tensor<10000xi32>
    %4 = call @_where(%1, %3, %arg0) : (tensor<10000xi1>, tensor<10000xi32>, tensor<10000xi32>) -> tensor<10000xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<10000xi32>) -> tensor<10000x1xi32>
    return %5 : tensor<10000x1xi32>
  }
  func.func private @_where(%arg0: tensor<10000xi1>, %arg1: tensor<10000xi32>, %arg2: tensor<10000xi32>) -> tensor<10000xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<10000xi1>, tensor<10000xi32>
    return %0 : tensor<10000xi32>
  }
  func.func private @_take_0(%arg0: tensor<10000x1xi32>, %arg1: tensor<10000x16xf32>) -> tensor<1000x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1000x16xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<1000x16xf32>, tensor<10000x1xi32>, tensor<10000x16xf32>) -> tensor<1000x16xf32>
    return %1 : tensor<1000x16xf32>
  }
}
