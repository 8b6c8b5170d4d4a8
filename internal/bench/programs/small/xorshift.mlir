module @jit_xorshift attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<ui32>) -> (tensor<ui32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %0 = stablehlo.add %arg0, %c : tensor<ui32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.while(%iterArg = %c_0, %iterArg_1 = %0) : tensor<i32>, tensor<ui32>
    cond {
      %c_2 = stablehlo.constant dense<10000> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = func.call @closed_call(%iterArg_1) : (tensor<ui32>) -> tensor<ui32>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %3 = stablehlo.add %iterArg, %c_2 : tensor<i32>
      stablehlo.return %3, %2 : tensor<i32>, tensor<ui32>
    }
    return %1#1 : tensor<ui32>
  }
  func.func private @closed_call(%arg0: tensor<ui32>) -> tensor<ui32> {
    %c = stablehlo.constant dense<13> : tensor<ui32>
    %0 = stablehlo.shift_left %arg0, %c : tensor<ui32>
    %1 = stablehlo.xor %arg0, %0 : tensor<ui32>
    %c_0 = stablehlo.constant dense<17> : tensor<ui32>
    %2 = stablehlo.shift_right_logical %1, %c_0 : tensor<ui32>
    %3 = stablehlo.xor %1, %2 : tensor<ui32>
    %c_1 = stablehlo.constant dense<5> : tensor<ui32>
    %4 = stablehlo.shift_left %3, %c_1 : tensor<ui32>
    %5 = stablehlo.xor %3, %4 : tensor<ui32>
    return %5 : tensor<ui32>
  }
}
