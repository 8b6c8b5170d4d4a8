module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<300x10xf32>) -> (tensor<10x10xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<10x10xi32>
    %1 = stablehlo.iota dim = 1 : tensor<10x10xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<10x10xi32>
    %3 = stablehlo.add %0, %2 : tensor<10x10xi32>
    %4 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<10x10xi32>, tensor<10x10xi32>) -> tensor<10x10xi1>
    %5 = stablehlo.convert %4 : (tensor<10x10xi1>) -> tensor<10x10xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %6:3 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %c_0, %iterArg_2 = %5) : tensor<300x10xf32>, tensor<i32>, tensor<10x10xf32>
    cond {
      %c_3 = stablehlo.constant dense<300> : tensor<i32>
      %7 = stablehlo.compare LT, %iterArg_1, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_1) : (tensor<300x10xf32>, tensor<i32>) -> tensor<10xf32>
      %8 = func.call @closed_call(%iterArg_2, %7) : (tensor<10x10xf32>, tensor<10xf32>) -> tensor<10x10xf32>
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.add %iterArg_1, %c_3 : tensor<i32>
      stablehlo.return %iterArg, %9, %8 : tensor<300x10xf32>, tensor<i32>, tensor<10x10xf32>
    }
    return %6#2 : tensor<10x10xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<300x10xf32>, %arg1: tensor<i32>) -> tensor<10xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 10] : (tensor<300x10xf32>, tensor<i32>, tensor<i32>) -> tensor<1x10xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x10xf32>) -> tensor<10xf32>
    return %1 : tensor<10xf32>
  }
  func.func private @closed_call(%arg0: tensor<10x10xf32>, %arg1: tensor<10xf32>) -> tensor<10x10xf32> {
    %cst = stablehlo.constant dense<0.939999997> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<10x10xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<10x10xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<10xf32>) -> tensor<10x1xf32>
    %3 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<10x1xf32>) -> tensor<10x10xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x10xf32>) -> tensor<10x10xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<10x10xf32>
    %cst_0 = stablehlo.constant dense<6.000000e-02> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<10x10xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<10x10xf32>
    %9 = stablehlo.add %1, %8 : tensor<10x10xf32>
    return %9 : tensor<10x10xf32>
  }
}
