module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<100x100xi1>) -> (tensor<100xi32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<100xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<100xi32>
    %2 = stablehlo.compare EQ, %0, %1, SIGNED : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
    %c_0 = stablehlo.constant dense<-1> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<100xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %4:5 = stablehlo.while(%iterArg = %arg0, %iterArg_3 = %c_2, %iterArg_4 = %c_1, %iterArg_5 = %2, %iterArg_6 = %3) : tensor<100x100xi1>, tensor<i32>, tensor<i32>, tensor<100xi1>, tensor<100xi32>
    cond {
      %c_7 = stablehlo.constant dense<10> : tensor<i32>
      %5 = stablehlo.compare LT, %iterArg_3, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %5:3 = func.call @closed_call(%iterArg, %iterArg_4, %iterArg_5, %iterArg_6) : (tensor<100x100xi1>, tensor<i32>, tensor<100xi1>, tensor<100xi32>) -> (tensor<i32>, tensor<100xi1>, tensor<100xi32>)
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %iterArg_3, %c_7 : tensor<i32>
      stablehlo.return %iterArg, %6, %5#0, %5#1, %5#2 : tensor<100x100xi1>, tensor<i32>, tensor<i32>, tensor<100xi1>, tensor<100xi32>
    }
    return %4#4 : tensor<100xi32>
  }
  func.func private @closed_call(%arg0: tensor<100x100xi1>, %arg1: tensor<i32>, %arg2: tensor<100xi1>, %arg3: tensor<100xi32>) -> (tensor<i32>, tensor<100xi1>, tensor<100xi32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<100xi1>) -> tensor<100x1xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<100x1xi1>) -> tensor<100x100xi1>
    %3 = stablehlo.and %arg0, %2 : tensor<100x100xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %4 = stablehlo.reduce(%3 init: %c_0) applies stablehlo.or across dimensions = [0] : (tensor<100x100xi1>, tensor<i1>) -> tensor<100xi1>
    %5 = stablehlo.or %arg2, %4 : tensor<100xi1>
    %6 = stablehlo.not %arg2 : tensor<100xi1>
    %7 = stablehlo.and %4, %6 : tensor<100xi1>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.add %arg1, %c_1 : tensor<i32>
    %9 = call @_where(%7, %8, %arg3) : (tensor<100xi1>, tensor<i32>, tensor<100xi32>) -> tensor<100xi32>
    return %0, %5, %9 : tensor<i32>, tensor<100xi1>, tensor<100xi32>
  }
  func.func private @_where(%arg0: tensor<100xi1>, %arg1: tensor<i32>, %arg2: tensor<100xi32>) -> tensor<100xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<100xi32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<100xi1>, tensor<100xi32>
    return %1 : tensor<100xi32>
  }
}
