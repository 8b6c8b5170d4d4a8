func.func @main(%x: tensor<32x28x28x64xf32>, %s: tensor<64xf32>, %o: tensor<64xf32>) -> (tensor<32x28x28x64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 0.001 : f32, feature_index = 3 : i64}> : (tensor<32x28x28x64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x28x28x64xf32>, tensor<64xf32>, tensor<64xf32>)
  return %0#0, %0#1, %0#2 : tensor<32x28x28x64xf32>, tensor<64xf32>, tensor<64xf32>
}
