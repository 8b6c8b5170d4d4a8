package stablehlo

import (
	"strings"
	"testing"
)

const gatherProgram = `
func.func @f(%x: tensor<2x5x7x3xf32>, %i: tensor<2x6x2xi32>) {
  %r = "stablehlo.gather"(%x, %i) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [2, 3], collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4, 3>
  } : (tensor<2x5x7x3xf32>, tensor<2x6x2xi32>) -> tensor<2x6x4x3xf32>
  func.return
}`

var gatherEdits = []edit{
	{"gather_c1", []string{"offset_dims = [2, 3]", "offset_dims = [2]"}},
	{"gather_c2", []string{"index_vector_dim = 2", "index_vector_dim = 4"}},
	{"gather_c2", []string{"index_vector_dim = 2", "index_vector_dim = -1"}},
	{"gather_c3", []string{"start_index_map = [1, 2]", "start_index_map = [1]"}},
	{"gather_c3", []string{"index_vector_dim = 2", "index_vector_dim = 3"}},
	{"gather_c4", []string{"offset_dims = [2, 3]", "offset_dims = [3, 2]"}},
	{"gather_c4", []string{"offset_dims = [2, 3]", "offset_dims = [2, 2]"}},
	{"gather_c5", []string{"offset_dims = [2, 3]", "offset_dims = [2, 4]"}},
	{"gather_c6", []string{"collapsed_slice_dims = [1]", "collapsed_slice_dims = [0]"}},
	{"gather_c7", []string{"offset_dims = [2, 3]", "offset_dims = [2]", "collapsed_slice_dims = [1]",
		"collapsed_slice_dims = [2, 1]"}},
	{"gather_c8", []string{"collapsed_slice_dims = [1]", "collapsed_slice_dims = [4]"}},
	{"gather_c9", []string{"array<i64: 1, 1, 4, 3>", "array<i64: 1, 2, 4, 3>"}},
	{"gather_c10", []string{"offset_dims = [2, 3]", "offset_dims = [2]", "operand_batching_dims = [0]",
		"operand_batching_dims = [2, 0]"}},
	{"gather_c11", []string{"operand_batching_dims = [0]", "operand_batching_dims = [-1]"}},
	{"gather_c12", []string{"array<i64: 1, 1, 4, 3>", "array<i64: 2, 1, 4, 3>"}},
	{"gather_c13", []string{"start_indices_batching_dims = [0]", "start_indices_batching_dims = [0, 0]"}},
	{"gather_c14", []string{"start_indices_batching_dims = [0]", "start_indices_batching_dims = [3]"}},
	{"gather_c15", []string{"start_indices_batching_dims = [0]", "start_indices_batching_dims = [2]"}},
	{"gather_c16", []string{"start_indices_batching_dims = [0]", "start_indices_batching_dims = [0, 1]"}},
	{"gather_c17", []string{"start_indices_batching_dims = [0]", "start_indices_batching_dims = [1]"}},
	{"gather_c18", []string{"start_index_map = [1, 2]", "start_index_map = [1, 0]"}},
	{"gather_c19", []string{"start_index_map = [1, 2]", "start_index_map = [1, 4]"}},
	{"gather_c20", []string{"array<i64: 1, 1, 4, 3>", "array<i64: 1, 1, 4>"}},
	{"gather_c21", []string{"array<i64: 1, 1, 4, 3>", "array<i64: 1, 1, 8, 3>"}},
	{"gather_c21", []string{"array<i64: 1, 1, 4, 3>", "array<i64: 1, -1, 4, 3>"}},
}

func TestGatherConstraints(t *testing.T) { testEdits(t, gatherProgram, gatherEdits) }

func TestDynamicGatherConstraints(t *testing.T) {
	dynamic := strings.NewReplacer(
		"stablehlo.gather\"(%x, %i)", "stablehlo.dynamic_gather\"(%x, %i, %s)",
		">,\n    slice_sizes = array<i64: 1, 1, 4, 3>", ">",
		"{\n  %r =", "{\n  %s = stablehlo.constant dense<[1, 1, 4, 3]> : tensor<4xi64>\n  %r =",
		"tensor<2x6x2xi32>) -> tensor<2x6x4x3xf32>\n", "tensor<2x6x2xi32>, tensor<4xi64>) -> tensor<2x6x4x3xf32>\n")
	var edits []edit
	for _, e := range gatherEdits {
		if e.want == "gather_c20" {
			continue
		}
		e.want = "dynamic_" + e.want
		e.replace = append([]string(nil), e.replace...)
		for i, s := range e.replace {
			if list, ok := strings.CutPrefix(s, "array<i64: "); ok {
				e.replace[i] = "dense<[" + strings.TrimSuffix(list, ">") + "]>"
			}
		}
		edits = append(edits, e)
	}
	edits = append(edits,
		edit{"dynamic_gather_c20", []string{"dense<[1, 1, 4, 3]> : tensor<4xi64>", "dense<1> : tensor<9xi64>",
			"tensor<4xi64>) ->", "tensor<9xi64>) ->"}})
	testEdits(t, dynamic.Replace(gatherProgram), edits)
}

