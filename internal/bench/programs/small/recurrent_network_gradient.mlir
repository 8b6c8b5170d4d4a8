module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x64xf32>, %arg1: tensor<64xf32>, %arg2: tensor<8x64xf32>, %arg3: tensor<1x50x8xf32>) -> (tensor<64x64xf32> {jax.result_info = "result['params']['cell']['h']['kernel']"}, tensor<64xf32> {jax.result_info = "result['params']['cell']['i']['bias']"}, tensor<8x64xf32> {jax.result_info = "result['params']['cell']['i']['kernel']"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x64xf32>
    %1 = stablehlo.transpose %arg3, dims = [1, 0, 2] : (tensor<1x50x8xf32>) -> tensor<50x1x8xf32>
    %2 = stablehlo.reshape %arg1 : (tensor<64xf32>) -> tensor<1x64xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<50x1x64xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<50x1x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<50x1x64xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<50x1x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7:10 = stablehlo.while(%iterArg = %1, %iterArg_12 = %arg2, %iterArg_13 = %2, %iterArg_14 = %arg0, %iterArg_15 = %c, %iterArg_16 = %0, %iterArg_17 = %3, %iterArg_18 = %4, %iterArg_19 = %5, %iterArg_20 = %6) : tensor<50x1x8xf32>, tensor<8x64xf32>, tensor<1x64xf32>, tensor<64x64xf32>, tensor<i32>, tensor<1x64xf32>, tensor<50x1x64xf32>, tensor<50x1x64xf32>, tensor<50x1x64xf32>, tensor<50x1x64xf32>
    cond {
      %c_21 = stablehlo.constant dense<50> : tensor<i32>
      %20 = stablehlo.compare LT, %iterArg_15, %c_21, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %20 : tensor<i1>
    } do {
      %20 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_15) : (tensor<50x1x8xf32>, tensor<i32>) -> tensor<1x8xf32>
      %21:5 = func.call @closed_call(%iterArg_12, %iterArg_13, %iterArg_14, %iterArg_16, %20) : (tensor<8x64xf32>, tensor<1x64xf32>, tensor<64x64xf32>, tensor<1x64xf32>, tensor<1x8xf32>) -> (tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>)
      %22 = func.call @dynamic_update_index_in_dim(%iterArg_17, %21#1, %iterArg_15) : (tensor<50x1x64xf32>, tensor<1x64xf32>, tensor<i32>) -> tensor<50x1x64xf32>
      %23 = func.call @dynamic_update_index_in_dim(%iterArg_18, %21#2, %iterArg_15) : (tensor<50x1x64xf32>, tensor<1x64xf32>, tensor<i32>) -> tensor<50x1x64xf32>
      %24 = func.call @dynamic_update_index_in_dim(%iterArg_19, %21#3, %iterArg_15) : (tensor<50x1x64xf32>, tensor<1x64xf32>, tensor<i32>) -> tensor<50x1x64xf32>
      %25 = func.call @dynamic_update_index_in_dim(%iterArg_20, %21#4, %iterArg_15) : (tensor<50x1x64xf32>, tensor<1x64xf32>, tensor<i32>) -> tensor<50x1x64xf32>
      %c_21 = stablehlo.constant dense<1> : tensor<i32>
      %26 = stablehlo.add %iterArg_15, %c_21 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_12, %iterArg_13, %iterArg_14, %26, %21#0, %22, %23, %24, %25 : tensor<50x1x8xf32>, tensor<8x64xf32>, tensor<1x64xf32>, tensor<64x64xf32>, tensor<i32>, tensor<1x64xf32>, tensor<50x1x64xf32>, tensor<50x1x64xf32>, tensor<50x1x64xf32>, tensor<50x1x64xf32>
    }
    %8 = stablehlo.transpose %7#6, dims = [1, 0, 2] : (tensor<50x1x64xf32>) -> tensor<1x50x64xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x50x64xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<1x50x64xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_6 = stablehlo.constant dense<3.200000e+03> : tensor<f32>
    %11 = stablehlo.divide %cst_5, %cst_6 : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<1x50x64xf32>
    %13 = stablehlo.multiply %12, %10 : tensor<1x50x64xf32>
    %14 = stablehlo.transpose %13, dims = [1, 0, 2] : (tensor<1x50x64xf32>) -> tensor<50x1x64xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x64xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %19:11 = stablehlo.while(%iterArg = %14, %iterArg_12 = %1, %iterArg_13 = %7#7, %iterArg_14 = %7#8, %iterArg_15 = %7#9, %iterArg_16 = %arg0, %iterArg_17 = %c_11, %iterArg_18 = %16, %iterArg_19 = %17, %iterArg_20 = %18, %iterArg_21 = %15) : tensor<50x1x64xf32>, tensor<50x1x8xf32>, tensor<50x1x64xf32>, tensor<50x1x64xf32>, tensor<50x1x64xf32>, tensor<64x64xf32>, tensor<i32>, tensor<8x64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<1x64xf32>
    cond {
      %c_22 = stablehlo.constant dense<50> : tensor<i32>
      %20 = stablehlo.compare LT, %iterArg_17, %c_22, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %20 : tensor<i1>
    } do {
      %c_22 = stablehlo.constant dense<50> : tensor<i32>
      %20 = stablehlo.subtract %c_22, %iterArg_17 : tensor<i32>
      %c_23 = stablehlo.constant dense<1> : tensor<i32>
      %21 = stablehlo.subtract %20, %c_23 : tensor<i32>
      %22 = func.call @dynamic_index_in_dim_0(%iterArg, %21) : (tensor<50x1x64xf32>, tensor<i32>) -> tensor<1x64xf32>
      %23 = func.call @dynamic_index_in_dim(%iterArg_12, %21) : (tensor<50x1x8xf32>, tensor<i32>) -> tensor<1x8xf32>
      %24 = func.call @dynamic_index_in_dim_0(%iterArg_13, %21) : (tensor<50x1x64xf32>, tensor<i32>) -> tensor<1x64xf32>
      %25 = func.call @dynamic_index_in_dim_0(%iterArg_14, %21) : (tensor<50x1x64xf32>, tensor<i32>) -> tensor<1x64xf32>
      %26 = func.call @dynamic_index_in_dim_0(%iterArg_15, %21) : (tensor<50x1x64xf32>, tensor<i32>) -> tensor<1x64xf32>
      %27:4 = func.call @closed_call_1(%iterArg_16, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %22, %23, %24, %25, %26) : (tensor<64x64xf32>, tensor<8x64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x8xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>) -> (tensor<8x64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<1x64xf32>)
      %c_24 = stablehlo.constant dense<1> : tensor<i32>
      %28 = stablehlo.add %iterArg_17, %c_24 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_12, %iterArg_13, %iterArg_14, %iterArg_15, %iterArg_16, %28, %27#0, %27#1, %27#2, %27#3 : tensor<50x1x64xf32>, tensor<50x1x8xf32>, tensor<50x1x64xf32>, tensor<50x1x64xf32>, tensor<50x1x64xf32>, tensor<64x64xf32>, tensor<i32>, tensor<8x64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<1x64xf32>
    }
    return %19#9, %19#8, %19#7 : tensor<64x64xf32>, tensor<64xf32>, tensor<8x64xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<50x1x8xf32>, %arg1: tensor<i32>) -> tensor<1x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 1, 8] : (tensor<50x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x8xf32>) -> tensor<1x8xf32>
    return %1 : tensor<1x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x64xf32>, %arg1: tensor<1x64xf32>, %arg2: tensor<64x64xf32>, %arg3: tensor<1x64xf32>, %arg4: tensor<1x8xf32>) -> (tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>) {
    %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8xf32>, tensor<8x64xf32>) -> tensor<1x64xf32>
    %1 = stablehlo.add %0, %arg1 : tensor<1x64xf32>
    %2 = stablehlo.dot_general %arg3, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
    %3 = stablehlo.add %1, %2 : tensor<1x64xf32>
    %4 = stablehlo.tanh %3 : tensor<1x64xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x64xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<1x64xf32>
    return %4, %4, %arg3, %4, %6 : tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<50x1x64xf32>, %arg1: tensor<1x64xf32>, %arg2: tensor<i32>) -> tensor<50x1x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<1x64xf32>) -> tensor<1x1x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<50x1x64xf32>, tensor<1x1x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<50x1x64xf32>
    return %1 : tensor<50x1x64xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<50x1x64xf32>, %arg1: tensor<i32>) -> tensor<1x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 1, 64] : (tensor<50x1x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x64xf32>) -> tensor<1x64xf32>
    return %1 : tensor<1x64xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<64x64xf32>, %arg1: tensor<8x64xf32>, %arg2: tensor<64xf32>, %arg3: tensor<64x64xf32>, %arg4: tensor<1x64xf32>, %arg5: tensor<1x64xf32>, %arg6: tensor<1x8xf32>, %arg7: tensor<1x64xf32>, %arg8: tensor<1x64xf32>, %arg9: tensor<1x64xf32>) -> (tensor<8x64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<1x64xf32>) {
    %0 = stablehlo.add %arg4, %arg5 : tensor<1x64xf32>
    %1 = stablehlo.multiply %0, %arg9 : tensor<1x64xf32>
    %2 = stablehlo.multiply %1, %arg8 : tensor<1x64xf32>
    %3 = stablehlo.add %1, %2 : tensor<1x64xf32>
    %4 = stablehlo.dot_general %3, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<64x64xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %6 = stablehlo.add %arg3, %5 : tensor<64x64xf32>
    %7 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
    %8 = stablehlo.reshape %3 : (tensor<1x64xf32>) -> tensor<64xf32>
    %9 = stablehlo.add %arg2, %8 : tensor<64xf32>
    %10 = stablehlo.dot_general %3, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x64xf32>, tensor<1x8xf32>) -> tensor<64x8xf32>
    %11 = stablehlo.transpose %10, dims = [1, 0] : (tensor<64x8xf32>) -> tensor<8x64xf32>
    %12 = stablehlo.add %arg1, %11 : tensor<8x64xf32>
    return %12, %9, %6, %7 : tensor<8x64xf32>, tensor<64xf32>, tensor<64x64xf32>, tensor<1x64xf32>
  }
}
