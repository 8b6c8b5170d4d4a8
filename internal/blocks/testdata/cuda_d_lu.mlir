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
    %0:3 = stablehlo.custom_call @cusolver_getrf_ffi(%arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xi32>, tensor<2xi32>)
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %2 = stablehlo.subtract %0#1, %1 : tensor<2x3xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %4 = stablehlo.compare GE, %0#2, %3, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x4x3xf64>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x3xi1>
    %8 = stablehlo.select %7, %0#0, %6 : tensor<2x4x3xi1>, tensor<2x4x3xf64>
    %9 = stablehlo.custom_call @cu_lu_pivots_to_permutation(%2) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xi32>) -> tensor<2x4xi32>
    return %8, %2, %9 : tensor<2x4x3xf64>, tensor<2x3xi32>, tensor<2x4xi32>
  }
}
