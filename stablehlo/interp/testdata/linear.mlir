// Products, convolutions, transforms, solvers and normalisations.

func.func @dot_general_batch_and_order() {
  %x = stablehlo.iota dim = 0 : tensor<12xf32>
  %a = stablehlo.reshape %x : (tensor<12xf32>) -> tensor<2x3x2xf32>
  %b = stablehlo.reshape %x : (tensor<12xf32>) -> tensor<2x2x3xf32>
  // a[b, m, k] · b[k, b, n]: the batch is the second dimension of the right operand
  %r = stablehlo.dot_general %a, %b, batching_dims = [0] x [1], contracting_dims = [2] x [0]
    : (tensor<2x3x2xf32>, tensor<2x2x3xf32>) -> tensor<2x3x3xf32>
  check.expect_eq_const %r, dense<[[[6.0, 7.0, 8.0], [18.0, 23.0, 28.0], [30.0, 39.0, 48.0]],
                                   [[81.0, 94.0, 107.0], [105.0, 122.0, 139.0], [129.0, 150.0, 171.0]]]> : tensor<2x3x3xf32>
  return
}

func.func @dot_general_of_integers_wraps() {
  %a = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
  %r = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<2xi8>, tensor<2xi8>) -> tensor<i32>
  check.expect_eq_const %r, dense<20000> : tensor<i32>
  %w = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<2xi8>, tensor<2xi8>) -> tensor<i8>
  check.expect_eq_const %w, dense<32> : tensor<i8>
  return
}

func.func @dot_general_without_terms() {
  %a = stablehlo.constant dense<> : tensor<2x0xf64>
  %b = stablehlo.constant dense<> : tensor<0x2xf64>
  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x0xf64>, tensor<0x2xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %r, dense<0.0> : tensor<2x2xf64>
  return
}

// The sum is rounded once: in bf16 each step would lose the small terms.
func.func @dot_general_accumulates_wide() {
  %one = stablehlo.constant dense<1.0> : tensor<512xbf16>
  %r = stablehlo.dot_general %one, %one, contracting_dims = [0] x [0] : (tensor<512xbf16>, tensor<512xbf16>) -> tensor<bf16>
  check.expect_eq_const %r, dense<512.0> : tensor<bf16>
  return
}

func.func @dot_general_algorithm_rounds_operands() {
  %a = stablehlo.constant dense<1.00390625> : tensor<1xf32> // 1 + 2^-8, a tie of bf16
  %one = stablehlo.constant dense<1.0> : tensor<1xf32>
  %r = stablehlo.dot_general %a, %one, contracting_dims = [0] x [0],
    algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1,
                 rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
    : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  check.expect_eq_const %r, dense<1.0> : tensor<f32>
  return
}

// Three products: each operand is the sum of two bf16 values.
func.func @dot_general_algorithm_splits_operands() {
  %a = stablehlo.constant dense<1.00390625> : tensor<1xf32>
  %one = stablehlo.constant dense<1.0> : tensor<1xf32>
  %r = stablehlo.dot_general %a, %one, contracting_dims = [0] x [0],
    algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1,
                 rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>
    : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  check.expect_eq_const %r, dense<1.00390625> : tensor<f32>
  return
}

func.func @dot_of_matrix_and_vector() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %v = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
  %r = stablehlo.dot %a, %v : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[17, 39]> : tensor<2xi32>
  return
}

func.func @einsum_contracts_and_permutes() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]]> : tensor<2x3xf32>
  %r = stablehlo.einsum %a, %b, config = "ab,bc->ca" : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %r, dense<[[1.0, 3.0], [2.0, 4.0], [4.0, 10.0]]> : tensor<3x2xf32>
  %d = stablehlo.einsum %a, %a, config = "ab,ab->" : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<f32>
  check.expect_eq_const %d, dense<30.0> : tensor<f32>
  return
}

func.func @unary_einsum_trace_and_transpose() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %t = "stablehlo.unary_einsum"(%a) {einsum_config = "aa->"} : (tensor<2x2xf32>) -> tensor<f32>
  check.expect_eq_const %t, dense<5.0> : tensor<f32>
  %p = "stablehlo.unary_einsum"(%a) {einsum_config = "ab->ba"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %p, dense<[[1.0, 3.0], [2.0, 4.0]]> : tensor<2x2xf32>
  return
}

