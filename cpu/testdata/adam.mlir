func.func @main(%w: tensor<1000x100xf32> {tf.aliasing_output = 0 : i32},
    %m: tensor<1000x100xf32> {tf.aliasing_output = 1 : i32},
    %v: tensor<1000x100xf32> {jax.buffer_donor = true}, %g: tensor<1000x100xf32>)
    -> (tensor<1000x100xf32>, tensor<1000x100xf32>, tensor<1000x100xf32>) {
  %b1 = stablehlo.constant dense<0.9> : tensor<1000x100xf32>
  %c1 = stablehlo.constant dense<0.1> : tensor<1000x100xf32>
  %b2 = stablehlo.constant dense<0.99> : tensor<1000x100xf32>
  %c2 = stablehlo.constant dense<0.01> : tensor<1000x100xf32>
  %0 = stablehlo.multiply %m, %b1 : tensor<1000x100xf32>
  %1 = stablehlo.multiply %g, %c1 : tensor<1000x100xf32>
  %2 = stablehlo.add %0, %1 : tensor<1000x100xf32>
  %3 = stablehlo.multiply %v, %b2 : tensor<1000x100xf32>
  %4 = stablehlo.multiply %g, %g : tensor<1000x100xf32>
  %5 = stablehlo.multiply %4, %c2 : tensor<1000x100xf32>
  %6 = stablehlo.add %3, %5 : tensor<1000x100xf32>
  %7 = stablehlo.sqrt %6 : tensor<1000x100xf32>
  %8 = stablehlo.add %7, %c2 : tensor<1000x100xf32>
  %9 = stablehlo.divide %2, %8 : tensor<1000x100xf32>
  %10 = stablehlo.multiply %9, %c1 : tensor<1000x100xf32>
  %11 = stablehlo.subtract %w, %10 : tensor<1000x100xf32>
  return %11, %2, %6 : tensor<1000x100xf32>, tensor<1000x100xf32>, tensor<1000x100xf32>
}
