module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2000xcomplex<f32>>) -> (tensor<2000xcomplex<f32>> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c, %iterArg_1 = %arg0) : tensor<2000xcomplex<f32>>, tensor<i32>, tensor<2000xcomplex<f32>>
    cond {
      %c_2 = stablehlo.constant dense<30> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = func.call @closed_call(%iterArg, %iterArg_1) : (tensor<2000xcomplex<f32>>, tensor<2000xcomplex<f32>>) -> tensor<2000xcomplex<f32>>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg_0, %c_2 : tensor<i32>
      stablehlo.return %iterArg, %2, %1 : tensor<2000xcomplex<f32>>, tensor<i32>, tensor<2000xcomplex<f32>>
    }
    return %0#2 : tensor<2000xcomplex<f32>>
  }
  func.func private @closed_call(%arg0: tensor<2000xcomplex<f32>>, %arg1: tensor<2000xcomplex<f32>>) -> tensor<2000xcomplex<f32>> {
    %0 = stablehlo.multiply %arg1, %arg1 : tensor<2000xcomplex<f32>>
    %cst = stablehlo.constant dense<(5.000000e-01,0.000000e+00)> : tensor<complex<f32>>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<2000xcomplex<f32>>
    %2 = stablehlo.multiply %0, %1 : tensor<2000xcomplex<f32>>
    %3 = stablehlo.add %2, %arg0 : tensor<2000xcomplex<f32>>
    return %3 : tensor<2000xcomplex<f32>>
  }
}
