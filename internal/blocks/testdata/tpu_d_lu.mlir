module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[[-1.639000000e+00, 6.100000000e-02, -9.640000000e-01], [7.570000000e-01, -2.034000000e+00, -9.140000000e-01], [7.100000000e-01, 1.156000000e+00, -2.158000000e+00], [-4.980000000e-01, 3.280000000e-01, -6.090000000e-01]], [[1.591000000e+00, -1.191000000e+00, 3.550000000e-01], [-1.048000000e+00, 1.406000000e+00, -2.200000000e-02], [-3.720000000e-01, -1.718000000e+00, 1.682000000e+00], [7.530000000e-01, 7.540000000e-01, 1.138000000e+00]]]> : tensor<2x4x3xf64>
    %r:3 = call @program(%a0) : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xi32>, tensor<2x4xi32>)
    check.expect_almost_eq_const %r#0, dense<[[[-1.639000000e+00, 6.100000000e-02, -9.640000000e-01], [-4.618669921e-01, -2.005826113e+00, -1.359239780e+00], [-4.331909701e-01, -5.894950919e-01, -3.376861274e+00], [3.038438072e-01, -1.542833278e-01, 1.557074939e-01]], [[1.591000000e+00, -1.191000000e+00, 3.550000000e-01], [-2.338152106e-01, -1.996473916e+00, 1.765004400e+00], [4.732872407e-01, -6.600061705e-01, 2.134896824e+00], [-6.587052168e-01, -3.112898605e-01, 3.565831925e-01]]]> : tensor<2x4x3xf64>
    check.expect_eq_const %r#1, dense<[[0, 1, 2], [0, 2, 3]]> : tensor<2x3xi32>
    check.expect_eq_const %r#2, dense<[[0, 1, 2, 3], [0, 2, 3, 1]]> : tensor<2x4xi32>
    return
  }
  func.func private @program(%arg0: tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xi32>, tensor<2x4xi32>) {
    %0:3 = stablehlo.custom_call @LuDecomposition(%arg0) {api_version = 2 : i32, backend_config = ""} : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xi32>, tensor<2x4xi32>)
    return %0#0, %0#1, %0#2 : tensor<2x4x3xf64>, tensor<2x3xi32>, tensor<2x4xi32>
  }
}
