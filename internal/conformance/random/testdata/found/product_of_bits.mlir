// seed 148500: values: result 0 of type tensor<4x3xf32>: element 0 is NaN, want 0 or what is not 1.678671354407025e-28 from it
module {
  func.func @main(%arg0: tensor<5x3x17xcomplex<f64>>) -> tensor<4x3xf32> {
    %c = stablehlo.constant dense<[18446744073709551591, 127]> : tensor<2xui64>
    %0:2 = stablehlo.rng_bit_generator %c, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<33x4x3xui32>)
    %1 = stablehlo.bitcast_convert %0#1 : (tensor<33x4x3xui32>) -> tensor<33x4x3xf32>
    %2 = stablehlo.reduce_precision %1, format = e8m3 : tensor<33x4x3xf32>
    %c_0 = stablehlo.constant dense<-3> : tensor<i32>
    %3:2 = stablehlo.while(%arg1 = %c_0, %arg2 = %2) : tensor<i32>, tensor<33x4x3xf32>
    cond {
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.compare LT, %arg1, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %c_2 = stablehlo.constant dense<2> : tensor<i32>
      %5 = stablehlo.add %arg1, %c_2 : tensor<i32>
      stablehlo.return %5, %2 : tensor<i32>, tensor<33x4x3xf32>
    }
    %cst = stablehlo.constant dense<1.0> : tensor<f32>
    %6 = stablehlo.reduce(%3#1 init: %cst) applies stablehlo.multiply across dimensions = [0] : (tensor<33x4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    return %6 : tensor<4x3xf32>
  }
}
