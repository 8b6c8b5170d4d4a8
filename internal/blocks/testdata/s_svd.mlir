module @jit_svd attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[5.799999833e-01, 9.200000018e-02, 6.700000167e-01, -2.828000069e+00], [1.021000028e+00, -9.599999785e-01, -1.669000030e+00, 2.759999931e-01], [7.009999752e-01, -4.449999928e-01, -1.075999975e+00, 2.600000054e-02]]> : tensor<3x4xf32>
    %r:2 = call @program(%a0) : (tensor<3x4xf32>) -> (tensor<3xf32>, tensor<3x4xf32>)
    check.expect_almost_eq_const %r#0, dense<[3.082571983e+00, 2.437732220e+00, 1.421761513e-01]> : tensor<3xf32>
    check.expect_almost_eq_const %r#1, dense<[[1.586363316e-01, -1.013824344e-01, -1.465278119e-01, -1.657921076e-01], [2.586393654e-01, -2.515486479e-01, -2.790318131e-01, -1.832299232e-01], [2.008034587e-01, -1.059045643e-02, -2.447499186e-01, -1.266490221e-01]]> : tensor<3x4xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x4xf32>) -> (tensor<3xf32>, tensor<3x4xf32>) {
    %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3xf32>, tensor<3x3xf32>, tensor<3x4xf32>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %6 = stablehlo.select %5, %0#1, %4 : tensor<3xi1>, tensor<3xf32>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
    %10 = stablehlo.select %9, %0#2, %8 : tensor<3x3xi1>, tensor<3x3xf32>
    %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x4xi1>
    %14 = stablehlo.select %13, %0#3, %12 : tensor<3x4xi1>, tensor<3x4xf32>
    %15 = stablehlo.sine %6 : tensor<3xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %18 = stablehlo.multiply %10, %17 : tensor<3x3xf32>
    %19 = stablehlo.dot_general %18, %14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %6, %19 : tensor<3xf32>, tensor<3x4xf32>
  }
}
