module @jit_svd attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[5.799999833e-01, 9.200000018e-02, 6.700000167e-01, -2.828000069e+00], [1.021000028e+00, -9.599999785e-01, -1.669000030e+00, 2.759999931e-01], [7.009999752e-01, -4.449999928e-01, -1.075999975e+00, 2.600000054e-02]]> : tensor<3x4xf32>
    %r:2 = call @program(%a0) : (tensor<3x4xf32>) -> (tensor<3xf32>, tensor<3x4xf32>)
    check.expect_almost_eq_const %r#0, dense<[3.082571983e+00, 2.437732220e+00, 1.421761513e-01]> : tensor<3xf32>
    check.expect_almost_eq_const %r#1, dense<[[1.586363316e-01, -1.013824344e-01, -1.465278119e-01, -1.657921076e-01], [2.586393654e-01, -2.515486479e-01, -2.790318131e-01, -1.832299232e-01], [2.008034587e-01, -1.059045643e-02, -2.447499186e-01, -1.266490221e-01]]> : tensor<3x4xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x4xf32>) -> (tensor<3xf32>, tensor<3x4xf32>) {
    %0:5 = stablehlo.custom_call @hipsolver_gesvdj_ffi(%arg0) {backend_config = "", mhlo.backend_config = {compute_uv = true, full_matrices = true}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3xf32>, tensor<3x3xf32>, tensor<4x4xf32>, tensor<i32>)
    %1 = stablehlo.transpose %0#3, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.slice %0#2 [0:3, 0:3] : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %3 = stablehlo.slice %1 [0:3, 0:4] : (tensor<4x4xf32>) -> tensor<3x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %5 = stablehlo.compare EQ, %0#4, %4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %9 = stablehlo.select %8, %0#1, %7 : tensor<3xi1>, tensor<3xf32>
    %10 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %13 = stablehlo.select %12, %2, %11 : tensor<3x3xi1>, tensor<3x3xf32>
    %14 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x4xi1>
    %17 = stablehlo.select %16, %3, %15 : tensor<3x4xi1>, tensor<3x4xf32>
    %18 = stablehlo.sine %9 : tensor<3xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %21 = stablehlo.multiply %13, %20 : tensor<3x3xf32>
    %22 = stablehlo.dot_general %21, %17, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %9, %22 : tensor<3xf32>, tensor<3x4xf32>
  }
}
