module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[[(-1.198000000e+00, -5.700000000e-02), (1.120000000e+00, 2.296000000e+00), (1.270000000e+00, -1.780000000e-01)], [(-1.951000000e+00, 1.270000000e-01), (1.450000000e-01, 5.140000000e-01), (-1.260000000e-01, -4.000000000e-02)], [(-1.047000000e+00, 2.281000000e+00), (5.320000000e-01, -5.320000000e-01), (-4.620000000e-01, 7.440000000e-01)], [(-1.768000000e+00, 1.600000000e-01), (-2.670000000e-01, 6.210000000e-01), (-1.480000000e-01, -1.177000000e+00)]], [[(1.060000000e-01, 1.768000000e+00), (-1.231000000e+00, -1.220000000e-01), (6.160000000e-01, 3.400000000e-02)], [(7.350000000e-01, -9.350000000e-01), (-1.146000000e+00, -7.300000000e-01), (-6.590000000e-01, 5.640000000e-01)], [(-8.000000000e-02, 9.860000000e-01), (-5.660000000e-01, 7.530000000e-01), (1.744000000e+00, 1.209000000e+00)], [(2.080000000e-01, 7.140000000e-01), (-1.011000000e+00, 2.800000000e-02), (-7.880000000e-01, 8.370000000e-01)]]]> : tensor<2x4x3xcomplex<f64>>
    %r:4 = call @program(%a0) : (tensor<2x4x3xcomplex<f64>>) -> (tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4x3xf64>, tensor<2x4x3xf64>)
    check.expect_almost_eq_const %r#0, dense<[[[-3.123397105e-01, 3.945289744e-01, -2.635504113e-01, 6.045360122e-02], [-5.086600795e-01, -1.241284131e-01, -1.060617195e-01, -7.553049083e-01], [-2.729713497e-01, -2.238729869e-01, -2.250726702e-01, 1.894743735e-01], [-4.609487548e-01, -2.932354768e-01, -7.498009710e-02, 1.134530259e-01]], [[-4.297748836e-02, -3.275779793e-01, -1.229009916e-01, -4.291189169e-01], [-2.980042825e-01, -6.555284762e-01, -3.881611722e-01, 6.431224422e-02], [3.243584027e-02, -1.265121027e-01, -4.914210782e-01, 2.706571001e-01], [-8.433318470e-02, -3.688613376e-01, 5.193767863e-01, 6.397105828e-01]]]> : tensor<2x4x4xf64>
    check.expect_almost_eq_const %r#1, dense<[[[-1.486090442e-02, 8.030143641e-01, -1.046659342e-01, -1.329265332e-01], [3.311113793e-02, -7.832045243e-02, -1.527315349e-01, 3.369942214e-01], [5.946968946e-01, -2.046129886e-01, -4.405557830e-01, -4.463059639e-01], [4.171481944e-02, 4.786272390e-04, 7.966436424e-01, -2.160188611e-01]], [[-7.168320700e-01, -8.229734443e-02, 3.634007805e-01, -1.972731803e-01], [3.790938832e-01, -4.265994468e-01, -1.568528370e-02, 2.693354383e-02], [-3.997717313e-01, 3.489290537e-01, -4.149932756e-01, 4.630381429e-01], [-2.894898744e-01, -1.999151106e-02, -1.358445960e-01, -2.742071290e-01]]]> : tensor<2x4x4xf64>
    check.expect_almost_eq_const %r#2, dense<[[[3.835567364e+00, -7.532989845e-01, 2.564298595e-01], [0.000000000e+00, 2.295682879e+00, 3.709210015e-01], [0.000000000e+00, 0.000000000e+00, -1.446947890e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[-2.466407509e+00, -3.709849231e-02, -2.432570440e-01], [0.000000000e+00, 2.182650476e+00, 4.619529909e-01], [0.000000000e+00, 0.000000000e+00, -1.698135737e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]]]> : tensor<2x4x3xf64>
    check.expect_almost_eq_const %r#3, dense<[[[0.000000000e+00, -1.413009468e+00, 7.193579824e-01], [0.000000000e+00, 0.000000000e+00, -1.010841350e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, -7.220745127e-01, 9.595677079e-01], [0.000000000e+00, 0.000000000e+00, -1.697265235e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]]]> : tensor<2x4x3xf64>
    return
  }
  func.func private @program(%arg0: tensor<2x4x3xcomplex<f64>>) -> (tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4x3xf64>, tensor<2x4x3xf64>) {
    %0:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x4x3xcomplex<f64>>) -> (tensor<2x4x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>)
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %1 = stablehlo.pad %0#0, %cst, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<2x4x3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %2 = stablehlo.custom_call @lapack_zungqr_ffi(%1, %0#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x4x4xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    %3 = stablehlo.iota dim = 0 : tensor<4x3xi64>
    %c = stablehlo.constant dense<-1> : tensor<i64>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<4x3xi64>
    %5 = stablehlo.add %3, %4 : tensor<4x3xi64>
    %6 = stablehlo.iota dim = 1 : tensor<4x3xi64>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1, 2] : (tensor<4x3xi1>) -> tensor<2x4x3xi1>
    %cst_0 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<2x4x3xcomplex<f64>>
    %10 = stablehlo.select %8, %9, %0#0 : tensor<2x4x3xi1>, tensor<2x4x3xcomplex<f64>>
    %11 = stablehlo.real %2 : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xf64>
    %12 = stablehlo.imag %2 : (tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xf64>
    %13 = stablehlo.real %10 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
    %14 = stablehlo.imag %10 : (tensor<2x4x3xcomplex<f64>>) -> tensor<2x4x3xf64>
    return %11, %12, %13, %14 : tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4x3xf64>, tensor<2x4x3xf64>
  }
}
