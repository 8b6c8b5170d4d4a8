package autodiff_test

import (
	"fmt"
	"testing"
)

func TestProducts(t *testing.T) {
	conv := func(x, k, y, attrs string) string {
		return fmt.Sprintf(`
func.func @main(%%x: tensor<%[1]sxf64>, %%k: tensor<%[2]sxf64>) -> tensor<%[3]sxf64> {
  %%0 = "stablehlo.convolution"(%%x, %%k) <{%[4]s}> : (tensor<%[1]sxf64>, tensor<%[2]sxf64>) -> tensor<%[3]sxf64>
  return %%0 : tensor<%[3]sxf64>
}`, x, k, y, attrs)
	}
	const dims = "dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>"
	const other = "dimension_numbers = #stablehlo.conv<[1, f, 0, b]x[o, 1, i, 0]->[f, 0, b, 1]>"
	for _, c := range []gradCase{
		{name: "dot", text: `
func.func @main(%x: tensor<2x3xf64>, %y: tensor<3xf64>) -> tensor<2xf64> {
  %0 = "stablehlo.dot"(%x, %y) : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}`},
		{name: "dot_general", text: `
func.func @main(%x: tensor<3x2x4x5xf64>, %y: tensor<5x6x4x3xf64>) -> tensor<3x2x6xf64> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [3], contracting_dims = [3, 2] x [0, 2], precision = [HIGH, DEFAULT] : (tensor<3x2x4x5xf64>, tensor<5x6x4x3xf64>) -> tensor<3x2x6xf64>
  return %0 : tensor<3x2x6xf64>
}`},
		{name: "dot_general of complex numbers with itself", text: `
func.func @main(%x: tensor<2x3xcomplex<f64>>) -> tensor<2x2xcomplex<f64>> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  return %0 : tensor<2x2xcomplex<f64>>
}`},
		{name: "einsum", text: `
func.func @main(%x: tensor<2x3x4xf64>, %y: tensor<4x3x5xf64>) -> tensor<5x3x2xf64> {
  %0 = "stablehlo.einsum"(%x, %y) {einsum_config = "abc,cbd->dba"} : (tensor<2x3x4xf64>, tensor<4x3x5xf64>) -> tensor<5x3x2xf64>
  return %0 : tensor<5x3x2xf64>
}`},
		{name: "einsum with dots, a diagonal and sums", text: `
func.func @main(%x: tensor<2x3x3x4xf64>, %y: tensor<1x4x5x2xf64>) -> tensor<2x4x5xf64> {
  %0 = "stablehlo.einsum"(%x, %y) {einsum_config = "...aac,...cbd->...cb"} : (tensor<2x3x3x4xf64>, tensor<1x4x5x2xf64>) -> tensor<2x4x5xf64>
  return %0 : tensor<2x4x5xf64>
}`},
		{name: "unary_einsum", text: `
func.func @main(%x: tensor<2x3x2xf64>) -> tensor<3x2xf64> {
  %1 = stablehlo.sine %x : tensor<2x3x2xf64>
  %0 = "stablehlo.unary_einsum"(%1) {einsum_config = "aba->ba"} : (tensor<2x3x2xf64>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}`},
		{name: "convolution",
			text: conv("2x5x6x3", "3x2x3x4", "2x3x5x4",
				dims+", feature_group_count = 1 : i64, batch_group_count = 1 : i64")},
		{name: "convolution with everything",
			text: conv("2x5x6x3", "3x2x3x4", "2x5x2x4", dims+`, feature_group_count = 1 : i64, batch_group_count = 1 : i64,
      window_strides = array<i64: 2, 3>, padding = dense<[[2, 3], [-1, 1]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 2, 1>, rhs_dilation = array<i64: 2, 1>, window_reversal = array<i1: true, false>`)},
		{name: "convolution with other dimensions",
			text: conv("6x3x5x2", "4x2x3x3", "4x3x2x5",
				other+", feature_group_count = 1 : i64, batch_group_count = 1 : i64")},
		{name: "convolution of groups of features",
			text: conv("2x5x6x4", "3x2x2x6", "2x3x5x6",
				dims+", feature_group_count = 2 : i64, batch_group_count = 1 : i64")},
		{name: "convolution of groups of the batch",
			text: conv("4x5x6x3", "3x2x3x4", "2x3x5x4",
				dims+", feature_group_count = 1 : i64, batch_group_count = 2 : i64")},
		{name: "convolution of groups with other dimensions",
			text: conv("6x4x5x2", "6x2x2x3", "6x3x2x5",
				other+", feature_group_count = 2 : i64, batch_group_count = 1 : i64")},
		{name: "dynamic_conv", text: `
func.func @main(%x: tensor<1x4x4x1xf64>, %k: tensor<3x3x1x1xf64>) -> tensor<1x4x4x1xf64> {
  %p = stablehlo.constant dense<1> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{` + dims + `, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x4x4x1xf64>, tensor<3x3x1x1xf64>, tensor<2x2xi64>) -> tensor<1x4x4x1xf64>
  return %0 : tensor<1x4x4x1xf64>
}`},
		{name: "ragged_dot of rows", text: `
func.func @main(%x: tensor<6x3xf64>, %y: tensor<3x3x4xf64>) -> tensor<6x4xf64> {
  %g = stablehlo.constant dense<[2, 3, 0]> : tensor<3xi32>
  %0 = "chlo.ragged_dot"(%x, %y, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGH>]} : (tensor<6x3xf64>, tensor<3x3x4xf64>, tensor<3xi32>) -> tensor<6x4xf64>
  return %0 : tensor<6x4xf64>
}`},
		{name: "ragged_dot of terms", text: `
func.func @main(%x: tensor<2x6xf64>, %y: tensor<6x4xf64>) -> tensor<3x2x4xf64> {
  %g = stablehlo.constant dense<[2, 3, 1]> : tensor<3xi32>
  %0 = "chlo.ragged_dot"(%x, %y, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGH>]} : (tensor<2x6xf64>, tensor<6x4xf64>, tensor<3xi32>) -> tensor<3x2x4xf64>
  return %0 : tensor<3x2x4xf64>
}`},
	} {
		t.Run(c.name, func(t *testing.T) { checkGrad(t, c) })
	}
}

