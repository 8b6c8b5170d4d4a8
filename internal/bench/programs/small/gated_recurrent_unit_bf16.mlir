module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<50x8x16xbf16>, %arg1: tensor<16x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<8x32xbf16>) -> (tensor<8x32xbf16> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0:5 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1, %iterArg_1 = %arg2, %iterArg_2 = %c, %iterArg_3 = %arg3) : tensor<50x8x16xbf16>, tensor<16x32xbf16>, tensor<32x32xbf16>, tensor<i64>, tensor<8x32xbf16>
    cond {
      %c_4 = stablehlo.constant dense<50> : tensor<i64>
      %1 = stablehlo.compare LT, %iterArg_2, %c_4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_2) : (tensor<50x8x16xbf16>, tensor<i64>) -> tensor<8x16xbf16>
      %2 = func.call @closed_call(%iterArg_0, %iterArg_1, %iterArg_3, %1) : (tensor<16x32xbf16>, tensor<32x32xbf16>, tensor<8x32xbf16>, tensor<8x16xbf16>) -> tensor<8x32xbf16>
      %c_4 = stablehlo.constant dense<1> : tensor<i64>
      %3 = stablehlo.add %iterArg_2, %c_4 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_0, %iterArg_1, %3, %2 : tensor<50x8x16xbf16>, tensor<16x32xbf16>, tensor<32x32xbf16>, tensor<i64>, tensor<8x32xbf16>
    }
    return %0#4 : tensor<8x32xbf16>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<50x8x16xbf16>, %arg1: tensor<i64>) -> tensor<8x16xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 16] : (tensor<50x8x16xbf16>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x8x16xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x8x16xbf16>) -> tensor<8x16xbf16>
    return %1 : tensor<8x16xbf16>
  }
  func.func private @closed_call(%arg0: tensor<16x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<8x32xbf16>, %arg3: tensor<8x16xbf16>) -> tensor<8x32xbf16> {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xbf16>, tensor<16x32xbf16>) -> tensor<8x32xbf16>
    %1 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x32xbf16>, tensor<32x32xbf16>) -> tensor<8x32xbf16>
    %2 = stablehlo.add %0, %1 : tensor<8x32xbf16>
    %3 = stablehlo.tanh %2 : tensor<8x32xbf16>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<8x32xbf16>
    %5 = stablehlo.multiply %3, %4 : tensor<8x32xbf16>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<8x32xbf16>
    %7 = stablehlo.multiply %arg2, %6 : tensor<8x32xbf16>
    %8 = stablehlo.add %5, %7 : tensor<8x32xbf16>
    return %8 : tensor<8x32xbf16>
  }
}
