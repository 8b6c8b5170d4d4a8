module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1000xui8>, %arg1: tensor<256xui32>) -> (tensor<ui32> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg0 : (tensor<1000xui8>) -> tensor<1000xui32>
    %c = stablehlo.constant dense<4294967295> : tensor<ui32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:4 = stablehlo.while(%iterArg = %0, %iterArg_1 = %arg1, %iterArg_2 = %c_0, %iterArg_3 = %c) : tensor<1000xui32>, tensor<256xui32>, tensor<i32>, tensor<ui32>
    cond {
      %c_4 = stablehlo.constant dense<1000> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_2, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_2) : (tensor<1000xui32>, tensor<i32>) -> tensor<ui32>
      %3 = func.call @closed_call(%iterArg_1, %iterArg_3, %2) : (tensor<256xui32>, tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.add %iterArg_2, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %4, %3 : tensor<1000xui32>, tensor<256xui32>, tensor<i32>, tensor<ui32>
    }
    return %1#3 : tensor<ui32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<1000xui32>, %arg1: tensor<i32>) -> tensor<ui32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<1000xui32>, tensor<i32>) -> tensor<1xui32>
    %1 = stablehlo.reshape %0 : (tensor<1xui32>) -> tensor<ui32>
    return %1 : tensor<ui32>
  }
  func.func private @closed_call(%arg0: tensor<256xui32>, %arg1: tensor<ui32>, %arg2: tensor<ui32>) -> tensor<ui32> {
    %0 = stablehlo.xor %arg1, %arg2 : tensor<ui32>
    %c = stablehlo.constant dense<255> : tensor<ui32>
    %1 = stablehlo.and %0, %c : tensor<ui32>
    %2 = stablehlo.dynamic_slice %arg0, %1, sizes = [1] : (tensor<256xui32>, tensor<ui32>) -> tensor<1xui32>
    %3 = stablehlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
    %c_0 = stablehlo.constant dense<8> : tensor<ui32>
    %4 = stablehlo.shift_right_logical %arg1, %c_0 : tensor<ui32>
    %5 = stablehlo.xor %3, %4 : tensor<ui32>
    return %5 : tensor<ui32>
  }
}
