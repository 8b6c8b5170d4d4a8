package stablehlo

import "testing"

const dotProgram = `
func.func @f(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>, %m: tensor<3x4xf32>, %v: tensor<4xf32>, %q: tensor<3x4x!quant.uniform<i8:f32, 1.0>>, %r: tensor<4x5x!quant.uniform<i8:f32:1, {1.0, 2.0, 3.0, 4.0, 5.0}>>) {
  %dg = "stablehlo.dot_general"(%x, %y) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>,
    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
    algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>
  } : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %dq = "stablehlo.dot_general"(%q, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x4x!quant.uniform<i8:f32, 1.0>>, tensor<4x5x!quant.uniform<i8:f32:1, {1.0, 2.0, 3.0, 4.0, 5.0}>>) -> tensor<3x5x!quant.uniform<i32:f32, 1.0>>
  %d = "stablehlo.dot"(%m, %v) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3xf64>
  %e = "stablehlo.einsum"(%m, %v) {einsum_config = "ij,j->i"} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3xf32>
  %u = "stablehlo.unary_einsum"(%m) {einsum_config = "ij->j"} : (tensor<3x4xf32>) -> tensor<4xf32>
  func.return
}`

func TestDotConstraints(t *testing.T) {
	const result = "-> tensor<3x5x!quant.uniform<i32:f32, 1.0>>"
	testEdits(t, dotProgram, []edit{
		{"dot_general_c1", []string{"rhs_batching_dimensions = [0]", "rhs_batching_dimensions = []"}},
		{"dot_general_c2", []string{"rhs_contracting_dimensions = [1]", "rhs_contracting_dimensions = []"}},
		{"dot_general_c3", []string{"lhs_contracting_dimensions = [2]", "lhs_contracting_dimensions = [0]"}},
		{"dot_general_c4", []string{"rhs_contracting_dimensions = [1]", "rhs_contracting_dimensions = [0]"}},
		{"dot_general_c5", []string{"lhs_batching_dimensions = [0]", "lhs_batching_dimensions = [3]"}},
		{"dot_general_c6", []string{"lhs_contracting_dimensions = [2]", "lhs_contracting_dimensions = [-1]"}},
		{"dot_general_c7", []string{"rhs_batching_dimensions = [0]", "rhs_batching_dimensions = [3]"}},
		{"dot_general_c8", []string{"rhs_contracting_dimensions = [1]", "rhs_contracting_dimensions = [9]"}},
		{"dot_general_c9", []string{"lhs_batching_dimensions = [0]", "lhs_batching_dimensions = [1]"}},
		{"dot_general_c10", []string{"rhs_contracting_dimensions = [1]", "rhs_contracting_dimensions = [2]"}},
		{"dot_general_c11",
			[]string{"#stablehlo<precision DEFAULT>]", "#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]"}},
		{"dot_general_c12", []string{"-> tensor<2x3x5xf32>", "-> tensor<2x3x6xf32>"}},
		{"dot_general_c14", []string{result, "-> tensor<3x5xf32>"}},
		{"dot_general_c15", []string{"%r: tensor<4x5x!quant.uniform<i8:f32:1, {1.0, ",
			"%r: tensor<4x5x!quant.uniform<i8:f32:1, {1.0:7, ", "tensor<4x5x!quant.uniform<i8:f32:1, {1.0, ",
			"tensor<4x5x!quant.uniform<i8:f32:1, {1.0:7, "}},
		{"dot_general_c16", []string{"rhs_contracting_dimensions = [0]>} :", "rhs_contracting_dimensions = [1]>} :",
			"[1]>} : (tensor<3x4x", "[1]>} : (tensor<3x4x", "%q: tensor<3x4x", "%q: tensor<3x5x", "(tensor<3x4x!quant",
			"(tensor<3x5x!quant", result, "-> tensor<3x4x!quant.uniform<i32:f32, 1.0>>"}},
		{"dot_general_c17", []string{"%q: tensor<3x4x!quant.uniform<i8:", "%q: tensor<3x4x!quant.uniform<i16:",
			"(tensor<3x4x!quant.uniform<i8:", "(tensor<3x4x!quant.uniform<i16:"}},
		{"dot_general_c18", []string{result, "-> tensor<3x5x!quant.uniform<i32:f16, 1.0>>"}},
		{"dot_general_c21", []string{"[#stablehlo<precision DEFAULT>", "[#stablehlo<precision HIGH>"}},
		{"dot_general_c22", []string{"lhs_component_count = 1", "lhs_component_count = 0"}},
		{"dot_general_c23", []string{"rhs_component_count = 1", "rhs_component_count = 0"}},
		{"dot_general_c24", []string{"num_primitive_operations = 3", "num_primitive_operations = 0"}},
		{"", []string{"num_primitive_operations = 3", "num_primitive_operations = 4"}},
		{"", []string{"-> tensor<3xf64>", "-> tensor<4xf64>"}},
		{"", []string{`"stablehlo.dot"(%m, %v) : (tensor<3x4xf32>, tensor<4xf32>)`,
			`"stablehlo.dot"(%x, %v) : (tensor<2x3x4xf32>, tensor<4xf32>)`}},
		{"", []string{`"ij,j->i"`, `"ij,i->i"`}},
		{"", []string{`"ij->j"`, `"i->j"`}},
	})
}

