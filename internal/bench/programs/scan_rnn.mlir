func.func @main(%w: tensor<128x128xf32>, %u: tensor<64x128xf32>, %xs: tensor<100x32x64xf32>) -> tensor<100x32x128xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %trips = stablehlo.constant dense<100> : tensor<i32>
  %h0 = stablehlo.constant dense<0.0> : tensor<32x128xf32>
  %ys0 = stablehlo.constant dense<0.0> : tensor<100x32x128xf32>
  %r:3 = stablehlo.while(%i = %zero, %h = %h0, %ys = %ys0)
    : tensor<i32>, tensor<32x128xf32>, tensor<100x32x128xf32>
  cond {
    %more = stablehlo.compare LT, %i, %trips : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %slice = stablehlo.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 32, 64]
      : (tensor<100x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x64xf32>
    %x = stablehlo.reshape %slice : (tensor<1x32x64xf32>) -> tensor<32x64xf32>
    %hw = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0]
      : (tensor<32x128xf32>, tensor<128x128xf32>) -> tensor<32x128xf32>
    %xu = stablehlo.dot_general %x, %u, contracting_dims = [1] x [0]
      : (tensor<32x64xf32>, tensor<64x128xf32>) -> tensor<32x128xf32>
    %sum = stablehlo.add %hw, %xu : tensor<32x128xf32>
    %n = stablehlo.tanh %sum : tensor<32x128xf32>
    %row = stablehlo.reshape %n : (tensor<32x128xf32>) -> tensor<1x32x128xf32>
    %next = stablehlo.dynamic_update_slice %ys, %row, %i, %zero, %zero
      : (tensor<100x32x128xf32>, tensor<1x32x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<100x32x128xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %n, %next : tensor<i32>, tensor<32x128xf32>, tensor<100x32x128xf32>
  }
  return %r#2 : tensor<100x32x128xf32>
}
