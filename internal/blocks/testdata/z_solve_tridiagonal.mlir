module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(1.845000000e+00, 1.900000000e-01), (-8.200000000e-02, -1.151000000e+00)], [(9.950000000e-01, -1.347000000e+00), (4.400000000e-02, 3.660000000e-01)], [(-2.241000000e+00, -6.490000000e-01), (-5.730000000e-01, -1.696000000e+00)]]> : tensor<3x2xcomplex<f64>>
    %r:2 = call @program(%a0) : (tensor<3x2xcomplex<f64>>) -> (tensor<3x2xf64>, tensor<3x2xf64>)
    check.expect_almost_eq_const %r#0, dense<[[1.076289474e+01, 1.253947368e+00], [5.124736842e-01, -1.382631579e-01], [-1.632973684e+01, -1.482368421e+00]]> : tensor<3x2xf64>
    check.expect_almost_eq_const %r#1, dense<[[-1.897368421e-01, 2.171578947e+00], [1.393157895e-01, -9.121052632e-01], [-4.638157895e+00, 6.410526316e-01]]> : tensor<3x2xf64>
    return
  }
  func.func private @program(%arg0: tensor<3x2xcomplex<f64>>) -> (tensor<3x2xf64>, tensor<3x2xf64>) {
    %cst = stablehlo.constant dense<[(0.000000e+00,0.000000e+00), (5.000000e-01,0.000000e+00), (2.000000e+00,0.000000e+00)]> : tensor<3xcomplex<f64>>
    %cst_0 = stablehlo.constant dense<[(1.000000e-01,0.000000e+00), (1.000000e+00,0.000000e+00), (2.000000e-01,0.000000e+00)]> : tensor<3xcomplex<f64>>
    %cst_1 = stablehlo.constant dense<[(1.500000e+00,0.000000e+00), (3.000000e-01,0.000000e+00), (0.000000e+00,0.000000e+00)]> : tensor<3xcomplex<f64>>
    %0:5 = stablehlo.custom_call @lapack_zgtsv_ffi(%cst, %cst_0, %cst_1, %arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [2], operand_index = 2, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [3], operand_index = 3, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3x2xcomplex<f64>>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_2 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<complex<f64>>) -> tensor<3x2xcomplex<f64>>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x2xi1>
    %6 = stablehlo.select %5, %0#3, %4 : tensor<3x2xi1>, tensor<3x2xcomplex<f64>>
    %7 = stablehlo.real %6 : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
    %8 = stablehlo.imag %6 : (tensor<3x2xcomplex<f64>>) -> tensor<3x2xf64>
    return %7, %8 : tensor<3x2xf64>, tensor<3x2xf64>
  }
}
