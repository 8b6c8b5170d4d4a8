// seed 20010401: values: result 0 of type tensor<3x1023xbf16>: element 1750 is NaN, want 1 or what is not 9.5367431640625e-07 from it
module {
  func.func @main(%arg0: tensor<5xbf16>, %arg1: tensor<5x3x1023xbf16>, %arg2: tensor<15345xbf16>) -> tensor<3x1023xbf16> {
    %0 = stablehlo.reshape %arg2 : (tensor<15345xbf16>) -> tensor<5x3x1023xbf16>
    %cst = stablehlo.constant dense<-0.164> : tensor<5x3x1023xbf16>
    %1 = stablehlo.divide %0, %cst : tensor<5x3x1023xbf16>
    %cst_0 = stablehlo.constant dense<0.0> : tensor<bf16>
    %2 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<5x3x1023xbf16>, tensor<bf16>) -> tensor<3x1023xbf16>
    %3 = stablehlo.divide %2, %2 : tensor<3x1023xbf16>
    return %3 : tensor<3x1023xbf16>
  }
}
