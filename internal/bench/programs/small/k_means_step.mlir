module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2000x16xf32>, %arg1: tensor<10x16xf32>) -> (tensor<10x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<2000x16xf32>) -> tensor<2000x1x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<10x16xf32>) -> tensor<1x10x16xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<2000x1x16xf32>) -> tensor<2000x10x16xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x10x16xf32>) -> tensor<2000x10x16xf32>
    %4 = stablehlo.subtract %2, %3 : tensor<2000x10x16xf32>
    %5 = stablehlo.multiply %4, %4 : tensor<2000x10x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2000x10x16xf32>, tensor<f32>) -> tensor<2000x10xf32>
    %7 = call @argmin(%6) : (tensor<2000x10xf32>) -> tensor<2000xi64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<10x16xf32>
    %9 = stablehlo.convert %7 : (tensor<2000xi64>) -> tensor<2000xi32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<2000xi32>) -> tensor<2000x1xi32>
    %11 = "stablehlo.scatter"(%8, %10, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %22 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %22 : tensor<f32>
    }) : (tensor<10x16xf32>, tensor<2000x1xi32>, tensor<2000x16xf32>) -> tensor<10x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2000xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %14 = stablehlo.convert %7 : (tensor<2000xi64>) -> tensor<2000xi32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<2000xi32>) -> tensor<2000x1xi32>
    %16 = "stablehlo.scatter"(%13, %15, %12) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %22 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %22 : tensor<f32>
    }) : (tensor<10xf32>, tensor<2000x1xi32>, tensor<2000xf32>) -> tensor<10xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<10xf32>) -> tensor<10x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<10x1xf32>
    %19 = stablehlo.add %17, %18 : tensor<10x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<10x1xf32>) -> tensor<10x16xf32>
    %21 = stablehlo.divide %11, %20 : tensor<10x16xf32>
    return %21 : tensor<10x16xf32>
  }
  func.func private @argmin(%arg0: tensor<2000x10xf32>) -> tensor<2000xi64> {
    %0 = stablehlo.iota dim = 1 : tensor<2000x10xi64>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<2000x10xf32>, tensor<2000x10xi64>, tensor<f32>, tensor<i64>) -> (tensor<2000xf32>, tensor<2000xi64>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i64>, %arg4: tensor<i64>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i64>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i64>
    }
    return %1#1 : tensor<2000xi64>
  }
}
