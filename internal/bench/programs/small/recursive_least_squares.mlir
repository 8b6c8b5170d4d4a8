module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<200x8xf32>, %arg1: tensor<200xf32>) -> (tensor<200xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %2 = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %4 = stablehlo.add %1, %3 : tensor<8x8xi32>
    %5 = stablehlo.compare EQ, %4, %2, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %6 = stablehlo.convert %5 : (tensor<8x8xi1>) -> tensor<8x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<200xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %8:6 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %arg1, %iterArg_3 = %c_1, %iterArg_4 = %0, %iterArg_5 = %6, %iterArg_6 = %7) : tensor<200x8xf32>, tensor<200xf32>, tensor<i32>, tensor<8xf32>, tensor<8x8xf32>, tensor<200xf32>
    cond {
      %c_7 = stablehlo.constant dense<200> : tensor<i32>
      %9 = stablehlo.compare LT, %iterArg_3, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_3) : (tensor<200x8xf32>, tensor<i32>) -> tensor<8xf32>
      %10 = func.call @dynamic_index_in_dim_0(%iterArg_2, %iterArg_3) : (tensor<200xf32>, tensor<i32>) -> tensor<f32>
      %11:3 = func.call @closed_call(%iterArg_4, %iterArg_5, %9, %10) : (tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>, tensor<8x8xf32>, tensor<f32>)
      %12 = func.call @dynamic_update_index_in_dim(%iterArg_6, %11#2, %iterArg_3) : (tensor<200xf32>, tensor<f32>, tensor<i32>) -> tensor<200xf32>
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %13 = stablehlo.add %iterArg_3, %c_7 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_2, %13, %11#0, %11#1, %12 : tensor<200x8xf32>, tensor<200xf32>, tensor<i32>, tensor<8xf32>, tensor<8x8xf32>, tensor<200xf32>
    }
    return %8#5 : tensor<200xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<200x8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 8] : (tensor<200x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<200xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<200xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<f32>) -> (tensor<8xf32>, tensor<8x8xf32>, tensor<f32>) {
    %0 = stablehlo.dot_general %arg1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %cst = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %3 = stablehlo.add %cst, %2 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %5 = stablehlo.divide %0, %4 : tensor<8xf32>
    %6 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %7 = stablehlo.subtract %arg3, %6 : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %9 = stablehlo.multiply %5, %8 : tensor<8xf32>
    %10 = stablehlo.add %arg0, %9 : tensor<8xf32>
    %11 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
    %12 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x8xf32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<8x8xf32>
    %16 = stablehlo.multiply %14, %15 : tensor<8x8xf32>
    %17 = stablehlo.subtract %arg1, %16 : tensor<8x8xf32>
    %cst_0 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %19 = stablehlo.divide %17, %18 : tensor<8x8xf32>
    %20 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %21 = stablehlo.subtract %arg3, %20 : tensor<f32>
    return %10, %19, %21 : tensor<8xf32>, tensor<8x8xf32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<200xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<200xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<200xf32>, tensor<1xf32>, tensor<i32>) -> tensor<200xf32>
    return %1 : tensor<200xf32>
  }
}
