func.func @main(%x: tensor<40x64xf32>, %h: tensor<64xf32>) -> (tensor<64xf32>, tensor<40x64xf32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<40> : tensor<i32>
  %r:3 = stablehlo.while(%i = %c0, %g = %h, %o = %x) : tensor<i32>, tensor<64xf32>, tensor<40x64xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %t = stablehlo.tanh %g : tensor<64xf32>
    %u = stablehlo.reshape %t : (tensor<64xf32>) -> tensor<1x64xf32>
    %q = stablehlo.dynamic_update_slice %o, %u, %i, %c0 : (tensor<40x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<40x64xf32>
    %j = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %j, %t, %q : tensor<i32>, tensor<64xf32>, tensor<40x64xf32>
  }
  return %r#1, %r#2 : tensor<64xf32>, tensor<40x64xf32>
}
