// seed 202650: values: cpu: internal error: program: node 0, contract: [2:1 | 0:2 |] leaves b0, which has 0 elements
module {
  func.func @main(%arg0: tensor<0x2xbf16>) -> tensor<2x0xbf16> {
    %cst = stablehlo.constant dense<0.625> : tensor<2xbf16>
    %0 = stablehlo.dot_general %arg0, %cst, batching_dims = [1] x [0], contracting_dims = [] x [] : (tensor<0x2xbf16>, tensor<2xbf16>) -> tensor<2x0xbf16>
    return %0 : tensor<2x0xbf16>
  }
}
