module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(7.594925000e+00, 3.444644570e-17), (-2.964811000e+00, -1.850244000e+00), (-6.585600000e-01, 1.247355000e+00)], [(-2.964811000e+00, 1.850244000e+00), (3.442904000e+00, 1.646593972e-17), (9.308050000e-01, 1.372950000e-01)], [(-6.585600000e-01, -1.247355000e+00), (9.308050000e-01, -1.372950000e-01), (6.441531000e+00, -7.053824191e-17)]]> : tensor<3x3xcomplex<f64>>
    %a1 = stablehlo.constant dense<[[(1.845000000e+00, 1.900000000e-01), (-8.200000000e-02, -1.151000000e+00)], [(9.950000000e-01, -1.347000000e+00), (4.400000000e-02, 3.660000000e-01)], [(-2.241000000e+00, -6.490000000e-01), (-5.730000000e-01, -1.696000000e+00)]]> : tensor<3x2xcomplex<f64>>
    %r:2 = call @program(%a0, %a1) : (tensor<3x3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> (tensor<3x2xf64>, tensor<3x2xf64>)
    check.expect_almost_eq_const %r#0, dense<[[4.294725671e-01, -9.557645720e-02], [3.790384526e-01, 2.632958589e-02], [-3.478986595e-01, -8.895400798e-02]]> : tensor<3x2xf64>
    check.expect_almost_eq_const %r#1, dense<[[2.907918374e-02, -8.268487639e-02], [-3.501272105e-01, 1.810349441e-01], [-1.007524453e-01, -2.632914442e-01]]> : tensor<3x2xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x3xcomplex<f64>>, %arg1: tensor<3x2xcomplex<f64>>) -> (tensor<3x2xf64>, tensor<3x2xf64>) {
    %0 = stablehlo.custom_call @lapack_ztrsm_ffi(%arg0, %arg1) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<3x3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
    %1 = stablehlo.real %0 : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
    %2 = stablehlo.imag %0 : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
    return %1, %2 : tensor<3x2xf64>, tensor<3x2xf64>
  }
}
