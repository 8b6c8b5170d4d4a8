module @jit_gcd_loop attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<i32>) -> (tensor<i32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0:5 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %arg1, %iterArg_3 = %c_1, %iterArg_4 = %c, %iterArg_5 = %c_0) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
    cond {
      %c_6 = stablehlo.constant dense<1000> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_4, %iterArg_5) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg_3, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_2, %2, %1#0, %1#1 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
    }
    return %0#4 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg2, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<1000> : tensor<i32>
    %1 = stablehlo.add %arg0, %c_0 : tensor<i32>
    %2 = stablehlo.convert %arg2 : tensor<i32>
    %3 = stablehlo.add %1, %2 : tensor<i32>
    %c_1 = stablehlo.constant dense<771> : tensor<i32>
    %4 = stablehlo.add %arg1, %c_1 : tensor<i32>
    %5:2 = stablehlo.while(%iterArg = %3, %iterArg_2 = %4) : tensor<i32>, tensor<i32>
    cond {
      %c_3 = stablehlo.constant dense<0> : tensor<i32>
      %8 = stablehlo.compare NE, %iterArg_2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    } do {
      %8 = stablehlo.remainder %iterArg, %iterArg_2 : tensor<i32>
      stablehlo.return %iterArg_2, %8 : tensor<i32>, tensor<i32>
    }
    %6 = stablehlo.convert %arg3 : tensor<i32>
    %7 = stablehlo.add %6, %5#0 : tensor<i32>
    return %0, %7 : tensor<i32>, tensor<i32>
  }
}
