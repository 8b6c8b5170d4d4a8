module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[(5.940000000e-01, -1.837000000e+00), (-1.010000000e-01, 3.660000000e-01), (7.260000000e-01, 1.192000000e+00), (1.286000000e+00, -8.130000000e-01)], [(2.350000000e-01, 1.489000000e+00), (-3.560000000e-01, 5.350000000e-01), (7.190000000e-01, -5.490000000e-01), (1.901000000e+00, 2.040000000e-01)], [(-2.110000000e-01, -1.534000000e+00), (-9.200000000e-02, -5.660000000e-01), (-1.360000000e-01, 1.827000000e+00), (1.223000000e+00, -8.940000000e-01)]]> : tensor<3x4xcomplex<f64>>
    %r:5 = call @program(%a0) : (tensor<3x4xcomplex<f64>>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<4xi32>)
    check.expect_almost_eq_const %r#0, dense<[[-2.049808551e-01, -3.002203669e-01, 6.564969808e-01], [-8.109511945e-02, -8.075833003e-01, 5.997924066e-02], [7.281306470e-02, -4.518652352e-01, -5.746604298e-01]]> : tensor<3x3xf64>
    check.expect_almost_eq_const %r#1, dense<[[6.339222742e-01, -2.587551296e-03, -1.870779236e-01], [-5.138324803e-01, 2.267740887e-01, -1.489462330e-01], [5.293613329e-01, 4.540452471e-02, 4.218962735e-01]]> : tensor<3x3xf64>
    check.expect_almost_eq_const %r#2, dense<[[-2.897831603e+00, -1.422166490e+00, 1.787846469e+00, -2.996292121e-01], [0.000000000e+00, -2.466156480e+00, -7.817879764e-01, 4.540716463e-01], [0.000000000e+00, 0.000000000e+00, 1.227474789e+00, -4.217400907e-01]]> : tensor<3x4xf64>
    check.expect_almost_eq_const %r#3, dense<[[0.000000000e+00, -4.008262588e-01, -8.557536599e-02, -2.298180472e-01], [0.000000000e+00, 0.000000000e+00, -8.950542224e-01, -2.015345476e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 5.645193199e-01]]> : tensor<3x4xf64>
    check.expect_eq_const %r#4, dense<[0, 3, 2, 1]> : tensor<4xi32>
    return
  }
  func.func private @program(%arg0: tensor<3x4xcomplex<f64>>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<4xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1:3 = stablehlo.custom_call @lapack_zgeqp3_ffi(%arg0, %0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>]} : (tensor<3x4xcomplex<f64>>, tensor<4xi32>) -> (tensor<3x4xcomplex<f64>>, tensor<4xi32>, tensor<3xcomplex<f64>>)
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.subtract %1#1, %2 : tensor<4xi32>
    %4 = stablehlo.slice %1#0 [0:3, 0:3] : (tensor<3x4xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %5 = stablehlo.custom_call @lapack_zungqr_ffi(%4, %1#2) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<3x3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
    %6 = stablehlo.iota dim = 0 : tensor<3x4xi64>
    %c_1 = stablehlo.constant dense<-1> : tensor<i64>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<3x4xi64>
    %8 = stablehlo.add %6, %7 : tensor<3x4xi64>
    %9 = stablehlo.iota dim = 1 : tensor<3x4xi64>
    %10 = stablehlo.compare GE, %8, %9, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f64>>) -> tensor<3x4xcomplex<f64>>
    %12 = stablehlo.select %10, %11, %1#0 : tensor<3x4xi1>, tensor<3x4xcomplex<f64>>
    %13 = stablehlo.real %5 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %14 = stablehlo.imag %5 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
    %15 = stablehlo.real %12 : (tensor<3x4xcomplex<f64>>) -> tensor<3x4xf64>
    %16 = stablehlo.imag %12 : (tensor<3x4xcomplex<f64>>) -> tensor<3x4xf64>
    return %13, %14, %15, %16, %3 : tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x4xf64>, tensor<3x4xf64>, tensor<4xi32>
  }
}