const linalgProgram = `
func.func @f(%x: tensor<2x4x4xf32>, %b: tensor<2x4x3xf32>, %c: tensor<2x8xcomplex<f32>>, %r: tensor<2x8xf32>, %v: tensor<4xf32>) {
  %chol = "stablehlo.cholesky"(%x) : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %tri = "stablehlo.triangular_solve"(%x, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x4x4xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %fft = "stablehlo.fft"(%c) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>} : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  %rft = "stablehlo.fft"(%r) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
  %irf = "stablehlo.fft"(%rft) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>} : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
  %tr:3 = "stablehlo.batch_norm_training"(%x, %v, %v) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4x4xf32>, tensor<4xf32>, tensor<4xf32>)
  %inf = "stablehlo.batch_norm_inference"(%x, %v, %v, %v, %v) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x4xf32>
  %gr:3 = "stablehlo.batch_norm_grad"(%x, %v, %v, %v, %x) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<4xf32>, tensor<4xf32>)
  func.return
}`

func TestLinalgConstraints(t *testing.T) {
	testEdits(t, linalgProgram, []edit{
		{"cholesky_c1", []string{"(tensor<2x4x4xf32>) -> tensor<2x4x4xf32>",
			"(tensor<2x4x4xf32>) -> tensor<2x4x4xf64>"}},
		{"cholesky_c2",
			[]string{"(%x) : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>", "(%v) : (tensor<4xf32>) -> tensor<4xf32>"}},
		{"cholesky_c3",
			[]string{"(%x) : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>",
				"(%b) : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>"}},
		{"triangular_solve_c2",
			[]string{"(%x, %b) {left", "(%x, %r) {left", "NO_TRANSPOSE>} : (tensor<2x4x4xf32>, tensor<2x4x3xf32>)",
				"NO_TRANSPOSE>} : (tensor<2x4x4xf32>, tensor<2x8xf32>)"}},
		{"triangular_solve_c3", []string{"left_side = true", "left_side = false"}},
		{"triangular_solve_c4",
			[]string{"tensor<2x4x3xf32>) -> tensor<2x4x3xf32>", "tensor<2x4x3xf32>) -> tensor<2x4x5xf32>"}},
		{"", []string{"transpose NO_TRANSPOSE", "transpose TRANSPOSE_INVALID"}},
		{"fft_c1", []string{"fft_type FFT>, fft_length = array<i64: 8>",
			"fft_type FFT>, fft_length = array<i64: 2, 2, 8>"}},
		{"fft_c2", []string{"fft_type FFT>", "fft_type RFFT>"}},
		{"fft_c3", []string{"fft_type FFT>, fft_length = array<i64: 8>", "fft_type FFT>, fft_length = array<i64>"}},
		{"fft_c4", []string{"fft_type RFFT>, fft_length = array<i64: 8>",
			"fft_type RFFT>, fft_length = array<i64: 7>"}},
		{"fft_c5", []string{"fft_type IRFFT>, fft_length = array<i64: 8>",
			"fft_type IRFFT>, fft_length = array<i64: 7>"}},
		{"fft_c5", []string{"-> tensor<2x8xcomplex<f32>>", "-> tensor<2x9xcomplex<f32>>"}},
		{"batch_norm_training_c1", []string{"feature_index = 2", "feature_index = 3"}},
		{"batch_norm_training_c3", []string{"feature_index = 2", "feature_index = 0"}},
		{"batch_norm_training_c2", []string{"(tensor<2x4x4xf32>, tensor<4xf32>, tensor<4xf32>)\n  %inf",
			"(tensor<2x4x4xf64>, tensor<4xf32>, tensor<4xf32>)\n  %inf"}},
		{"batch_norm_grad_c3", []string{"(%x, %v, %v, %v, %x)", "(%x, %v, %v, %v, %b)",
			"tensor<4xf32>, tensor<2x4x4xf32>) -> (tensor", "tensor<4xf32>, tensor<2x4x3xf32>) -> (tensor"}},
		{"batch_norm_inference_c7", []string{"tensor<4xf32>) -> tensor<2x4x4xf32>",
			"tensor<4xf32>) -> tensor<3x4x4xf32>"}},
	})
}
