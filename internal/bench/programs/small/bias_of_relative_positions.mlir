module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x64x64xf32>, %arg1: tensor<8x64xf32>) -> (tensor<8x64x64xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<64xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<64xi32>) -> tensor<64x1xi32>
    %2 = stablehlo.iota dim = 0 : tensor<64xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<64xi32>) -> tensor<1x64xi32>
    %4 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %6 = stablehlo.subtract %4, %5 : tensor<64x64xi32>
    %c = stablehlo.constant dense<32> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<64x64xi32>
    %8 = stablehlo.add %6, %7 : tensor<64x64xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<63> : tensor<i32>
    %9 = call @clip(%8, %c_0, %c_1) : (tensor<64x64xi32>, tensor<i32>, tensor<i32>) -> tensor<64x64xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<64x64xi32>
    %11 = stablehlo.compare LT, %9, %10, SIGNED : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
    %c_3 = stablehlo.constant dense<64> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<64x64xi32>
    %13 = stablehlo.add %9, %12 : tensor<64x64xi32>
    %14 = stablehlo.select %11, %13, %9 : tensor<64x64xi1>, tensor<64x64xi32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<64x64xi32>) -> tensor<64x64x1xi32>
    %16 = "stablehlo.gather"(%arg1, %15) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 8, 1>}> : (tensor<8x64xf32>, tensor<64x64x1xi32>) -> tensor<8x64x64xf32>
    %17 = stablehlo.add %arg0, %16 : tensor<8x64x64xf32>
    return %17 : tensor<8x64x64xf32>
  }
  func.func private @clip(%arg0: tensor<64x64xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<64x64xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<64x64xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<64x64xi32>
    %3 = stablehlo.convert %arg2 : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<64x64xi32>
    %5 = stablehlo.minimum %4, %2 : tensor<64x64xi32>
    return %5 : tensor<64x64xi32>
  }
}
