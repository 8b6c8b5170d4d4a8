// seed 151400: values: cpu: internal error: program: node 0, contract: [2:1 | 0:2 | 1:0] leaves b0, which has 0 elements
module {
  func.func @main(%arg0: tensor<1x0x2xf32>) -> tensor<2x0x1x1xf32> {
    %cst = stablehlo.constant dense<1.5> : tensor<1x2x1x1xf32>
    %0 = stablehlo.dot_general %arg0, %cst, batching_dims = [2] x [1], contracting_dims = [0] x [0] : (tensor<1x0x2xf32>, tensor<1x2x1x1xf32>) -> tensor<2x0x1x1xf32>
    return %0 : tensor<2x0x1x1xf32>
  }
}
