module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<20000xbf16>) -> (tensor<20000xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<7xf64>
    %1 = stablehlo.convert %0 : (tensor<7xf64>) -> tensor<7xbf16>
    %2 = call @polyval(%1, %arg0) : (tensor<7xbf16>, tensor<20000xbf16>) -> tensor<20000xbf16>
    return %2 : tensor<20000xbf16>
  }
  func.func private @polyval(%arg0: tensor<7xbf16>, %arg1: tensor<20000xbf16>) -> tensor<20000xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<20000xbf16>
    %1 = stablehlo.slice %arg0 [0:0] : (tensor<7xbf16>) -> tensor<0xbf16>
    %2 = stablehlo.slice %arg0 [0:7] : (tensor<7xbf16>) -> tensor<7xbf16>
    %3 = stablehlo.slice %2 [0:1] : (tensor<7xbf16>) -> tensor<1xbf16>
    %4 = stablehlo.reshape %3 : (tensor<1xbf16>) -> tensor<bf16>
    %5 = call @closed_call(%arg1, %0, %4) : (tensor<20000xbf16>, tensor<20000xbf16>, tensor<bf16>) -> tensor<20000xbf16>
    %6 = stablehlo.slice %2 [1:2] : (tensor<7xbf16>) -> tensor<1xbf16>
    %7 = stablehlo.reshape %6 : (tensor<1xbf16>) -> tensor<bf16>
    %8 = call @closed_call(%arg1, %5, %7) : (tensor<20000xbf16>, tensor<20000xbf16>, tensor<bf16>) -> tensor<20000xbf16>
    %9 = stablehlo.slice %2 [2:3] : (tensor<7xbf16>) -> tensor<1xbf16>
    %10 = stablehlo.reshape %9 : (tensor<1xbf16>) -> tensor<bf16>
    %11 = call @closed_call(%arg1, %8, %10) : (tensor<20000xbf16>, tensor<20000xbf16>, tensor<bf16>) -> tensor<20000xbf16>
    %12 = stablehlo.slice %2 [3:4] : (tensor<7xbf16>) -> tensor<1xbf16>
    %13 = stablehlo.reshape %12 : (tensor<1xbf16>) -> tensor<bf16>
    %14 = call @closed_call(%arg1, %11, %13) : (tensor<20000xbf16>, tensor<20000xbf16>, tensor<bf16>) -> tensor<20000xbf16>
    %15 = stablehlo.slice %2 [4:5] : (tensor<7xbf16>) -> tensor<1xbf16>
    %16 = stablehlo.reshape %15 : (tensor<1xbf16>) -> tensor<bf16>
    %17 = call @closed_call(%arg1, %14, %16) : (tensor<20000xbf16>, tensor<20000xbf16>, tensor<bf16>) -> tensor<20000xbf16>
    %18 = stablehlo.slice %2 [5:6] : (tensor<7xbf16>) -> tensor<1xbf16>
    %19 = stablehlo.reshape %18 : (tensor<1xbf16>) -> tensor<bf16>
    %20 = call @closed_call(%arg1, %17, %19) : (tensor<20000xbf16>, tensor<20000xbf16>, tensor<bf16>) -> tensor<20000xbf16>
    %21 = stablehlo.slice %2 [6:7] : (tensor<7xbf16>) -> tensor<1xbf16>
    %22 = stablehlo.reshape %21 : (tensor<1xbf16>) -> tensor<bf16>
    %23 = call @closed_call(%arg1, %20, %22) : (tensor<20000xbf16>, tensor<20000xbf16>, tensor<bf16>) -> tensor<20000xbf16>
    return %23 : tensor<20000xbf16>
  }
  func.func private @closed_call(%arg0: tensor<20000xbf16>, %arg1: tensor<20000xbf16>, %arg2: tensor<bf16>) -> tensor<20000xbf16> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<20000xbf16>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<bf16>) -> tensor<20000xbf16>
    %2 = stablehlo.add %0, %1 : tensor<20000xbf16>
    return %2 : tensor<20000xbf16>
  }
}
