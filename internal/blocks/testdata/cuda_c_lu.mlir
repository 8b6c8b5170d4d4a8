module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[[(-9.789999723e-01, -5.559999943e-01), (-8.009999990e-01, -1.171000004e+00), (4.300000146e-02, -1.335000038e+00)], [(6.409999728e-01, 5.249999762e-01), (2.048000097e+00, 8.510000110e-01), (-1.969999969e-01, 8.999999613e-03)], [(7.680000067e-01, 3.330000043e-01), (1.550000012e-01, 1.159999967e-01), (1.759999990e+00, 1.389999986e-01)], [(7.419999838e-01, -1.526000023e+00), (1.368999958e+00, -4.580000043e-01), (-1.077999949e+00, 1.110000014e-01)]], [[(-1.920000017e-01, -7.829999924e-01), (-8.140000105e-01, -4.760000110e-01), (1.504999995e+00, -8.190000057e-01)], [(6.579999924e-01, -3.330000043e-01), (-3.050000072e-01, 8.529999852e-01), (-4.519999921e-01, -4.070000052e-01)], [(4.850000143e-01, -1.539999992e-01), (-7.009999752e-01, 8.140000105e-01), (-9.309999943e-01, 6.449999809e-01)], [(4.810000062e-01, 1.695000052e+00), (2.463000059e+00, -2.089999914e+00), (-2.460000068e-01, 8.569999933e-01)]]]> : tensor<2x4x3xcomplex<f32>>
    %r:4 = call @program(%a0) : (tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x3xf32>, tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2x4xi32>)
    check.expect_almost_eq_const %r#0, dense<[[[7.419999838e-01, 1.368999958e+00, -1.077999949e+00], [-1.130604148e-01, 1.985217571e+00, -2.661511600e-01], [2.142855525e-02, -7.074607909e-02, 1.674262881e+00], [4.238551855e-02, -2.875907719e-01, -4.414440691e-01]], [[4.810000062e-01, 2.463000059e+00, -2.460000068e-01], [-7.986668497e-02, 7.504189610e-01, -8.237583637e-01], [-4.572681785e-01, -6.098812222e-01, 1.084243059e+00], [-8.937351406e-03, 7.256743908e-01, -8.952426910e-01]]]> : tensor<2x4x3xf32>
    check.expect_almost_eq_const %r#1, dense<[[[-1.526000023e+00, -4.580000043e-01, 1.110000014e-01], [4.750267267e-01, 1.489067674e-01, 5.336285233e-01], [4.928571284e-01, -2.711906731e-01, 6.334958076e-01], [-6.621559858e-01, -1.018889248e-01, -9.840195775e-01]], [[1.695000052e+00, -2.089999914e+00, 8.569999933e-01], [-4.108648002e-01, 1.698038578e+00, -4.396269917e-01], [-1.648731530e-02, -4.737092257e-01, -1.089519262e+00], [-2.886719108e-01, 3.652583361e-01, 2.085995376e-01]]]> : tensor<2x4x3xf32>
    check.expect_eq_const %r#2, dense<[[3, 1, 2], [3, 1, 3]]> : tensor<2x3xi32>
    check.expect_eq_const %r#3, dense<[[3, 1, 2, 0], [3, 1, 0, 2]]> : tensor<2x4xi32>
    return
  }
  func.func private @program(%arg0: tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x3xf32>, tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2x4xi32>) {
    %0:3 = stablehlo.custom_call @cusolver_getrf_ffi(%arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xi32>, tensor<2xi32>)
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
    %2 = stablehlo.subtract %0#1, %1 : tensor<2x3xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %4 = stablehlo.compare GE, %0#2, %3, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x3xcomplex<f32>>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x3xi1>
    %8 = stablehlo.select %7, %0#0, %6 : tensor<2x4x3xi1>, tensor<2x4x3xcomplex<f32>>
    %9 = stablehlo.custom_call @cu_lu_pivots_to_permutation(%2) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xi32>) -> tensor<2x4xi32>
    %10 = stablehlo.real %8 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
    %11 = stablehlo.imag %8 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
    return %10, %11, %2, %9 : tensor<2x4x3xf32>, tensor<2x4x3xf32>, tensor<2x3xi32>, tensor<2x4xi32>
  }
}
