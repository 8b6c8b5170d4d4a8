// seed 202886: values: cpu: internal error: program: node 0, rows: reads b16, which nothing has written
module {
  func.func @main(%arg0: tensor<3xui16>, %arg1: tensor<3073xui16>, %arg2: tensor<ui16>, %arg3: tensor<3xi16>, %arg4: tensor<3x3073xi16>, %arg5: tensor<3073xi16>, %arg6: tensor<i16>, %arg7: tensor<f4E2M1FN>, %arg8: tensor<3x3073xi16>, %arg9: tensor<3x3073xi16>, %arg10: tensor<3x3073xui16>) -> (tensor<3x3073xui16>, tensor<3x3073xui16>, tensor<3xui16>, tensor<3x3073xui16>, tensor<3x3073xui16>, tensor<3x3073xi16>, tensor<3x3073xi16>, tensor<3x3073xi16>, tensor<3x3073xi16>, tensor<3x3073xf4E2M1FN>, tensor<3x3073xi16>, tensor<3x3073xi16>, tensor<3x3073xf4E2M1FN>, tensor<3x3073xf4E2M1FN>, tensor<3073xi16>) {
    %c = stablehlo.constant dense<65533> : tensor<3x3073xui16>
    %c_0 = stablehlo.constant dense<65447> : tensor<ui16>
    %0 = stablehlo.reduce(%c init: %c_0) across dimensions = [1] : (tensor<3x3073xui16>, tensor<ui16>) -> tensor<3xui16>
     reducer(%arg11: tensor<ui16>, %arg12: tensor<ui16>)  {
      stablehlo.return %arg11 : tensor<ui16>
    }
    %cst = stablehlo.constant dense<1.0> : tensor<3x3073xf4E2M1FN>
    %1:2 = stablehlo.optimization_barrier %arg8, %cst : tensor<3x3073xi16>, tensor<3x3073xf4E2M1FN>
    %2 = stablehlo.abs %1#1 : tensor<3x3073xf4E2M1FN>
    return %c, %c, %0, %arg10, %arg10, %arg9, %arg9, %arg9, %arg8, %cst, %arg8, %arg8, %1#1, %2, %arg5 : tensor<3x3073xui16>, tensor<3x3073xui16>, tensor<3xui16>, tensor<3x3073xui16>, tensor<3x3073xui16>, tensor<3x3073xi16>, tensor<3x3073xi16>, tensor<3x3073xi16>, tensor<3x3073xi16>, tensor<3x3073xf4E2M1FN>, tensor<3x3073xi16>, tensor<3x3073xi16>, tensor<3x3073xf4E2M1FN>, tensor<3x3073xf4E2M1FN>, tensor<3073xi16>
  }
}
