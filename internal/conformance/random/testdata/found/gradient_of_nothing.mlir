// seed 69345: gradient: interp: autodiff.linear: unsupported: the interpreter has no row for this op on elements of type f8e4m3fn (in @main)
module {
  func.func @main(%arg0: tensor<i32>, %arg1: tensor<0x4xf32>) -> tensor<0x4xf32> {
    %0:2 = "stablehlo.sort"(%arg1, %arg1) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<f32>, %arg9: tensor<f32>):
      %3 = stablehlo.compare LT, %arg6, %arg7 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    }) : (tensor<0x4xf32>, tensor<0x4xf32>) -> (tensor<0x4xf32>, tensor<0x4xf32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %n = stablehlo.constant dense<3> : tensor<i32>
    %bound = stablehlo.minimum %arg0, %n : tensor<i32>
    %1:2 = stablehlo.while(%i = %c, %x = %0#0) : tensor<i32>, tensor<0x4xf32>
    cond {
      %2 = stablehlo.compare LT, %i, %bound : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %y = stablehlo.add %x, %0#1 : tensor<0x4xf32>
      stablehlo.return %j, %y : tensor<i32>, tensor<0x4xf32>
    }
    return %1#1 : tensor<0x4xf32>
  }
}