func.func @convolution_1d_padded_and_dilated() {
  %x = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %k = stablehlo.constant dense<[[[1.0]], [[10.0]]]> : tensor<2x1x1xf32>
  // positions of x: 0 1 0 2 0 3, kernel taps two apart
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {stride = [1], pad = [[1, 0]], lhs_dilate = [2], rhs_dilate = [2]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xf32>, tensor<2x1x1xf32>) -> tensor<1x4x1xf32>
  check.expect_eq_const %r, dense<[[[0.0], [21.0], [0.0], [32.0]]]> : tensor<1x4x1xf32>
  return
}

func.func @convolution_reversed_window() {
  %x = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %k = stablehlo.constant dense<[[[1.0]], [[10.0]]]> : tensor<2x1x1xf32>
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1xf32>
  check.expect_eq_const %r, dense<[[[12.0], [23.0]]]> : tensor<1x2x1xf32>
  return
}

func.func @convolution_groups() {
  %x = stablehlo.constant dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi32>
  %k = stablehlo.constant dense<[[[10, 100]]]> : tensor<1x1x2xi32>
  %f = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x2x2xi32>, tensor<1x1x2xi32>) -> tensor<1x2x2xi32>
  check.expect_eq_const %f, dense<[[[10, 200], [30, 400]]]> : tensor<1x2x2xi32>
  %y = stablehlo.constant dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi32>
  %b = stablehlo.convolution(%y, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
    {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x2x1xi32>, tensor<1x1x2xi32>) -> tensor<1x2x2xi32>
  check.expect_eq_const %b, dense<[[[10, 300], [20, 400]]]> : tensor<1x2x2xi32>
  return
}

// A padding of zeros times infinity is NaN, as the formula says.
func.func @convolution_infinite_kernel() {
  %x = stablehlo.constant dense<[[[1.0]]]> : tensor<1x1x1xf32>
  %k = stablehlo.constant dense<[[[0x7F800000]], [[1.0]]]> : tensor<2x1x1xf32>
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 0]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x1xf32>, tensor<2x1x1xf32>) -> tensor<1x1x1xf32>
  check.expect_eq_const %r, dense<0x7FC00000> : tensor<1x1x1xf32>
  return
}

func.func @cholesky_both_triangles() {
  %a = stablehlo.constant dense<[[4.0, 2.0, 2.0], [2.0, 5.0, 3.0], [2.0, 3.0, 6.0]]> : tensor<3x3xf32>
  %l = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
  check.expect_eq_const %l, dense<[[2.0, 0.0, 0.0], [1.0, 2.0, 0.0], [1.0, 1.0, 2.0]]> : tensor<3x3xf32>
  %u = stablehlo.cholesky %a, lower = false : tensor<3x3xf32>
  check.expect_eq_const %u, dense<[[2.0, 1.0, 1.0], [0.0, 2.0, 1.0], [0.0, 0.0, 2.0]]> : tensor<3x3xf32>
  return
}

