// A dense layer: products transpose to products, broadcasts to sums. The
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
    %cst = stablehlo.constant dense<1.0> : tensor<4x2xf32>
    %9 = stablehlo.subtract %cst, %8 : tensor<4x2xf32>
    %10 = stablehlo.add %cst, %8 : tensor<4x2xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<4x2xf32>
    %12 = stablehlo.multiply %7, %11 : tensor<4x2xf32>
    return %8, %12 : tensor<4x2xf32>, tensor<4x2xf32>
  }
}
// ----- VJP
module {
  func.func @main(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>, %b: tensor<2xf32>, %n: tensor<i32>, %arg0: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x3xf32>, tensor<3x2xf32>, tensor<2xf32>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
    %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>
    %2 = stablehlo.add %0, %1 : tensor<4x2xf32>
    %3 = stablehlo.tanh %2 : tensor<4x2xf32>
    %cst = stablehlo.constant dense<1.0> : tensor<4x2xf32>
    %4 = stablehlo.subtract %cst, %3 : tensor<4x2xf32>
    %5 = stablehlo.add %cst, %3 : tensor<4x2xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<4x2xf32>
    %7 = stablehlo.multiply %arg0, %6 : tensor<4x2xf32>
    %cst_0 = stablehlo.constant dense<0.0> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<4x2xf32>, tensor<f32>) -> tensor<2xf32>
    %9 = stablehlo.dot_general %7, %x, contracting_dims = [0] x [0] : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
    %10 = stablehlo.transpose %9, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %11 = stablehlo.dot_general %7, %w, contracting_dims = [1] x [1] : (tensor<4x2xf32>, tensor<3x2xf32>) -> tensor<4x3xf32>
    return %3, %11, %10, %8 : tensor<4x2xf32>, tensor<4x3xf32>, tensor<3x2xf32>, tensor<2xf32>
  }
}
