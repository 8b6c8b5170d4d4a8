func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %trips = stablehlo.constant dense<1000> : tensor<i32>
  %scale = stablehlo.constant dense<0.999> : tensor<64xf32>
  %shift = stablehlo.constant dense<0.001> : tensor<64xf32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<64xf32>
  cond {
    %more = stablehlo.compare LT, %i, %trips : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %scaled = stablehlo.multiply %a, %scale : tensor<64xf32>
    %next = stablehlo.add %scaled, %shift : tensor<64xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next : tensor<i32>, tensor<64xf32>
  }
  return %r#1 : tensor<64xf32>
}
