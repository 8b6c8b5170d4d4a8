// A dense layer: contractions transpose to contractions, broadcasts to sums. The
// integer argument has no tangent.
func.func @main(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>, %b: tensor<2xf32>, %n: tensor<i32>) -> tensor<4x2xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x2xf32>
  %3 = stablehlo.tanh %2 : tensor<4x2xf32>
  return %3 : tensor<4x2xf32>
}
// ----- JVP
module {
  func.func @main(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>, %b: tensor<2xf32>, %n: tensor<i32>, %arg0: tensor<4x3xf32>, %arg1: tensor<3x2xf32>, %arg2: tensor<2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
    %1 = stablehlo.dot_general %arg0, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
    %2 = stablehlo.dot_general %x, %arg1, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x2xf32>
    %4 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>
    %5 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>
    %6 = stablehlo.add %0, %4 : tensor<4x2xf32>
    %7 = stablehlo.add %3, %5 : tensor<4x2xf32>
    %8 = stablehlo.tanh %6 : tensor<4x2xf32>
    %9 = stablehlo.abs %6 : tensor<4x2xf32>
    %cst = stablehlo.constant dense<-2.0> : tensor<4x2xf32>
    %10 = stablehlo.multiply %9, %cst : tensor<4x2xf32>
    %11 = stablehlo.exponential %10 : tensor<4x2xf32>
    %12 = stablehlo.abs %8 : tensor<4x2xf32>
    %cst_0 = stablehlo.constant dense<1.0> : tensor<4x2xf32>
    %13 = stablehlo.add %cst_0, %12 : tensor<4x2xf32>
    %14 = stablehlo.multiply %13, %13 : tensor<4x2xf32>
    %15 = stablehlo.multiply %11, %14 : tensor<4x2xf32>
    %16 = stablehlo.multiply %7, %15 : tensor<4x2xf32>
    return %8, %16 : tensor<4x2xf32>, tensor<4x2xf32>
  }
}
// ----- VJP
module {
  func.func @main(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>, %b: tensor<2xf32>, %n: tensor<i32>, %arg0: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x3xf32>, tensor<3x2xf32>, tensor<2xf32>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
    %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>
    %2 = stablehlo.add %0, %1 : tensor<4x2xf32>
    %3 = stablehlo.tanh %2 : tensor<4x2xf32>
    %4 = stablehlo.abs %2 : tensor<4x2xf32>
    %cst = stablehlo.constant dense<-2.0> : tensor<4x2xf32>
    %5 = stablehlo.multiply %4, %cst : tensor<4x2xf32>
    %6 = stablehlo.exponential %5 : tensor<4x2xf32>
    %7 = stablehlo.abs %3 : tensor<4x2xf32>
    %cst_0 = stablehlo.constant dense<1.0> : tensor<4x2xf32>
    %8 = stablehlo.add %cst_0, %7 : tensor<4x2xf32>
    %9 = stablehlo.multiply %8, %8 : tensor<4x2xf32>
    %10 = stablehlo.multiply %6, %9 : tensor<4x2xf32>
    %11 = stablehlo.multiply %arg0, %10 : tensor<4x2xf32>
    %cst_1 = stablehlo.constant dense<0.0> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<4x2xf32>, tensor<f32>) -> tensor<2xf32>
    %13 = stablehlo.dot_general %11, %x, contracting_dims = [0] x [0] : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
    %14 = stablehlo.transpose %13, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %15 = stablehlo.dot_general %11, %w, contracting_dims = [1] x [1] : (tensor<4x2xf32>, tensor<3x2xf32>) -> tensor<4x3xf32>
    return %3, %15, %14, %12 : tensor<4x2xf32>, tensor<4x3xf32>, tensor<3x2xf32>, tensor<2xf32>
  }
}
