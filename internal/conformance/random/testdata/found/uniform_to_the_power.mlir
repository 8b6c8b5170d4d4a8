// seed 1251: values: result 0 of type tensor<4x128xf32>: element 83 is NaN, want 1 or what is not 0.00027000904083251953 from it
module {
  func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4x128xf32>) -> tensor<4x128xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4xf32>) -> tensor<4x128xf32>
    %1 = stablehlo.negate %0 : tensor<4x128xf32>
    %2 = stablehlo.power %1, %arg1 : tensor<4x128xf32>
    %3 = stablehlo.maximum %2, %arg1 : tensor<4x128xf32>
    return %3 : tensor<4x128xf32>
  }
}
