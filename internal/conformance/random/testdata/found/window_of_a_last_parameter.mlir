// seed 16504555: gradient: cpu: internal error: cpu: code of @main: runtime error: index out of range [3] with length 3; this is a fault of the compiler: please report it together with the program
module {
  func.func @main(%arg0: tensor<1x17xui4>, %arg1: tensor<33x33xf8E4M3B11FNUZ>, %arg2: tensor<2xf8E4M3B11FNUZ>) -> tensor<1x33xf8E4M3B11FNUZ> {
    %cst = stablehlo.constant dense<10.0> : tensor<1x33xf8E4M3B11FNUZ>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.clamp %c_1, %c_0, %c : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1:3 = stablehlo.while(%arg3 = %c_2, %arg4 = %arg1, %arg5 = %cst) : tensor<i32>, tensor<33x33xf8E4M3B11FNUZ>, tensor<1x33xf8E4M3B11FNUZ>
    cond {
      %2 = stablehlo.compare LT, %arg3, %0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %3 = stablehlo.add %arg3, %c_3 : tensor<i32>
      %c_4 = stablehlo.constant dense<0> : tensor<i32>
      %4 = stablehlo.dynamic_slice %arg4, %arg3, %c_4, sizes = [1, 33] : (tensor<33x33xf8E4M3B11FNUZ>, tensor<i32>, tensor<i32>) -> tensor<1x33xf8E4M3B11FNUZ>
      stablehlo.return %3, %arg4, %4 : tensor<i32>, tensor<33x33xf8E4M3B11FNUZ>, tensor<1x33xf8E4M3B11FNUZ>
    }
    return %1#2 : tensor<1x33xf8E4M3B11FNUZ>
  }
}
