// The product of a step is saved, and the gradients of %w and %b are sums over all steps after the reverse loop, which
// saves the cotangents of %xs once.
func.func @main(%xs: tensor<5x2x16xf32>, %w: tensor<16x16xf32>, %b: tensor<16xf32>) -> tensor<2x16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %h0 = stablehlo.constant dense<0.0> : tensor<2x16xf32>
  %0:2 = stablehlo.while(%i = %zero, %h = %h0) : tensor<i32>, tensor<2x16xf32>
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 2, 16] : (tensor<5x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x2x16xf32>) -> tensor<2x16xf32>
    %3 = stablehlo.dot_general %h, %w, contracting_dims = [1] x [1] : (tensor<2x16xf32>, tensor<16x16xf32>) -> tensor<2x16xf32>
    %4 = stablehlo.add %3, %2 : tensor<2x16xf32>
    %5 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<2x16xf32>
    %6 = stablehlo.add %4, %5 : tensor<2x16xf32>
    %7 = stablehlo.sine %6 : tensor<2x16xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %8, %7 : tensor<i32>, tensor<2x16xf32>
  }
  return %0#1 : tensor<2x16xf32>
}
// ----- JVP
module {
  func.func @main(%xs: tensor<5x2x16xf32>, %w: tensor<16x16xf32>, %b: tensor<16xf32>, %arg0: tensor<5x2x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<16xf32>) -> (tensor<2x16xf32>, tensor<2x16xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %h0 = stablehlo.constant dense<0.0> : tensor<2x16xf32>
    %0:3 = stablehlo.while(%arg3 = %zero, %arg4 = %h0, %arg5 = %h0) : tensor<i32>, tensor<2x16xf32>, tensor<2x16xf32>
    cond {
      %n = stablehlo.constant dense<5> : tensor<i32>
      %p = stablehlo.compare LT, %arg3, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.dynamic_slice %xs, %arg3, %zero, %zero, sizes = [1, 2, 16] : (tensor<5x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16xf32>
      %2 = stablehlo.dynamic_slice %arg0, %arg3, %zero, %zero, sizes = [1, 2, 16] : (tensor<5x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16xf32>
      %3 = stablehlo.reshape %1 : (tensor<1x2x16xf32>) -> tensor<2x16xf32>
      %4 = stablehlo.reshape %2 : (tensor<1x2x16xf32>) -> tensor<2x16xf32>
      %5 = stablehlo.dot_general %arg4, %w, contracting_dims = [1] x [1] : (tensor<2x16xf32>, tensor<16x16xf32>) -> tensor<2x16xf32>
      %6 = stablehlo.dot_general %arg5, %w, contracting_dims = [1] x [1] : (tensor<2x16xf32>, tensor<16x16xf32>) -> tensor<2x16xf32>
      %7 = stablehlo.dot_general %arg4, %arg1, contracting_dims = [1] x [1] : (tensor<2x16xf32>, tensor<16x16xf32>) -> tensor<2x16xf32>
      %8 = stablehlo.add %6, %7 : tensor<2x16xf32>
      %9 = stablehlo.add %5, %3 : tensor<2x16xf32>
      %10 = stablehlo.add %8, %4 : tensor<2x16xf32>
      %11 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<2x16xf32>
      %12 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<16xf32>) -> tensor<2x16xf32>
      %13 = stablehlo.add %9, %11 : tensor<2x16xf32>
      %14 = stablehlo.add %10, %12 : tensor<2x16xf32>
      %15 = stablehlo.sine %13 : tensor<2x16xf32>
      %16 = stablehlo.cosine %13 : tensor<2x16xf32>
      %17 = stablehlo.multiply %14, %16 : tensor<2x16xf32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %18 = stablehlo.add %arg3, %one : tensor<i32>
      stablehlo.return %18, %15, %17 : tensor<i32>, tensor<2x16xf32>, tensor<2x16xf32>
    }
    return %0#1, %0#2 : tensor<2x16xf32>, tensor<2x16xf32>
  }
}
// ----- VJP
module {
  func.func @main(%xs: tensor<5x2x16xf32>, %w: tensor<16x16xf32>, %b: tensor<16xf32>, %arg0: tensor<2x16xf32>) -> (tensor<2x16xf32>, tensor<5x2x16xf32>, tensor<16x16xf32>, tensor<16xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %h0 = stablehlo.constant dense<0.0> : tensor<2x16xf32>
    %cst = stablehlo.constant dense<0.0> : tensor<5x2x16xf32>
    %0:5 = stablehlo.while(%arg1 = %zero, %arg2 = %h0, %arg3 = %zero, %arg4 = %cst, %arg5 = %cst) : tensor<i32>, tensor<2x16xf32>, tensor<i32>, tensor<5x2x16xf32>, tensor<5x2x16xf32>
    cond {
      %n = stablehlo.constant dense<5> : tensor<i32>
      %p = stablehlo.compare LT, %arg1, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.reshape %arg2 : (tensor<2x16xf32>) -> tensor<1x2x16xf32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %2 = stablehlo.dynamic_update_slice %arg4, %1, %arg3, %c, %c : (tensor<5x2x16xf32>, tensor<1x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x2x16xf32>
      %3 = stablehlo.dynamic_slice %xs, %arg1, %zero, %zero, sizes = [1, 2, 16] : (tensor<5x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16xf32>
      %4 = stablehlo.reshape %3 : (tensor<1x2x16xf32>) -> tensor<2x16xf32>
      %5 = stablehlo.dot_general %arg2, %w, contracting_dims = [1] x [1] : (tensor<2x16xf32>, tensor<16x16xf32>) -> tensor<2x16xf32>
      %6 = stablehlo.add %5, %4 : tensor<2x16xf32>
      %7 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<2x16xf32>
      %8 = stablehlo.add %6, %7 : tensor<2x16xf32>
      %9 = stablehlo.sine %8 : tensor<2x16xf32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.add %arg1, %one : tensor<i32>
      %11 = stablehlo.reshape %5 : (tensor<2x16xf32>) -> tensor<1x2x16xf32>
      %12 = stablehlo.dynamic_update_slice %arg5, %11, %arg3, %c, %c : (tensor<5x2x16xf32>, tensor<1x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x2x16xf32>
      %13 = stablehlo.add %one, %arg3 : tensor<i32>
      stablehlo.return %10, %9, %13, %2, %12 : tensor<i32>, tensor<2x16xf32>, tensor<i32>, tensor<5x2x16xf32>, tensor<5x2x16xf32>
    }
    %c = stablehlo.constant dense<4> : tensor<i32>
    %14:3 = stablehlo.while(%arg6 = %c, %arg7 = %arg0, %arg8 = %cst) : tensor<i32>, tensor<2x16xf32>, tensor<5x2x16xf32>
    cond {
      %c_0 = stablehlo.constant dense<0> : tensor<i32>
      %15 = stablehlo.compare GE, %arg6, %c_0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %15 : tensor<i1>
    } do {
      %16 = stablehlo.add %zero, %arg6 : tensor<i32>
      %c_1 = stablehlo.constant dense<0> : tensor<i32>
      %17 = stablehlo.dynamic_slice %0#4, %arg6, %c_1, %c_1, sizes = [1, 2, 16] : (tensor<5x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16xf32>
      %18 = stablehlo.reshape %17 : (tensor<1x2x16xf32>) -> tensor<2x16xf32>
      %c_2 = stablehlo.constant dense<-1> : tensor<i32>
      %19 = stablehlo.add %c_2, %arg6 : tensor<i32>
      %1 = stablehlo.dynamic_slice %xs, %16, %zero, %zero, sizes = [1, 2, 16] : (tensor<5x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16xf32>
      %2 = stablehlo.reshape %1 : (tensor<1x2x16xf32>) -> tensor<2x16xf32>
      %4 = stablehlo.add %18, %2 : tensor<2x16xf32>
      %5 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<2x16xf32>
      %6 = stablehlo.add %4, %5 : tensor<2x16xf32>
      %20 = stablehlo.cosine %6 : tensor<2x16xf32>
      %21 = stablehlo.multiply %arg7, %20 : tensor<2x16xf32>
      %22 = stablehlo.dot_general %21, %w, contracting_dims = [1] x [0] : (tensor<2x16xf32>, tensor<16x16xf32>) -> tensor<2x16xf32>
      %23 = stablehlo.reshape %21 : (tensor<2x16xf32>) -> tensor<1x2x16xf32>
      %24 = stablehlo.dynamic_update_slice %arg8, %23, %arg6, %c_1, %c_1 : (tensor<5x2x16xf32>, tensor<1x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x2x16xf32>
      stablehlo.return %19, %22, %24 : tensor<i32>, tensor<2x16xf32>, tensor<5x2x16xf32>
    }
    %25 = stablehlo.dot_general %14#2, %0#3, contracting_dims = [0, 1] x [0, 1] : (tensor<5x2x16xf32>, tensor<5x2x16xf32>) -> tensor<16x16xf32>
    %cst_3 = stablehlo.constant dense<0.0> : tensor<f32>
    %26 = stablehlo.reduce(%14#2 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x2x16xf32>, tensor<f32>) -> tensor<16xf32>
    return %0#1, %14#2, %25, %26 : tensor<2x16xf32>, tensor<5x2x16xf32>, tensor<16x16xf32>, tensor<16xf32>
  }
}