// Result sizes from indices keep their bounds.
func TestGatherBounds(t *testing.T) {
	const program = `
func.func @f(%x: tensor<5x7xf32>, %i: tensor<?x1xi32, #stablehlo.bounds<9, ?>>) {
  %r = "stablehlo.gather"(%x, %i) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 3>
  } : (tensor<5x7xf32>, tensor<?x1xi32, #stablehlo.bounds<9, ?>>) -> tensor<?x3xf32, #stablehlo.bounds<9, ?>>
  func.return
}`
	if err := verifyText(t, program); err != nil {
		t.Error(err)
	}
	tooLarge := edited(t, program, []string{"-> tensor<?x3xf32, #stablehlo.bounds<9, ?>>", "-> tensor<10x3xf32>"})
	wantConstraint(t, verifyText(t, tooLarge), "gather_c22")
}

const scatterProgram = `
func.func @f(%x: tensor<2x5x7x3xf32>, %i: tensor<2x6x2xi32>, %u: tensor<2x6x4x3xf32>) {
  %r = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2, 3], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>
  } : (tensor<2x5x7x3xf32>, tensor<2x6x2xi32>, tensor<2x6x4x3xf32>) -> tensor<2x5x7x3xf32>
  func.return
}`

func TestScatterConstraints(t *testing.T) {
	update := func(u string) []string {
		return []string{"%u: tensor<2x6x4x3xf32>", "%u: " + u, "tensor<2x6x4x3xf32>) ->", u + ") ->"}
	}
	two := func(x, u string) []string {
		return []string{
			"%u:", "%y: " + x + ", %v: " + u + ", %u:", "(%x, %i, %u)", "(%x, %y, %i, %u, %v)",
			"%r =", "%r:2 =", "%b: tensor<f32>):", "%b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):",
			"return %b : tensor<f32>", "return %a, %b : tensor<f32>, tensor<f32>",
			": (tensor<2x5x7x3xf32>, ", ": (tensor<2x5x7x3xf32>, " + x + ", ",
			"tensor<2x6x4x3xf32>) -> tensor<2x5x7x3xf32>",
			"tensor<2x6x4x3xf32>, " + u + ") -> (tensor<2x5x7x3xf32>, " + x + ")",
		}
	}
	testEdits(t, scatterProgram, []edit{
		{"scatter_c1", two("tensor<2x5x7x4xf32>", "tensor<2x6x4x3xf32>")},
		{"scatter_c2", []string{"inserted_window_dims = [1]", "inserted_window_dims = []"}},
		{"scatter_c3", two("tensor<2x5x7x3xf32>", "tensor<2x6x4x2xf32>")},
		{"scatter_c4", update("tensor<2x6x4xf32>")},
		{"scatter_c4", update("tensor<2x6x8x3xf32>")},
		{"scatter_c4", update("tensor<2x5x4x3xf32>")},
		{"scatter_c6", update("tensor<2x6x4x3xi32>")},
		{"scatter_c7", []string{"update_window_dims = [2, 3]", "update_window_dims = [3, 2]"}},
		{"scatter_c7", []string{"update_window_dims = [2, 3]", "update_window_dims = [3, 3]"}},
		{"scatter_c8", []string{"update_window_dims = [2, 3]", "update_window_dims = [2, 4]"}},
		{"scatter_c9", []string{"inserted_window_dims = [1]", "inserted_window_dims = [0]"}},
		{"scatter_c10", []string{"inserted_window_dims = [1], input_batching_dims = [0]",
			"inserted_window_dims = [1, 0], input_batching_dims = []", "scatter_indices_batching_dims = [0]",
			"scatter_indices_batching_dims = []"}},
		{"scatter_c11", []string{"inserted_window_dims = [1]", "inserted_window_dims = [7]"}},
		{"scatter_c12",
			[]string{"inserted_window_dims = [1], input_batching_dims = [0]",
				"inserted_window_dims = [], input_batching_dims = [1, 0]"}},
		{"scatter_c13", []string{"input_batching_dims = [0]", "input_batching_dims = [5]"}},
		{"scatter_c14", []string{"scatter_indices_batching_dims = [0]", "scatter_indices_batching_dims = [0, 0]"}},
		{"scatter_c15", []string{"scatter_indices_batching_dims = [0]", "scatter_indices_batching_dims = [3]"}},
		{"scatter_c16", []string{"scatter_indices_batching_dims = [0]", "scatter_indices_batching_dims = [2]"}},
		{"scatter_c17", []string{"scatter_indices_batching_dims = [0]", "scatter_indices_batching_dims = []"}},
		{"scatter_c18", []string{"scatter_indices_batching_dims = [0]", "scatter_indices_batching_dims = [1]"}},
		{"scatter_c19", []string{"scatter_dims_to_operand_dims = [1, 2]", "scatter_dims_to_operand_dims = [1]"}},
		{"scatter_c20", []string{"scatter_dims_to_operand_dims = [1, 2]", "scatter_dims_to_operand_dims = [1, 0]"}},
		{"scatter_c21", []string{"scatter_dims_to_operand_dims = [1, 2]", "scatter_dims_to_operand_dims = [1, 4]"}},
		{"scatter_c22", []string{"index_vector_dim = 2", "index_vector_dim = 4"}},
		{"scatter_c23", []string{"%b: tensor<f32>)", "%b: tensor<f32>, %c: tensor<f32>)"}},
		{"scatter_c23", []string{"return %b : tensor<f32>", "return %a, %b : tensor<f32>, tensor<f32>"}},
		{"scatter_c23", []string{"%a: tensor<f32>", "%a: tensor<i32>"}},
	})
}
