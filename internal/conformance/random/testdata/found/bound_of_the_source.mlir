// seed 15056310: values: result 0 of type tensor<1x1xf32>: element 0 is -0.5, want exactly 0.375
module {
  func.func @main(%arg0: tensor<1x1xf32>, %arg1: tensor<i1>) -> tensor<1x1xf32> {
    %cst = stablehlo.constant dense<0.375> : tensor<1x1xf32>
    %0 = stablehlo.maximum %arg0, %cst : tensor<1x1xf32>
    %cst_0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = "stablehlo.select_and_scatter"(%0, %0, %cst_0) <{window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg1 : tensor<i1>
    }, {
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      stablehlo.return %arg5 : tensor<f32>
    }) : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<f32>) -> tensor<1x1xf32>
    return %1 : tensor<1x1xf32>
  }
}
