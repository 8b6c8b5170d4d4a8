// seed 0: workers: 3 workers: a panic: runtime error: index out of range [1] with length 1
module {
  func.func @main(%arg0: tensor<237x19x2xf32>, %arg1: tensor<19x237x12xf32>, %arg2: tensor<4096x2x2xf32>, %arg3: tensor<4x2x4096xf32>, %arg4: tensor<8x12xi8>) -> (tensor<8x12xi8>, tensor<237x2x12xf32>, tensor<4096x2x4xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [1], contracting_dims = [1] x [0] : (tensor<237x19x2xf32>, tensor<19x237x12xf32>) -> tensor<237x2x12xf32>
    %1 = stablehlo.dot_general %arg2, %arg3, batching_dims = [0] x [2], contracting_dims = [2] x [1] : (tensor<4096x2x2xf32>, tensor<4x2x4096xf32>) -> tensor<4096x2x4xf32>
    return %arg4, %0, %1 : tensor<8x12xi8>, tensor<237x2x12xf32>, tensor<4096x2x4xf32>
  }
}
