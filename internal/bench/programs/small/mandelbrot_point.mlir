module @jit_mandelbrot_point attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f32>) -> (tensor<i32> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg0 : (tensor<f32>) -> tensor<complex<f32>>
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %1 = stablehlo.multiply %cst, %0 : tensor<complex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:2 = stablehlo.while(%iterArg = %1, %iterArg_0 = %c) : tensor<complex<f32>>, tensor<i32>
    cond {
      %c_1 = stablehlo.constant dense<10000> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.abs %iterArg : (tensor<complex<f32>>) -> tensor<f32>
      %cst_2 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %5 = stablehlo.compare LT, %4, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c_3 = stablehlo.constant dense<false> : tensor<i1>
      %6 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i1>) -> tensor<i1>
      %7 = stablehlo.compare NE, %3, %6, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %8 = stablehlo.convert %7 : tensor<i1>
      %9 = stablehlo.and %8, %5 : tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %3 = stablehlo.multiply %iterArg, %iterArg : tensor<complex<f32>>
      %cst_1 = stablehlo.constant dense<(0.000000e+00,1.000000e-01)> : tensor<complex<f32>>
      %4 = stablehlo.add %3, %cst_1 : tensor<complex<f32>>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %iterArg_0, %c_2 : tensor<i32>
      stablehlo.return %4, %5 : tensor<complex<f32>>, tensor<i32>
    }
    return %2#1 : tensor<i32>
  }
}
