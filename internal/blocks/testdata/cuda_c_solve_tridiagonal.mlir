module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(-6.439999938e-01, 1.640000045e-01), (-9.610000253e-01, 6.240000129e-01)], [(-7.099999785e-01, 1.631999969e+00), (-1.190000057e+00, 2.700000107e-01)], [(1.459999979e-01, 1.949999928e-01), (1.031000018e+00, -2.750000060e-01)]]> : tensor<3x2xcomplex<f32>>
    %r:2 = call @program(%a0) : (tensor<3x2xcomplex<f32>>) -> (tensor<3x2xf32>, tensor<3x2xf32>)
    check.expect_almost_eq_const %r#0, dense<[[-2.822631598e+00, -6.343947411e+00], [-2.411579043e-01, -2.177368402e-01], [3.141578913e+00, 7.332368374e+00]]> : tensor<3x2xf32>
    check.expect_almost_eq_const %r#1, dense<[[2.460263014e+00, 2.391315937e+00], [-5.468422174e-02, 2.565789223e-01], [1.521842122e+00, -3.940789461e+00]]> : tensor<3x2xf32>
    return
  }
  func.func private @program(%arg0: tensor<3x2xcomplex<f32>>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
    %cst = stablehlo.constant dense<[(0.000000e+00,0.000000e+00), (5.000000e-01,0.000000e+00), (2.000000e+00,0.000000e+00)]> : tensor<3xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<[(1.000000e-01,0.000000e+00), (1.000000e+00,0.000000e+00), (2.000000e-01,0.000000e+00)]> : tensor<3xcomplex<f32>>
    %cst_1 = stablehlo.constant dense<[(1.500000e+00,0.000000e+00), (3.000000e-01,0.000000e+00), (0.000000e+00,0.000000e+00)]> : tensor<3xcomplex<f32>>
    %0 = stablehlo.custom_call @cusparse_gtsv2_ffi(%cst, %cst_0, %cst_1, %arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 3, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
    %1 = stablehlo.real %0 : (tensor<3x2xcomplex<f32>>) -> tensor<3x2xf32>
    %2 = stablehlo.imag %0 : (tensor<3x2xcomplex<f32>>) -> tensor<3x2xf32>
    return %1, %2 : tensor<3x2xf32>, tensor<3x2xf32>
  }
}
