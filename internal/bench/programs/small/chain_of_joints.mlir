module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<30xf32>) -> (tensor<30x2xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[0.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<3xf32>
    %0 = stablehlo.iota dim = 0 : tensor<3x3xi32>
    %1 = stablehlo.iota dim = 1 : tensor<3x3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x3xi32>
    %3 = stablehlo.add %0, %2 : tensor<3x3xi32>
    %4 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
    %5 = stablehlo.convert %4 : (tensor<3x3xi1>) -> tensor<3x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<30x2xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %7:5 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %cst, %iterArg_3 = %c_1, %iterArg_4 = %5, %iterArg_5 = %6) : tensor<30xf32>, tensor<3xf32>, tensor<i32>, tensor<3x3xf32>, tensor<30x2xf32>
    cond {
      %c_6 = stablehlo.constant dense<30> : tensor<i32>
      %8 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    } do {
      %8 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_3) : (tensor<30xf32>, tensor<i32>) -> tensor<f32>
      %9:2 = func.call @closed_call(%iterArg_2, %iterArg_4, %8) : (tensor<3xf32>, tensor<3x3xf32>, tensor<f32>) -> (tensor<3x3xf32>, tensor<2xf32>)
      %10 = func.call @dynamic_update_index_in_dim(%iterArg_5, %9#1, %iterArg_3) : (tensor<30x2xf32>, tensor<2xf32>, tensor<i32>) -> tensor<30x2xf32>
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %11 = stablehlo.add %iterArg_3, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_2, %11, %9#0, %10 : tensor<30xf32>, tensor<3xf32>, tensor<i32>, tensor<3x3xf32>, tensor<30x2xf32>
    }
    return %7#4 : tensor<30x2xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<30xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<30xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<3xf32>, %arg1: tensor<3x3xf32>, %arg2: tensor<f32>) -> (tensor<3x3xf32>, tensor<2xf32>) {
    %0 = stablehlo.cosine %arg2 : tensor<f32>
    %1 = stablehlo.sine %arg2 : tensor<f32>
    %2 = stablehlo.negate %1 : tensor<f32>
    %3 = stablehlo.sine %arg2 : tensor<f32>
    %4 = stablehlo.cosine %arg2 : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %6 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %8 = stablehlo.concatenate %5, %6, %7, dim = 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %10 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %11 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %13 = stablehlo.concatenate %10, %11, %12, dim = 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %15 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %16 = stablehlo.concatenate %9, %14, %15, dim = 0 : (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
    %17 = stablehlo.dot_general %arg1, %16, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %18 = stablehlo.slice %17 [0:2, 2:3] : (tensor<3x3xf32>) -> tensor<2x1xf32>
    %19 = stablehlo.reshape %18 : (tensor<2x1xf32>) -> tensor<2xf32>
    return %17, %19 : tensor<3x3xf32>, tensor<2xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<30x2xf32>, %arg1: tensor<2xf32>, %arg2: tensor<i32>) -> tensor<30x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<30x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<30x2xf32>
    return %1 : tensor<30x2xf32>
  }
}
