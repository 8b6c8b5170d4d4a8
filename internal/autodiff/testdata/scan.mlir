// A loop with a known trip count: its states are saved in a buffer with a row for each step,
// and a second loop visits them in reverse. %xs and %w are carried unchanged.
func.func @main(%xs: tensor<4xf32>, %w: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %h0 = stablehlo.constant dense<0.0> : tensor<f32>
  %0:4 = stablehlo.while(%a = %xs, %b = %w, %i = %zero, %h = %h0) : tensor<4xf32>, tensor<f32>, tensor<i32>, tensor<f32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %a, %i, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
    %3 = stablehlo.multiply %h, %b : tensor<f32>
    %4 = stablehlo.add %3, %2 : tensor<f32>
    %5 = stablehlo.tanh %4 : tensor<f32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %6 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %a, %b, %6, %5 : tensor<4xf32>, tensor<f32>, tensor<i32>, tensor<f32>
  }
  return %0#3 : tensor<f32>
}
// ----- JVP
module {
  func.func @main(%xs: tensor<4xf32>, %w: tensor<f32>, %arg0: tensor<4xf32>, %arg1: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %h0 = stablehlo.constant dense<0.0> : tensor<f32>
    %0:3 = stablehlo.while(%arg2 = %zero, %arg3 = %h0, %arg4 = %h0) : tensor<i32>, tensor<f32>, tensor<f32>
    cond {
      %n = stablehlo.constant dense<4> : tensor<i32>
      %p = stablehlo.compare LT, %arg2, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.dynamic_slice %xs, %arg2, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
      %2 = stablehlo.dynamic_slice %arg0, %arg2, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
      %3 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
      %4 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
      %5 = stablehlo.multiply %arg3, %w : tensor<f32>
      %6 = stablehlo.multiply %arg4, %w : tensor<f32>
      %7 = stablehlo.multiply %arg1, %arg3 : tensor<f32>
      %8 = stablehlo.add %6, %7 : tensor<f32>
      %9 = stablehlo.add %5, %3 : tensor<f32>
      %10 = stablehlo.add %8, %4 : tensor<f32>
      %11 = stablehlo.tanh %9 : tensor<f32>
      %12 = stablehlo.abs %9 : tensor<f32>
      %cst = stablehlo.constant dense<-2.0> : tensor<f32>
      %13 = stablehlo.multiply %12, %cst : tensor<f32>
      %14 = stablehlo.exponential %13 : tensor<f32>
      %15 = stablehlo.abs %11 : tensor<f32>
      %cst_0 = stablehlo.constant dense<1.0> : tensor<f32>
      %16 = stablehlo.add %cst_0, %15 : tensor<f32>
      %17 = stablehlo.multiply %16, %16 : tensor<f32>
      %18 = stablehlo.multiply %14, %17 : tensor<f32>
      %19 = stablehlo.multiply %10, %18 : tensor<f32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %20 = stablehlo.add %arg2, %one : tensor<i32>
      stablehlo.return %20, %11, %19 : tensor<i32>, tensor<f32>, tensor<f32>
    }
    return %0#1, %0#2 : tensor<f32>, tensor<f32>
  }
}
// ----- VJP
module {
  func.func @main(%xs: tensor<4xf32>, %w: tensor<f32>, %arg0: tensor<f32>) -> (tensor<f32>, tensor<4xf32>, tensor<f32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %h0 = stablehlo.constant dense<0.0> : tensor<f32>
    %cst = stablehlo.constant dense<0.0> : tensor<4xf32>
    %0:4 = stablehlo.while(%arg1 = %zero, %arg2 = %h0, %arg3 = %zero, %arg4 = %cst) : tensor<i32>, tensor<f32>, tensor<i32>, tensor<4xf32>
    cond {
      %n = stablehlo.constant dense<4> : tensor<i32>
      %p = stablehlo.compare LT, %arg1, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.reshape %arg2 : (tensor<f32>) -> tensor<1xf32>
      %2 = stablehlo.dynamic_update_slice %arg4, %1, %arg3 : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
      %3 = stablehlo.dynamic_slice %xs, %arg1, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
      %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
      %5 = stablehlo.multiply %arg2, %w : tensor<f32>
      %6 = stablehlo.add %5, %4 : tensor<f32>
      %7 = stablehlo.tanh %6 : tensor<f32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %arg1, %one : tensor<i32>
      %9 = stablehlo.add %one, %arg3 : tensor<i32>
      stablehlo.return %8, %7, %9, %2 : tensor<i32>, tensor<f32>, tensor<i32>, tensor<4xf32>
    }
    %c = stablehlo.constant dense<3> : tensor<i32>
    %10:4 = stablehlo.while(%arg5 = %c, %arg6 = %arg0, %arg7 = %h0, %arg8 = %cst) : tensor<i32>, tensor<f32>, tensor<f32>, tensor<4xf32>
    cond {
      %c_0 = stablehlo.constant dense<0> : tensor<i32>
      %11 = stablehlo.compare GE, %arg5, %c_0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    } do {
      %12 = stablehlo.add %zero, %arg5 : tensor<i32>
      %13 = stablehlo.dynamic_slice %0#3, %arg5, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
      %14 = stablehlo.reshape %13 : (tensor<1xf32>) -> tensor<f32>
      %c_1 = stablehlo.constant dense<-1> : tensor<i32>
      %15 = stablehlo.add %c_1, %arg5 : tensor<i32>
      %1 = stablehlo.dynamic_slice %xs, %12, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
      %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
      %3 = stablehlo.multiply %14, %w : tensor<f32>
      %4 = stablehlo.add %3, %2 : tensor<f32>
      %5 = stablehlo.tanh %4 : tensor<f32>
      %16 = stablehlo.abs %4 : tensor<f32>
      %cst_2 = stablehlo.constant dense<-2.0> : tensor<f32>
      %17 = stablehlo.multiply %16, %cst_2 : tensor<f32>
      %18 = stablehlo.exponential %17 : tensor<f32>
      %19 = stablehlo.abs %5 : tensor<f32>
      %cst_3 = stablehlo.constant dense<1.0> : tensor<f32>
      %20 = stablehlo.add %cst_3, %19 : tensor<f32>
      %21 = stablehlo.multiply %20, %20 : tensor<f32>
      %22 = stablehlo.multiply %18, %21 : tensor<f32>
      %23 = stablehlo.multiply %arg6, %22 : tensor<f32>
      %24 = stablehlo.multiply %23, %14 : tensor<f32>
      %25 = stablehlo.add %arg7, %24 : tensor<f32>
      %26 = stablehlo.multiply %23, %w : tensor<f32>
      %27 = stablehlo.reshape %23 : (tensor<f32>) -> tensor<1xf32>
      %28 = stablehlo.dynamic_update_slice %arg8, %27, %arg5 : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
      stablehlo.return %15, %26, %25, %28 : tensor<i32>, tensor<f32>, tensor<f32>, tensor<4xf32>
    }
    return %0#1, %10#3, %10#2 : tensor<f32>, tensor<4xf32>, tensor<f32>
  }
}
