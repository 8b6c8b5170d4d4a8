func.func @main(%x: tensor<32x28x28x64xf32>, %s: tensor<64xf32>, %o: tensor<64xf32>, %m: tensor<64xf32>, %v: tensor<64xf32>) -> tensor<32x28x28x64xf32> {
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) <{epsilon = 0.001 : f32, feature_index = 3 : i64}> : (tensor<32x28x28x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<32x28x28x64xf32>
  return %0 : tensor<32x28x28x64xf32>
}
