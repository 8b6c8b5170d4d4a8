module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[[(-9.789999723e-01, -5.559999943e-01), (-8.009999990e-01, -1.171000004e+00), (4.300000146e-02, -1.335000038e+00)], [(6.409999728e-01, 5.249999762e-01), (2.048000097e+00, 8.510000110e-01), (-1.969999969e-01, 8.999999613e-03)], [(7.680000067e-01, 3.330000043e-01), (1.550000012e-01, 1.159999967e-01), (1.759999990e+00, 1.389999986e-01)], [(7.419999838e-01, -1.526000023e+00), (1.368999958e+00, -4.580000043e-01), (-1.077999949e+00, 1.110000014e-01)]], [[(-1.920000017e-01, -7.829999924e-01), (-8.140000105e-01, -4.760000110e-01), (1.504999995e+00, -8.190000057e-01)], [(6.579999924e-01, -3.330000043e-01), (-3.050000072e-01, 8.529999852e-01), (-4.519999921e-01, -4.070000052e-01)], [(4.850000143e-01, -1.539999992e-01), (-7.009999752e-01, 8.140000105e-01), (-9.309999943e-01, 6.449999809e-01)], [(4.810000062e-01, 1.695000052e+00), (2.463000059e+00, -2.089999914e+00), (-2.460000068e-01, 8.569999933e-01)]]]> : tensor<2x4x3xcomplex<f32>>
    %r:4 = call @program(%a0) : (tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x3xf32>, tensor<2x4x3xf32>)
    check.expect_almost_eq_const %r#0, dense<[[[-4.161612988e-01, 5.252870172e-02, -5.241416767e-02, 3.409629464e-01], [2.724815011e-01, -8.538153768e-01, -2.465902269e-02, 1.617767215e-01], [3.264676929e-01, 2.231375575e-01, -5.773444772e-01, 6.372842789e-01], [3.154154122e-01, -7.759322971e-02, 3.187695444e-01, 4.104257226e-01]], [[-8.994042873e-02, 3.041747957e-02, 3.550531268e-01, 6.005982757e-01], [3.082336783e-01, -1.853436083e-01, 7.446364313e-02, -2.165980265e-02], [2.271935195e-01, 9.545919299e-02, -2.134514898e-01, 5.838244557e-01], [2.253197730e-01, -3.642399907e-01, -2.495166659e-02, 1.955859065e-01]]]> : tensor<2x4x4xf32>
    check.expect_almost_eq_const %r#1, dense<[[[-2.363490313e-01, 1.635798067e-01, 6.145945787e-01, 4.946735203e-01], [2.231712639e-01, -7.439313829e-02, 3.304815292e-01, -7.358981669e-02], [1.415543556e-01, 2.388250381e-01, -1.156408340e-01, -1.171435192e-01], [-6.486845613e-01, -3.508543670e-01, -2.477632016e-01, 1.383908838e-01]], [[-3.667886853e-01, 4.685919285e-01, -3.238191903e-01, -2.126812637e-01], [-1.559905708e-01, -5.514350533e-01, -7.288979292e-01, 7.014277577e-02], [-7.213979959e-02, -5.035472512e-01, 3.930824995e-01, -3.736045361e-01], [7.940061092e-01, 2.138237953e-01, -1.776046753e-01, -2.645261288e-01]]]> : tensor<2x4x4xf32>
    check.expect_almost_eq_const %r#2, dense<[[[2.352452993e+00, 2.153995037e+00, 4.281981289e-01], [0.000000000e+00, -1.928793907e+00, 4.220311940e-01], [0.000000000e+00, 0.000000000e+00, -2.218241215e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[2.134744167e+00, -1.301762819e+00, 4.561934471e-01], [0.000000000e+00, -2.482472897e+00, -1.705995202e-01], [0.000000000e+00, 0.000000000e+00, 1.368759155e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]]]> : tensor<2x4x3xf32>
    check.expect_almost_eq_const %r#3, dense<[[[0.000000000e+00, 8.323545456e-01, -2.558720112e-01], [0.000000000e+00, 0.000000000e+00, -8.756492138e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, -2.332597971e+00, 8.975216150e-01], [0.000000000e+00, 0.000000000e+00, -1.570740938e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]]]> : tensor<2x4x3xf32>
    return
  }
  func.func private @program(%arg0: tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x3xf32>, tensor<2x4x3xf32>) {
    %0:2 = stablehlo.custom_call @lapack_cgeqrf_ffi(%arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>)
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %1 = stablehlo.pad %0#0, %cst, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<2x4x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %2 = stablehlo.custom_call @lapack_cungqr_ffi(%1, %0#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x4x4xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>>
    %3 = stablehlo.iota dim = 0 : tensor<4x3xi64>
    %c = stablehlo.constant dense<-1> : tensor<i64>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<4x3xi64>
    %5 = stablehlo.add %3, %4 : tensor<4x3xi64>
    %6 = stablehlo.iota dim = 1 : tensor<4x3xi64>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1, 2] : (tensor<4x3xi1>) -> tensor<2x4x3xi1>
    %cst_0 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<2x4x3xcomplex<f32>>
    %10 = stablehlo.select %8, %9, %0#0 : tensor<2x4x3xi1>, tensor<2x4x3xcomplex<f32>>
    %11 = stablehlo.real %2 : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x4xf32>
    %12 = stablehlo.imag %2 : (tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x4xf32>
    %13 = stablehlo.real %10 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
    %14 = stablehlo.imag %10 : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x4x3xf32>
    return %11, %12, %13, %14 : tensor<2x4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x3xf32>, tensor<2x4x3xf32>
  }
}
