// seed 15121887: values: cpu: internal error: program: node 1, wave: kernel stablehlo.constant: a slice in a wave
module {
  func.func @main(%arg0: tensor<f16>, %arg1: tensor<6x2048xf16>, %arg2: tensor<i1>) -> tensor<6x2048xf16> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f16>) -> tensor<6x2048xf16>
    %cst = stablehlo.constant dense<1.6875> : tensor<6x1853xf16>
    %c = stablehlo.constant dense<5> : tensor<i32>
    %c_0 = stablehlo.constant dense<1975> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %0, %cst, %c, %c_0 : (tensor<6x2048xf16>, tensor<6x1853xf16>, tensor<i32>, tensor<i32>) -> tensor<6x2048xf16>
    %cst_1 = stablehlo.constant dense<-1.0> : tensor<1x2048xf16>
    %c_2 = stablehlo.constant dense<6> : tensor<i32>
    %c_3 = stablehlo.constant dense<1775> : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %0, %cst_1, %c_2, %c_3 : (tensor<6x2048xf16>, tensor<1x2048xf16>, tensor<i32>, tensor<i32>) -> tensor<6x2048xf16>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %3:3 = stablehlo.while(%arg3 = %c_4, %arg4 = %1, %arg5 = %2) : tensor<i32>, tensor<6x2048xf16>, tensor<6x2048xf16>
    cond {
      %c_5 = stablehlo.constant dense<3> : tensor<i32>
      %4 = stablehlo.compare LT, %arg3, %c_5 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %cst_6 = stablehlo.constant dense<8.46> : tensor<6x2048xf16>
      %5 = stablehlo.compare LT, %arg4, %cst_6 : (tensor<6x2048xf16>, tensor<6x2048xf16>) -> tensor<6x2048xi1>
      %c_7 = stablehlo.constant dense<true> : tensor<i1>
      %6 = stablehlo.reduce(%5 init: %c_7) applies stablehlo.and across dimensions = [0, 1] : (tensor<6x2048xi1>, tensor<i1>) -> tensor<i1>
      %7 = stablehlo.and %4, %6 : tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      stablehlo.return %arg3, %arg4, %arg5 : tensor<i32>, tensor<6x2048xf16>, tensor<6x2048xf16>
    }
    return %3#2 : tensor<6x2048xf16>
  }
}