func.func @cholesky_hermitian() {
  %a = stablehlo.constant dense<[[(4.0, 0.0), (0.0, -2.0)], [(0.0, 2.0), (5.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %l = stablehlo.cholesky %a, lower = true : tensor<2x2xcomplex<f64>>
  check.expect_eq_const %l, dense<[[(2.0, 0.0), (0.0, 0.0)], [(0.0, 1.0), (2.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  return
}

func.func @triangular_solve_sides() {
  %a = stablehlo.constant dense<[[2.0, 9.0], [4.0, 5.0]]> : tensor<2x2xf64> // the 9 is not read
  %b = stablehlo.constant dense<[[2.0, 4.0], [14.0, 18.0]]> : tensor<2x2xf64>
  %x = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %x, dense<[[1.0, 2.0], [2.0, 2.0]]> : tensor<2x2xf64>
  // x·aᵀ = b with aᵀ = [[2, 4], [0, 5]]
  %c = stablehlo.constant dense<[[2.0, 14.0], [4.0, 18.0]]> : tensor<2x2xf64>
  %y = "stablehlo.triangular_solve"(%a, %c) {left_side = false, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %y, dense<[[1.0, 2.0], [2.0, 2.0]]> : tensor<2x2xf64>
  // x·a = b from the left triangle: [1 2; 2 2]·[[2, 0], [4, 5]]
  %d = stablehlo.constant dense<[[10.0, 10.0], [12.0, 10.0]]> : tensor<2x2xf64>
  %z = "stablehlo.triangular_solve"(%a, %d) {left_side = false, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %z, dense<[[1.0, 2.0], [2.0, 2.0]]> : tensor<2x2xf64>
  return
}

func.func @triangular_solve_adjoint() {
  // aᴴ = [[1, -i], [0, 2]] for a = [[1, 0], [i, 2]]; x = (1, 1)
  %a = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 0.0)], [(0.0, 1.0), (2.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %b = stablehlo.constant dense<[[(1.0, -1.0)], [(2.0, 0.0)]]> : tensor<2x1xcomplex<f32>>
  %x = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x2xcomplex<f32>>, tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  check.expect_eq_const %x, dense<(1.0, 0.0)> : tensor<2x1xcomplex<f32>>
  return
}

func.func @fft_of_an_impulse_and_of_a_constant() {
  %x = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f64>>
  %y = stablehlo.fft %x, type = FFT, length = [4] : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  check.expect_eq_const %y, dense<[(1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 1.0)]> : tensor<4xcomplex<f64>>
  %z = stablehlo.fft %y, type = IFFT, length = [4] : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  check.expect_eq %x, %z : tensor<4xcomplex<f64>>
  return
}

func.func @rfft_odd_and_back() {
  %x = stablehlo.constant dense<[[1.0, 2.0, 4.0], [0.0, 1.0, 0.0]]> : tensor<2x3xf64>
  %y = stablehlo.fft %x, type = RFFT, length = [2, 3] : (tensor<2x3xf64>) -> tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %y, dense<[[(8.0, 0.0), (-2.5, 0.86602540378443864)], [(6.0, 0.0), (-1.5, 2.5980762113533160)]]> : tensor<2x2xcomplex<f64>>
  %z = stablehlo.fft %y, type = IRFFT, length = [2, 3] : (tensor<2x2xcomplex<f64>>) -> tensor<2x3xf64>
  check.expect_almost_eq %z, %x : tensor<2x3xf64>
  return
}

func.func @fft_of_nothing() {
  %x = stablehlo.constant dense<> : tensor<0xf32>
  %y = stablehlo.fft %x, type = RFFT, length = [0] : (tensor<0xf32>) -> tensor<0xcomplex<f32>>
  %e = stablehlo.constant dense<> : tensor<0xcomplex<f32>>
  check.expect_eq %y, %e : tensor<0xcomplex<f32>>
  return
}

func.func @batch_norm() {
  %x = stablehlo.constant dense<[[1.0, 10.0], [3.0, 30.0]]> : tensor<2x2xf64>
  %scale = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xf64>
  %offset = stablehlo.constant dense<[0.5, -0.5]> : tensor<2xf64>
  %y, %mean, %var = "stablehlo.batch_norm_training"(%x, %scale, %offset) {epsilon = 0.0 : f32, feature_index = 1 : i64}
    : (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_eq_const %mean, dense<[2.0, 20.0]> : tensor<2xf64>
  check.expect_eq_const %var, dense<[1.0, 100.0]> : tensor<2xf64>
  check.expect_eq_const %y, dense<[[-1.5, -1.5], [2.5, 0.5]]> : tensor<2x2xf64>
  %i = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %var) {epsilon = 0.0 : f32, feature_index = 1 : i64}
    : (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  check.expect_eq %i, %y : tensor<2x2xf64>
  %g = stablehlo.constant dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf64>
  %gx, %gs, %go = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %var, %g) {epsilon = 0.0 : f32, feature_index = 1 : i64}
    : (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_eq_const %gs, dense<[-1.0, 1.0]> : tensor<2xf64>
  check.expect_eq_const %go, dense<[1.0, 1.0]> : tensor<2xf64>
  // two points lie on a line through their mean: normalisation has no slope left
  check.expect_eq_const %gx, dense<0.0> : tensor<2x2xf64>
  return
}

func.func @ragged_dot_modes() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %w = stablehlo.constant dense<[[[1, 0], [0, 1]], [[10, 0], [0, 10]]]> : tensor<2x2x2xi32>
  %n = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  // the last row is in no group
  %a = "chlo.ragged_dot"(%x, %w, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<3x2xi32>, tensor<2x2x2xi32>, tensor<2xi64>) -> tensor<3x2xi32>
  check.expect_eq_const %a, dense<[[1, 2], [30, 40], [0, 0]]> : tensor<3x2xi32>
  %m = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %b = "chlo.ragged_dot"(%x, %x, %m) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = []>} : (tensor<3x2xi32>, tensor<3x2xi32>, tensor<2xi64>) -> tensor<2x2x2xi32>
  check.expect_eq_const %b, dense<[[[10, 14], [14, 20]], [[25, 30], [30, 36]]]> : tensor<2x2x2xi32>
  return
}