func TestFft(t *testing.T) {
	for _, c := range []struct{ kind, length, from, to string }{
		{"FFT", "5", "2x5xcomplex<f64>", "2x5xcomplex<f64>"},
		{"IFFT", "3, 4", "3x4xcomplex<f64>", "3x4xcomplex<f64>"},
		{"RFFT", "4", "2x4xf64", "2x3xcomplex<f64>"},
		{"RFFT", "3, 5", "3x5xf64", "3x3xcomplex<f64>"},
		{"IRFFT", "4", "2x3xcomplex<f64>", "2x4xf64"},
		{"IRFFT", "3, 5", "3x3xcomplex<f64>", "3x5xf64"},
		{"IRFFT", "2, 6", "2x4xcomplex<f64>", "2x6xf64"},
	} {
		t.Run(c.kind+" "+c.length, func(t *testing.T) {
			checkGrad(t, gradCase{text: fmt.Sprintf(`
func.func @main(%%x: tensor<%[3]s>) -> tensor<%[4]s> {
  %%0 = stablehlo.multiply %%x, %%x : tensor<%[3]s>
  %%1 = stablehlo.fft %%0, type = %[1]s, length = [%[2]s] : (tensor<%[3]s>) -> tensor<%[4]s>
  return %%1 : tensor<%[4]s>
}`, c.kind, c.length, c.from, c.to)})
		})
	}
}

