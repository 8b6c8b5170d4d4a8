module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<100x32xf32>, %arg1: tensor<100x32xf32>, %arg2: tensor<100x32xf32>) -> (tensor<100x32xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<100x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %2:6 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %arg2, %iterArg_3 = %c, %iterArg_4 = %0, %iterArg_5 = %1) : tensor<100x32xf32>, tensor<100x32xf32>, tensor<100x32xf32>, tensor<i64>, tensor<32x32xf32>, tensor<100x32xf32>
    cond {
      %c_6 = stablehlo.constant dense<100> : tensor<i64>
      %3 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_3) : (tensor<100x32xf32>, tensor<i64>) -> tensor<32xf32>
      %4 = func.call @dynamic_index_in_dim(%iterArg_1, %iterArg_3) : (tensor<100x32xf32>, tensor<i64>) -> tensor<32xf32>
      %5 = func.call @dynamic_index_in_dim(%iterArg_2, %iterArg_3) : (tensor<100x32xf32>, tensor<i64>) -> tensor<32xf32>
      %6:2 = func.call @closed_call(%iterArg_4, %3, %4, %5) : (tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> (tensor<32x32xf32>, tensor<32xf32>)
      %7 = func.call @dynamic_update_index_in_dim(%iterArg_5, %6#1, %iterArg_3) : (tensor<100x32xf32>, tensor<32xf32>, tensor<i64>) -> tensor<100x32xf32>
      %c_6 = stablehlo.constant dense<1> : tensor<i64>
      %8 = stablehlo.add %iterArg_3, %c_6 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_1, %iterArg_2, %8, %6#0, %7 : tensor<100x32xf32>, tensor<100x32xf32>, tensor<100x32xf32>, tensor<i64>, tensor<32x32xf32>, tensor<100x32xf32>
    }
    return %2#5 : tensor<100x32xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<100x32xf32>, %arg1: tensor<i64>) -> tensor<32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 32] : (tensor<100x32xf32>, tensor<i64>, tensor<i64>) -> tensor<1x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32xf32>) -> tensor<32xf32>
    return %1 : tensor<32xf32>
  }
  func.func private @closed_call(%arg0: tensor<32x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>) -> (tensor<32x32xf32>, tensor<32xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x32xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<32x32xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<32x32xf32>
    %5 = stablehlo.add %arg0, %4 : tensor<32x32xf32>
    %6 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %7 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x32xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<32x32xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<32x32xf32>
    %11 = stablehlo.add %arg0, %10 : tensor<32x32xf32>
    %12 = stablehlo.dot_general %arg1, %11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    return %5, %12 : tensor<32x32xf32>, tensor<32xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<100x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<i64>) -> tensor<100x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<100x32xf32>, tensor<1x32xf32>, tensor<i64>, tensor<i64>) -> tensor<100x32xf32>
    return %1 : tensor<100x32xf32>
  }
}
