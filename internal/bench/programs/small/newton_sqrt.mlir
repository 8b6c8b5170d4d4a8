module @jit_newton_sqrt attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %cst, %iterArg_1 = %c) : tensor<f32>, tensor<f32>, tensor<i32>
    cond {
      %c_2 = stablehlo.constant dense<10000> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.multiply %iterArg, %iterArg : tensor<f32>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %2 = stablehlo.add %1, %cst_2 : tensor<f32>
      %3 = stablehlo.convert %iterArg_0 : tensor<f32>
      %4 = stablehlo.divide %2, %3 : tensor<f32>
      %5 = stablehlo.convert %iterArg_0 : tensor<f32>
      %6 = stablehlo.add %5, %4 : tensor<f32>
      %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %7 = stablehlo.multiply %cst_3, %6 : tensor<f32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %7, %8 : tensor<f32>, tensor<f32>, tensor<i32>
    }
    return %0#1 : tensor<f32>
  }
}