func TestSolvers(t *testing.T) {
	for _, elem := range []string{"f64", "complex<f64>"} {
		for _, lower := range []bool{true, false} {
			t.Run(fmt.Sprintf("cholesky lower=%v %s", lower, elem), func(t *testing.T) {
				// x·xᴴ + 3·I, of which the op reads a triangle.
				checkGrad(t, gradCase{text: fmt.Sprintf(`
func.func @main(%%x: tensor<2x3x3x%[1]s>) -> tensor<2x3x3x%[1]s> {
  %%h = "chlo.conj"(%%x) : (tensor<2x3x3x%[1]s>) -> tensor<2x3x3x%[1]s>
  %%0 = stablehlo.dot_general %%x, %%h, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x3x%[1]s>, tensor<2x3x3x%[1]s>) -> tensor<2x3x3x%[1]s>
  %%i = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %%j = stablehlo.iota dim = 2 : tensor<2x3x3xi32>
  %%p = stablehlo.compare EQ, %%i, %%j : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %%b = stablehlo.convert %%p : (tensor<2x3x3xi1>) -> tensor<2x3x3xf64>
  %%s = stablehlo.add %%b, %%b : tensor<2x3x3xf64>
  %%d = stablehlo.convert %%s : (tensor<2x3x3xf64>) -> tensor<2x3x3x%[1]s>
  %%1 = stablehlo.add %%0, %%d : tensor<2x3x3x%[1]s>
  %%2 = stablehlo.cholesky %%1, lower = %[2]v : tensor<2x3x3x%[1]s>
  return %%2 : tensor<2x3x3x%[1]s>
}`, elem, lower)})
			})
			for _, left := range []bool{true, false} {
				for _, unit := range []bool{true, false} {
					for _, op := range []string{"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"} {
						t.Run(fmt.Sprintf("triangular_solve %s lower=%v left=%v unit=%v %s", elem, lower,
							left, unit, op),
							func(t *testing.T) {
								b := "2x3x4x"
								if !left {
									b = "2x4x3x"
								}
								checkGrad(t, gradCase{lo: 0.6, hi: 1.4, text: fmt.Sprintf(`
func.func @main(%%a: tensor<2x3x3x%[1]s>, %%b: tensor<%[2]s%[1]s>) -> tensor<%[2]s%[1]s> {
  %%0 = "stablehlo.triangular_solve"(%%a, %%b) <{left_side = %[3]v, lower = %[4]v, unit_diagonal = %[5]v, transpose_a = #stablehlo<transpose %[6]s>}> : (tensor<2x3x3x%[1]s>, tensor<%[2]s%[1]s>) -> tensor<%[2]s%[1]s>
  return %%0 : tensor<%[2]s%[1]s>
}`, elem, b, left, lower, unit, op)})
							})
					}
				}
			}
		}
	}
}

func TestBatchNorm(t *testing.T) {
	for _, c := range []gradCase{
		{name: "inference", text: `
func.func @main(%x: tensor<4x3x2xf64>, %s: tensor<3xf64>, %o: tensor<3xf64>, %m: tensor<3xf64>, %v: tensor<3xf64>) -> tensor<4x3x2xf64> {
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) <{epsilon = 0.5 : f32, feature_index = 1 : i64}> : (tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> tensor<4x3x2xf64>
  return %0 : tensor<4x3x2xf64>
}`},
		{name: "training", text: `
func.func @main(%x: tensor<4x3x2xf64>, %s: tensor<3xf64>, %o: tensor<3xf64>) -> (tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 0.5 : f32, feature_index = 1 : i64}> : (tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>)
  return %0#0, %0#1, %0#2 : tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>
}`},
		{name: "grad", text: `
func.func @main(%x: tensor<4x3x2xf64>, %s: tensor<3xf64>, %m: tensor<3xf64>, %v: tensor<3xf64>, %g: tensor<4x3x2xf64>) -> (tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>) {
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %v, %g) <{epsilon = 0.5 : f32, feature_index = 1 : i64}> : (tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<4x3x2xf64>) -> (tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>)
  return %0#0, %0#1, %0#2 : tensor<4x3x2xf64>, tensor<3xf64>, tensor<3xf64>
}`},
	} {
		t.Run(c.name, func(t *testing.T) { checkGrad(t, c) })
	}
}
