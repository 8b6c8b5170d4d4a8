module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() {
    %a0 = stablehlo.constant dense<[[[3.322999954e+00, 2.259999961e-01, -3.529999852e-01], [-2.809999883e-01, -6.679999828e-01, -1.054999948e+00], [-3.910000026e-01, 4.819999933e-01, -2.389999926e-01], [9.580000043e-01, -2.000000030e-01, 2.400000021e-02]], [[1.546000004e+00, 5.450000167e-01, -5.049999952e-01], [-1.829999983e-01, 5.410000086e-01, 1.934999943e+00], [-2.700000107e-01, -2.440000027e-01, 1.001999974e+00], [-8.859999776e-01, -2.919999957e-01, 8.830000162e-01]]]> : tensor<2x4x3xf32>
    %r:2 = call @program(%a0) : (tensor<2x4x3xf32>) -> (tensor<2x4x4xf32>, tensor<2x4x3xf32>)
    check.expect_almost_eq_const %r#0, dense<[[[-9.516866207e-01, 8.548590541e-02, -2.153935730e-01, -2.014698237e-01], [8.047665656e-02, -7.595031857e-01, -6.453869343e-01, -1.242459752e-02], [1.119799837e-01, 5.795658827e-01, -6.765561104e-01, 4.402678013e-01], [-2.743652761e-01, -2.827554941e-01, 2.816970050e-01, 8.748827577e-01]], [[-8.534405231e-01, -6.714896113e-02, -3.098973930e-01, 4.136351347e-01], [1.010217294e-01, -9.656357765e-01, -2.135603428e-01, -1.083253473e-01], [1.490484625e-01, 2.510086298e-01, -8.993431926e-01, -3.255167007e-01], [4.890997112e-01, 5.786374211e-03, -2.225701660e-01, 8.433329463e-01]]]> : tensor<2x4x4xf32>
    check.expect_almost_eq_const %r#1, dense<[[[-3.491695404e+00, -1.599921435e-01, 2.176945210e-01], [0.000000000e+00, 8.625696301e-01, 6.257969141e-01], [0.000000000e+00, 0.000000000e+00, 9.253747463e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[-1.811491370e+00, -5.896573663e-01, 1.207686186e+00], [0.000000000e+00, -6.219407916e-01, -1.577975035e+00], [0.000000000e+00, 0.000000000e+00, -1.354412436e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]]]> : tensor<2x4x3xf32>
    return
  }
  func.func private @program(%arg0: tensor<2x4x3xf32>) -> (tensor<2x4x4xf32>, tensor<2x4x3xf32>) {
    %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.pad %0#0, %cst, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<2x4x3xf32>, tensor<f32>) -> tensor<2x4x4xf32>
    %2 = stablehlo.custom_call @lapack_sorgqr_ffi(%1, %0#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x4x4xf32>, tensor<2x3xf32>) -> tensor<2x4x4xf32>
    %3 = stablehlo.iota dim = 0 : tensor<4x3xi64>
    %c = stablehlo.constant dense<-1> : tensor<i64>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<4x3xi64>
    %5 = stablehlo.add %3, %4 : tensor<4x3xi64>
    %6 = stablehlo.iota dim = 1 : tensor<4x3xi64>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1, 2] : (tensor<4x3xi1>) -> tensor<2x4x3xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x3xf32>
    %10 = stablehlo.select %8, %9, %0#0 : tensor<2x4x3xi1>, tensor<2x4x3xf32>
    return %2, %10 : tensor<2x4x4xf32>, tensor<2x4x3xf32>
  }
}
