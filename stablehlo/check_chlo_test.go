package stablehlo

import "testing"

const topKProgram = `
func.func @f(%x: tensor<?x8xf32, #stablehlo.bounds<4, ?>>) {
  %v, %i = chlo.top_k(%x, k = 3) : tensor<?x8xf32, #stablehlo.bounds<4, ?>> -> (tensor<?x3xf32, #stablehlo.bounds<4, ?>>, tensor<?x3xi32, #stablehlo.bounds<4, ?>>)
  func.return
}`

func TestTopKConstraints(t *testing.T) {
	testEdits(t, topKProgram, []edit{
		{"", []string{"k = 3", "k = 9"}},
		{"", []string{"k = 3", "k = -1"}},
		{"", []string{"k = 3", "k = 4"}},
		{"", []string{", tensor<?x3xi32, #stablehlo.bounds<4, ?>>)", ", tensor<?x3xi64, #stablehlo.bounds<4, ?>>)"}},
		{"", []string{", tensor<?x3xi32, #stablehlo.bounds<4, ?>>)", ", tensor<5x3xi32>)"}},
	})
}

const scanProgram = `
func.func @f(%x: tensor<6x4xf32>, %c: tensor<4xf32>) {
  %o, %d = chlo.scan(%x) inits (%c) dimension = 0 attributes {scan_dim_size = 6 : i64} {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    %s = stablehlo.add %a, %b : tensor<4xf32>
    stablehlo.return %s, %s : tensor<4xf32>, tensor<4xf32>
  } : (tensor<6x4xf32>, tensor<4xf32>) -> (tensor<6x4xf32>, tensor<4xf32>)
  func.return
}`

func TestScanConstraints(t *testing.T) {
	testEdits(t, scanProgram, []edit{
		{"", []string{"scan_dim_size = 6", "scan_dim_size = 5"}},
		{"", []string{"dimension = 0", "dimension = 2"}},
		{"", []string{"dimension = 0", "dimension = 1"}},
		{"", []string{"%b: tensor<4xf32>):", "%b: tensor<4xf32>, %e: tensor<4xf32>):"}},
		{"", []string{"return %s, %s : tensor<4xf32>, tensor<4xf32>", "return"}},
		{"", []string{"return %s, %s : tensor<4xf32>, tensor<4xf32>", "return %s : tensor<4xf32>"}},
		{"", []string{"-> (tensor<6x4xf32>, tensor<4xf32>)\n", "-> (tensor<7x4xf32>, tensor<4xf32>)\n"}},
	})
}

const constantLikeProgram = `
func.func @f(%x: tensor<?x8xi64>) {
  %r = "chlo.constant_like"(%x) {value = 1.5 : f32} : (tensor<?x8xi64>) -> tensor<?x8xf32>
  func.return
}`

func TestConstantLike(t *testing.T) {
	testEdits(t, constantLikeProgram, []edit{
		{"", []string{"1.5 : f32", "1.5 : f64"}},
		{"", []string{"-> tensor<?x8xf32>\n", "-> tensor<?x9xf32>\n"}},
	})
}

const raggedDotProgram = `
func.func @f(%l: tensor<2x11x5xf32>, %r: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) {
  %0 = "chlo.ragged_dot"(%l, %r, %g) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  func.return
}`

func TestRaggedDot(t *testing.T) {
	groups := func(t string) []string {
		return []string{"%g: tensor<2x3xi64>", "%g: " + t, "tensor<2x3xi64>) ->", t + ") ->"}
	}
	testEdits(t, raggedDotProgram, []edit{
		{"", []string{"lhs_batching_dimensions = [0]", "lhs_batching_dimensions = []"}},
		{"", []string{"lhs_contracting_dimensions = [2]", "lhs_contracting_dimensions = [0]"}},
		{"", []string{"lhs_contracting_dimensions = [2]", "lhs_contracting_dimensions = [3]"}},
		{"", []string{"lhs_contracting_dimensions = [2]", "lhs_contracting_dimensions = [1]"}},
		{"", []string{"lhs_ragged_dimensions = [1]", "lhs_ragged_dimensions = []"}},
		{"", []string{"lhs_ragged_dimensions = [1]", "lhs_ragged_dimensions = [2]"}},
		{"", []string{"lhs_ragged_dimensions = [1]", "lhs_ragged_dimensions = [0]"}},
		{"", []string{"lhs_ragged_dimensions = [1]", "lhs_ragged_dimensions = [3]"}},
		{"", []string{"rhs_group_dimensions = [0]", "rhs_group_dimensions = [1]"}},
		{"", []string{"rhs_group_dimensions = [0]", "rhs_group_dimensions = [3]"}},
		{"", groups("tensor<2x4xi64>")},
		{"", groups("tensor<5x3xi64>")},
		{"", groups("tensor<2x1x3xi64>")},
		{"", []string{"-> tensor<2x11x7xf32>\n", "-> tensor<2x11x8xf32>\n"}},
	})
	valid := map[string][]string{
		"contracting": {"lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]",
			"lhs_ragged_dimensions = [2], rhs_group_dimensions = []",
			"%r: tensor<3x2x5x7xf32>", "%r: tensor<2x5x7xf32>", "tensor<3x2x5x7xf32>,", "tensor<2x5x7xf32>,",
			"rhs_batching_dimensions = [1]", "rhs_batching_dimensions = [0]",
			"rhs_contracting_dimensions = [2]", "rhs_contracting_dimensions = [1]",
			"-> tensor<2x11x7xf32>\n", "-> tensor<3x2x11x7xf32>\n"},
		"one list of sizes": groups("tensor<3xi64>"),
	}
	for name, replace := range valid {
		t.Run(name, func(t *testing.T) {
			if err := verifyText(t, edited(t, raggedDotProgram, replace)); err != nil {
				t.Error(err)
			}
		})
	}
}
