module {
func.func public @main(%x: tensor<256x1000xf64>, %d: tensor<256xf64>) -> tensor<256x1000xf64> {
  %c = stablehlo.constant dense<3.0> : tensor<256xf64>
  %e = stablehlo.add %d, %c : tensor<256xf64>
  %b = stablehlo.broadcast_in_dim %e, dims = [0] : (tensor<256xf64>) -> tensor<256x1000xf64>
  %0 = stablehlo.divide %x, %b : tensor<256x1000xf64>
  return %0 : tensor<256x1000xf64>
}
}
