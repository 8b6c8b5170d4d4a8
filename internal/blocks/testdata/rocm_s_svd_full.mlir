module @jit_svd attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[5.799999833e-01, 9.200000018e-02, 6.700000167e-01, -2.828000069e+00], [1.021000028e+00, -9.599999785e-01, -1.669000030e+00, 2.759999931e-01], [7.009999752e-01, -4.449999928e-01, -1.075999975e+00, 2.600000054e-02]]> : tensor<3x4xf32>
    %r:2 = call @program(%a0) : (tensor<3x4xf32>) -> (tensor<3xf32>, tensor<3x4xf32>)
    check.expect_almost_eq_const %r#0, dense<[3.082571983e+00, 2.437732220e+00, 1.421761513e-01]> : tensor<3xf32>
    check.expect_almost_eq_const %r#1, dense<[[1.586363018e-01, -1.013824344e-01, -1.465278119e-01, -1.657920927e-01], [2.586393654e-01, -2.515486479e-01, -2.790318131e-01, -1.832298934e-01], [2.008034289e-01, -1.059045643e-02, -2.447499186e-01, -1.266490072e-01]]> : tensor<3x4xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x4xf32>) -> (tensor<3xf32>, tensor<3x4xf32>) {
    %0:5 = stablehlo.custom_call @hipsolver_gesvdj_ffi(%arg0) {backend_config = "", mhlo.backend_config = {compute_uv = true, full_matrices = true}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3xf32>, tensor<3x3xf32>, tensor<4x4xf32>, tensor<i32>)
    %1 = stablehlo.transpose %0#3, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %3 = stablehlo.compare EQ, %0#4, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %6 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %7 = stablehlo.select %6, %0#1, %5 : tensor<3xi1>, tensor<3xf32>
    %8 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %11 = stablehlo.select %10, %0#2, %9 : tensor<3x3xi1>, tensor<3x3xf32>
    %12 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<4x4xi1>
    %15 = stablehlo.select %14, %1, %13 : tensor<4x4xi1>, tensor<4x4xf32>
    %16 = stablehlo.sine %7 : tensor<3xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %19 = stablehlo.multiply %11, %18 : tensor<3x3xf32>
    %20 = stablehlo.slice %15 [0:3, 0:4] : (tensor<4x4xf32>) -> tensor<3x4xf32>
    %21 = stablehlo.dot_general %19, %20, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %7, %21 : tensor<3xf32>, tensor<3x4xf32>
  }
}
