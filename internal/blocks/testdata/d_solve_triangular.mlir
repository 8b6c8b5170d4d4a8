module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[2.538421000e+00, -1.246750000e-01, 2.998657000e+00], [-1.246750000e-01, 1.711755000e+00, 1.083790000e-01], [2.998657000e+00, 1.083790000e-01, 7.937217000e+00]]> : tensor<3x3xf64>
    %a1 = stablehlo.constant dense<[[-4.000000000e-03, 1.214000000e+00], [7.570000000e-01, 2.160000000e-01], [-3.170000000e-01, 2.930000000e-01]]> : tensor<3x2xf64>
    %r = call @program(%a0, %a1) : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    check.expect_almost_eq_const %r, dense<[[6.744851154e-02, 4.407252974e-01], [4.447648684e-01, 1.238490447e-01], [-3.993843182e-02, 3.691470197e-02]]> : tensor<3x2xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x3xf64>, %arg1: tensor<3x2xf64>) -> (tensor<3x2xf64>) {
    %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%arg0, %arg1) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    return %0 : tensor<3x2xf64>
  }
}
