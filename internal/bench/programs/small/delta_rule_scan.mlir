module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<80x32xf32>, %arg1: tensor<80x32xf32>, %arg2: tensor<80x32xf32>, %arg3: tensor<80xf32>) -> (tensor<80x32xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1 = call @norm(%arg1) : (tensor<80x32xf32>) -> tensor<80x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<80x1xf32>) -> tensor<80x32xf32>
    %3 = stablehlo.divide %arg1, %2 : tensor<80x32xf32>
    %4 = stablehlo.negate %arg3 : tensor<80xf32>
    %5 = stablehlo.exponential %4 : tensor<80xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<80xf32>
    %7 = stablehlo.add %6, %5 : tensor<80xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<80xf32>
    %9 = stablehlo.divide %8, %7 : tensor<80xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<80x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %11:7 = stablehlo.while(%iterArg = %arg0, %iterArg_3 = %3, %iterArg_4 = %arg2, %iterArg_5 = %9, %iterArg_6 = %c, %iterArg_7 = %0, %iterArg_8 = %10) : tensor<80x32xf32>, tensor<80x32xf32>, tensor<80x32xf32>, tensor<80xf32>, tensor<i32>, tensor<32x32xf32>, tensor<80x32xf32>
    cond {
      %c_9 = stablehlo.constant dense<80> : tensor<i32>
      %12 = stablehlo.compare LT, %iterArg_6, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %12 : tensor<i1>
    } do {
      %12 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_6) : (tensor<80x32xf32>, tensor<i32>) -> tensor<32xf32>
      %13 = func.call @dynamic_index_in_dim(%iterArg_3, %iterArg_6) : (tensor<80x32xf32>, tensor<i32>) -> tensor<32xf32>
      %14 = func.call @dynamic_index_in_dim(%iterArg_4, %iterArg_6) : (tensor<80x32xf32>, tensor<i32>) -> tensor<32xf32>
      %15 = func.call @dynamic_index_in_dim_0(%iterArg_5, %iterArg_6) : (tensor<80xf32>, tensor<i32>) -> tensor<f32>
      %16:2 = func.call @closed_call(%iterArg_7, %12, %13, %14, %15) : (tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<f32>) -> (tensor<32x32xf32>, tensor<32xf32>)
      %17 = func.call @dynamic_update_index_in_dim(%iterArg_8, %16#1, %iterArg_6) : (tensor<80x32xf32>, tensor<32xf32>, tensor<i32>) -> tensor<80x32xf32>
      %c_9 = stablehlo.constant dense<1> : tensor<i32>
      %18 = stablehlo.add %iterArg_6, %c_9 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_3, %iterArg_4, %iterArg_5, %18, %16#0, %17 : tensor<80x32xf32>, tensor<80x32xf32>, tensor<80x32xf32>, tensor<80xf32>, tensor<i32>, tensor<32x32xf32>, tensor<80x32xf32>
    }
    return %11#6 : tensor<80x32xf32>
  }
  func.func private @norm(%arg0: tensor<80x32xf32>) -> tensor<80x1xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<80x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<80x32xf32>, tensor<f32>) -> tensor<80xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<80xf32>) -> tensor<80x1xf32>
    %3 = stablehlo.sqrt %2 : tensor<80x1xf32>
    return %3 : tensor<80x1xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<80x32xf32>, %arg1: tensor<i32>) -> tensor<32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 32] : (tensor<80x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32xf32>) -> tensor<32xf32>
    return %1 : tensor<32xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<80xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<80xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<32x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<f32>) -> (tensor<32x32xf32>, tensor<32xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %1 = stablehlo.subtract %arg3, %0 : tensor<32xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x32xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<32x32xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<32x32xf32>
    %7 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<32x32xf32>
    %9 = stablehlo.add %arg0, %8 : tensor<32x32xf32>
    %10 = stablehlo.dot_general %9, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x32xf32>, tensor<32xf32>) -> tensor<32xf32>
    return %9, %10 : tensor<32x32xf32>, tensor<32xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<80x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<i32>) -> tensor<80x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<80x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<i32>) -> tensor<80x32xf32>
    return %1 : tensor<80x32xf32>
  }
}
