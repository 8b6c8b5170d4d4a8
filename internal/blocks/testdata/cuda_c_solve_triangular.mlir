module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(8.875183105e+00, 6.272554742e-08), (-1.778523922e+00, -2.150556087e+00), (8.619468808e-01, -6.995079517e+00)], [(-1.778523922e+00, 2.150556087e+00), (7.173937321e+00, 1.261520310e-08), (3.382060051e+00, -1.525989056e+00)], [(8.619468808e-01, 6.995079517e+00), (3.382060051e+00, 1.525989056e+00), (1.401209450e+01, -5.702781891e-08)]]> : tensor<3x3xcomplex<f32>>
    %a1 = stablehlo.constant dense<[[(-6.439999938e-01, 1.640000045e-01), (-9.610000253e-01, 6.240000129e-01)], [(-7.099999785e-01, 1.631999969e+00), (-1.190000057e+00, 2.700000107e-01)], [(1.459999979e-01, 1.949999928e-01), (1.031000018e+00, -2.750000060e-01)]]> : tensor<3x2xcomplex<f32>>
    %r:2 = call @program(%a0, %a1) : (tensor<3x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> (tensor<3x2xf32>, tensor<3x2xf32>)
    check.expect_almost_eq_const %r#0, dense<[[-1.600233465e-01, -1.544665843e-01], [-1.068417579e-01, -1.963915527e-01], [1.041957084e-02, 7.357929647e-02]]> : tensor<3x2xf32>
    check.expect_almost_eq_const %r#1, dense<[[4.416711628e-02, 9.515152127e-02], [2.231457382e-01, 6.253988296e-02], [1.391654927e-02, -1.962590404e-02]]> : tensor<3x2xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x3xcomplex<f32>>, %arg1: tensor<3x2xcomplex<f32>>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
    %1 = stablehlo.real %0 : (tensor<3x2xcomplex<f32>>) -> tensor<3x2xf32>
    %2 = stablehlo.imag %0 : (tensor<3x2xcomplex<f32>>) -> tensor<3x2xf32>
    return %1, %2 : tensor<3x2xf32>, tensor<3x2xf32>
  }
}
