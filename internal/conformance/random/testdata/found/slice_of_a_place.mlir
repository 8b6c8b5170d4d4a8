// seed 20318325: gradient: result 0 of type tensor<32x32xf32>: element 0 is 1, want exactly 0
module {
  func.func @main(%arg0: tensor<32x32xf32>, %arg1: tensor<5x2x1xi16>) -> tensor<1x32xf32> {
    %cst = stablehlo.constant dense<0.5625> : tensor<1x32xf32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.clamp %c_1, %c_0, %c : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1:3 = stablehlo.while(%arg2 = %c_2, %arg3 = %arg0, %arg4 = %cst) : tensor<i32>, tensor<32x32xf32>, tensor<1x32xf32>
    cond {
      %2 = stablehlo.compare LT, %arg2, %0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %3 = stablehlo.add %arg2, %c_3 : tensor<i32>
      %c_4 = stablehlo.constant dense<0> : tensor<i32>
      %4 = stablehlo.dynamic_slice %arg3, %arg2, %c_4, sizes = [1, 32] : (tensor<32x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      stablehlo.return %3, %arg3, %4 : tensor<i32>, tensor<32x32xf32>, tensor<1x32xf32>
    }
    return %1#2 : tensor<1x32xf32>
  }
}
