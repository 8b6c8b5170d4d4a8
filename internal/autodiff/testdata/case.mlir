// The gradient goes through the taken branch. %z does not depend on %x, so
// it has no tangent.
func.func @main(%i: tensor<i32>, %x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0:2 = "stablehlo.case"(%i) ({
    %y = stablehlo.exponential %x : tensor<f32>
    stablehlo.return %y, %c : tensor<f32>, tensor<f32>
  }, {
    stablehlo.return %x, %c : tensor<f32>, tensor<f32>
  }) : (tensor<i32>) -> (tensor<f32>, tensor<f32>)
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}
// ----- JVP
module {
  func.func @main(%i: tensor<i32>, %x: tensor<f32>, %arg0: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
    %c = stablehlo.constant dense<2.0> : tensor<f32>
    %0:3 = "stablehlo.case"(%i) ({
      %y = stablehlo.exponential %x : tensor<f32>
      %1 = stablehlo.multiply %arg0, %y : tensor<f32>
      stablehlo.return %y, %c, %1 : tensor<f32>, tensor<f32>, tensor<f32>
    }, {
      stablehlo.return %x, %c, %arg0 : tensor<f32>, tensor<f32>, tensor<f32>
    }) : (tensor<i32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    return %0#0, %0#1, %0#2, %cst : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
}
// ----- VJP
module {
  func.func @main(%i: tensor<i32>, %x: tensor<f32>, %arg0: tensor<f32>, %arg1: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
    %c = stablehlo.constant dense<2.0> : tensor<f32>
    %0:2 = "stablehlo.case"(%i) ({
      %y = stablehlo.exponential %x : tensor<f32>
      stablehlo.return %y, %c : tensor<f32>, tensor<f32>
    }, {
      stablehlo.return %x, %c : tensor<f32>, tensor<f32>
    }) : (tensor<i32>) -> (tensor<f32>, tensor<f32>)
    %1 = "stablehlo.case"(%i) ({
      %y = stablehlo.exponential %x : tensor<f32>
      %2 = stablehlo.multiply %arg0, %y : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }, {
      stablehlo.return %arg0 : tensor<f32>
    }) : (tensor<i32>) -> tensor<f32>
    return %0#0, %0#1, %1 : tensor<f32>, tensor<f32>, tensor<f32>
  }
}
