// seed 153415: values: cpu: internal error: program: node 0, contract: [2:1 | | 2:0 0:2] leaves b0, which has 0 elements
module {
  func.func @main(%arg0: tensor<2x0x2xbf16>) -> tensor<2xbf16> {
    %cst = stablehlo.constant dense<> : tensor<0x2x2xbf16>
    %0 = stablehlo.dot_general %arg0, %cst, batching_dims = [2] x [2], contracting_dims = [0, 1] x [1, 0] : (tensor<2x0x2xbf16>, tensor<0x2x2xbf16>) -> tensor<2xbf16>
    return %0 : tensor<2xbf16>
  }
}
