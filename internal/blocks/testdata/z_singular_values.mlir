module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(5.940000000e-01, -1.837000000e+00), (-1.010000000e-01, 3.660000000e-01), (7.260000000e-01, 1.192000000e+00), (1.286000000e+00, -8.130000000e-01)], [(2.350000000e-01, 1.489000000e+00), (-3.560000000e-01, 5.350000000e-01), (7.190000000e-01, -5.490000000e-01), (1.901000000e+00, 2.040000000e-01)], [(-2.110000000e-01, -1.534000000e+00), (-9.200000000e-02, -5.660000000e-01), (-1.360000000e-01, 1.827000000e+00), (1.223000000e+00, -8.940000000e-01)]]> : tensor<3x4xcomplex<f64>>
    %r = call @program(%a0) : (tensor<3x4xcomplex<f64>>) -> tensor<3xf64>
    check.expect_almost_eq_const %r, dense<[3.958756771e+00, 2.638977216e+00, 1.017489107e+00]> : tensor<3xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x4xcomplex<f64>>) -> (tensor<3xf64>) {
    %0:5 = stablehlo.custom_call @lapack_zgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 78 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x4xcomplex<f64>>) -> (tensor<3x4xcomplex<f64>>, tensor<3xf64>, tensor<3x3xcomplex<f64>>, tensor<4x4xcomplex<f64>>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
    %6 = stablehlo.select %5, %0#1, %4 : tensor<3xi1>, tensor<3xf64>
    return %6 : tensor<3xf64>
  }
}
