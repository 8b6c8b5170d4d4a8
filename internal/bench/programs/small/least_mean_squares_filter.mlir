module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<300xf32>, %arg1: tensor<300xf32>) -> (tensor<300xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<300xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:6 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %arg1, %iterArg_3 = %c, %iterArg_4 = %0, %iterArg_5 = %1, %iterArg_6 = %2) : tensor<300xf32>, tensor<300xf32>, tensor<i32>, tensor<16xf32>, tensor<16xf32>, tensor<300xf32>
    cond {
      %c_7 = stablehlo.constant dense<300> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_3, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_3) : (tensor<300xf32>, tensor<i32>) -> tensor<f32>
      %5 = func.call @dynamic_index_in_dim(%iterArg_2, %iterArg_3) : (tensor<300xf32>, tensor<i32>) -> tensor<f32>
      %6:3 = func.call @closed_call(%iterArg_4, %iterArg_5, %4, %5) : (tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<f32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<f32>)
      %7 = func.call @dynamic_update_index_in_dim(%iterArg_6, %6#2, %iterArg_3) : (tensor<300xf32>, tensor<f32>, tensor<i32>) -> tensor<300xf32>
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg_3, %c_7 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_2, %8, %6#0, %6#1, %7 : tensor<300xf32>, tensor<300xf32>, tensor<i32>, tensor<16xf32>, tensor<16xf32>, tensor<300xf32>
    }
    return %3#5 : tensor<300xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<300xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<300xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<f32>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.slice %arg1 [0:15] : (tensor<16xf32>) -> tensor<15xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xf32>, tensor<15xf32>) -> tensor<16xf32>
    %3 = stablehlo.dot_general %arg0, %2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
    %4 = stablehlo.subtract %arg3, %3 : tensor<f32>
    %cst = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %5 = stablehlo.multiply %cst, %4 : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %7 = stablehlo.multiply %6, %2 : tensor<16xf32>
    %8 = stablehlo.add %arg0, %7 : tensor<16xf32>
    return %8, %2, %4 : tensor<16xf32>, tensor<16xf32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<300xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<300xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<300xf32>, tensor<1xf32>, tensor<i32>) -> tensor<300xf32>
    return %1 : tensor<300xf32>
  }
}
