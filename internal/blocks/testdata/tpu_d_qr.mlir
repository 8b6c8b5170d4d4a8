module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[[-1.639000000e+00, 6.100000000e-02, -9.640000000e-01], [7.570000000e-01, -2.034000000e+00, -9.140000000e-01], [7.100000000e-01, 1.156000000e+00, -2.158000000e+00], [-4.980000000e-01, 3.280000000e-01, -6.090000000e-01]], [[1.591000000e+00, -1.191000000e+00, 3.550000000e-01], [-1.048000000e+00, 1.406000000e+00, -2.200000000e-02], [-3.720000000e-01, -1.718000000e+00, 1.682000000e+00], [7.530000000e-01, 7.540000000e-01, 1.138000000e+00]]]> : tensor<2x4x3xf64>
    %r:2 = call @program(%a0) : (tensor<2x4x3xf64>) -> (tensor<2x4x4xf64>, tensor<2x4x3xf64>)
    check.expect_almost_eq_const %r#0, dense<[[[-8.183271548e-01, -1.472236789e-01, -4.541948979e-01, -3.199575766e-01], [3.779583015e-01, -7.996622213e-01, -4.629018237e-01, 5.839311380e-02], [3.544919340e-01, 5.752572674e-01, -7.226669987e-01, -1.454886730e-01], [-2.486436382e-01, 8.913246586e-02, -2.391261283e-01, 9.343716816e-01]], [[-7.641466803e-01, 1.646010292e-01, 4.754209651e-02, -6.218730587e-01], [5.033474048e-01, -3.656479246e-01, -2.676209938e-01, -7.357458726e-01], [1.786691170e-01, 7.878316246e-01, -5.867509784e-01, -5.587456717e-02], [-3.616608739e-01, -4.674713122e-01, -7.627857118e-01, 2.623546121e-01]]]> : tensor<2x4x4xf64>
    check.expect_almost_eq_const %r#1, dense<[[[2.002866446e+00, -4.904475793e-01, -1.701561283e-01], [0.000000000e+00, 2.311765164e+00, -4.228719580e-01], [0.000000000e+00, 0.000000000e+00, 2.566079344e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[-2.082060998e+00, 1.038159306e+00, -3.933943341e-01], [0.000000000e+00, -2.416108908e+00, 8.596280591e-01], [0.000000000e+00, 0.000000000e+00, -1.832200180e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]]]> : tensor<2x4x3xf64>
    return
  }
  func.func private @program(%arg0: tensor<2x4x3xf64>) -> (tensor<2x4x4xf64>, tensor<2x4x3xf64>) {
    %0:2 = stablehlo.custom_call @Qr(%arg0) {backend_config = ""} : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xf64>)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1 = stablehlo.pad %0#0, %cst, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<2x4x3xf64>, tensor<f64>) -> tensor<2x4x4xf64>
    %2 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%1, %0#1) {backend_config = ""} : (tensor<2x4x4xf64>, tensor<2x3xf64>) -> tensor<2x4x4xf64>
    %3 = stablehlo.iota dim = 0 : tensor<4x3xi64>
    %c = stablehlo.constant dense<-1> : tensor<i64>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<4x3xi64>
    %5 = stablehlo.add %3, %4 : tensor<4x3xi64>
    %6 = stablehlo.iota dim = 1 : tensor<4x3xi64>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1, 2] : (tensor<4x3xi1>) -> tensor<2x4x3xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x4x3xf64>
    %10 = stablehlo.select %8, %9, %0#0 : tensor<2x4x3xi1>, tensor<2x4x3xf64>
    return %2, %10 : tensor<2x4x4xf64>, tensor<2x4x3xf64>
  }
}
