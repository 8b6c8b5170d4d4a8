package stablehlo

import (
	"strings"
	"testing"
)

const convProgram = `
func.func @f(%x: tensor<4x9x11x6xf32>, %k: tensor<3x2x6x8xf32>) {
  %r = "stablehlo.convolution"(%x, %k) {
    window_strides = array<i64: 2, 1>,
    padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>,
    lhs_dilation = array<i64: 1, 1>,
    rhs_dilation = array<i64: 1, 1>,
    window_reversal = array<i1: false, true>,
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1],
      output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>,
    feature_group_count = 1 : i64,
    batch_group_count = 1 : i64,
    precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]
  } : (tensor<4x9x11x6xf32>, tensor<3x2x6x8xf32>) -> tensor<4x5x10x8xf32>
  func.return
}`

var convEdits = []edit{
	{"convolution_c1", kernel("tensor<3x2x6xf32>")},
	{"convolution_c2", []string{"window_strides = array<i64: 2, 1>", "window_strides = array<i64: 2>"}},
	{"convolution_c3", []string{"window_strides = array<i64: 2, 1>", "window_strides = array<i64: 2, 0>"}},
	{"convolution_c4", []string{"dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>", "dense<[[1, 1]]> : tensor<1x2xi64>"}},
	{"convolution_c4", []string{"dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>", "dense<1> : tensor<4xi64>"}},
	{"convolution_c5", []string{"lhs_dilation = array<i64: 1, 1>", "lhs_dilation = array<i64: 1, 1, 1>"}},
	{"convolution_c6", []string{"lhs_dilation = array<i64: 1, 1>", "lhs_dilation = array<i64: 1, -1>"}},
	{"convolution_c7", []string{"rhs_dilation = array<i64: 1, 1>", "rhs_dilation = array<i64>"}},
	{"convolution_c8", []string{"rhs_dilation = array<i64: 1, 1>", "rhs_dilation = array<i64: 0, 1>"}},
	{"convolution_c9", []string{"window_reversal = array<i1: false, true>", "window_reversal = array<i1: false>"}},
	{"convolution_c10", []string{"batch_group_count = 1", "batch_group_count = 3"}},
	{"convolution_c11", []string{"feature_group_count = 1", "feature_group_count = 4"}},
	{"convolution_c12", []string{"input_spatial_dimensions = [1, 2]", "input_spatial_dimensions = [1]"}},
	{"convolution_c13", []string{"input_batch_dimension = 0", "input_batch_dimension = 3"}},
	{"convolution_c13", []string{"input_batch_dimension = 0", "input_batch_dimension = 4"}},
	{"convolution_c13", []string{"input_spatial_dimensions = [1, 2]", "input_spatial_dimensions = [1, -1]"}},
	{"convolution_c14", []string{"feature_group_count = 1", "feature_group_count = 2"}},
	{"convolution_c15",
		append([]string{"batch_group_count = 1", "batch_group_count = 4"}, kernel("tensor<3x2x6x7xf32>")...)},
	{"convolution_c16",
		append([]string{"feature_group_count = 1", "feature_group_count = 2"}, kernel("tensor<3x2x3x7xf32>")...)},
	{"convolution_c17", []string{"kernel_spatial_dimensions = [0, 1]", "kernel_spatial_dimensions = [0, 1, 2]"}},
	{"convolution_c18", []string{"kernel_spatial_dimensions = [0, 1]", "kernel_spatial_dimensions = [0, 0]"}},
	{"convolution_c18", []string{"kernel_output_feature_dimension = 3", "kernel_output_feature_dimension = 9"}},
	{"convolution_c19", []string{"output_spatial_dimensions = [1, 2]", "output_spatial_dimensions = []"}},
	{"convolution_c20",
		[]string{"output_feature_dimension = 3, output_spatial", "output_feature_dimension = 0, output_spatial"}},
	{"convolution_c20", []string{"output_spatial_dimensions = [1, 2]", "output_spatial_dimensions = [1, 4]"}},
	{"convolution_c21", []string{"feature_group_count = 1", "feature_group_count = 0"}},
	{"convolution_c22", []string{"batch_group_count = 1", "batch_group_count = -2"}},
	{"convolution_c23", []string{"batch_group_count = 1", "batch_group_count = 2", "feature_group_count = 1",
		"feature_group_count = 2"}},
	{"convolution_c24", []string{"precision HIGH>", "precision HIGH>, #stablehlo<precision HIGHEST>"}},
	{"convolution_c25", []string{"-> tensor<4x5x10x8xf32>\n  f", "-> tensor<4x5x11x8xf32>\n  f"}},
	{"convolution_c25", kernel("tensor<0x2x6x8xf32>")},
	{"convolution_c25", []string{"[1, 1], [0, 0]", "[1, 9223372036854775807], [0, 0]"}},
	{"convolution_c25", []string{"lhs_dilation = array<i64: 1, 1>",
		"lhs_dilation = array<i64: 1, 9223372036854775807>"}},
	{"convolution_c27", kernel("tensor<3x2x6x8xf64>")},
}

// kernel replaces the type of the kernel where it is an argument and where it is used.
func kernel(t string) []string {
	return []string{"%k: tensor<3x2x6x8xf32>", "%k: " + t, ", tensor<3x2x6x8xf32>) ->", ", " + t + ") ->"}
}

func TestConvolutionConstraints(t *testing.T) { testEdits(t, convProgram, convEdits) }

func TestDynamicConvConstraints(t *testing.T) {
	dynamic := strings.NewReplacer(
		"stablehlo.convolution", "stablehlo.dynamic_conv", "(%x, %k)", "(%x, %k, %p)",
		"    padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>,\n", "",
		"{\n  %r =", "{\n  %p = stablehlo.constant dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>\n  %r =",
		"tensor<3x2x6x8xf32>) -> tensor<4x5x10x8xf32>\n", "tensor<3x2x6x8xf32>, tensor<2x2xi64>) -> tensor<4x5x10x8xf32>\n")
	var edits []edit
	for _, e := range convEdits {
		if strings.Contains(e.replace[0], "dense") || strings.Contains(e.replace[0], ", tensor<3x2x6x8xf32>) ->") {
			continue
		}
		e.want = strings.Replace(e.want, "convolution", "dynamic_conv", 1)
		e.replace = append([]string(nil), e.replace...)
		for i, s := range e.replace {
			if strings.HasPrefix(s, ", tensor<") {
				e.replace[i] = strings.Replace(s, ") ->", ", tensor<2x2xi64>) ->", 1)
			}
		}
		edits = append(edits, e)
	}
	edits = append(edits,
		edit{"dynamic_conv_c4", []string{"dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>", "dense<1> : tensor<2x3xi64>",
			"tensor<2x2xi64>) ->", "tensor<2x3xi64>) ->"}})
	testEdits(t, dynamic.Replace(convProgram), edits)
}

const quantConvProgram = `
func.func @f(%x: tensor<1x8x8x4x!quant.uniform<i8:f32, 0.5:3>>, %k: tensor<3x3x4x2x!quant.uniform<i8<-127:127>:f32:3, {0.1, 0.2}>>) {
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x8x8x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x3x4x2x!quant.uniform<i8<-127:127>:f32:3, {0.1, 0.2}>>) -> tensor<1x6x6x2x!quant.uniform<i32:f32:3, {0.05, 0.1}>>
  func.return
}`

func TestQuantizedConvolutionConstraints(t *testing.T) {
	const lhs, rhs = "x!quant.uniform<i8:f32, 0.5:3>>", "2x!quant.uniform<i8<-127:127>:f32:3, {0.1, 0.2}>>"
	const result = "x6x2x!quant.uniform<i32:f32:3, {0.05, 0.1}>>\n  f"
	both := func(old, new string) []string { return []string{old, new, old, new} }
	testEdits(t, quantConvProgram, []edit{
		{"convolution_c28", both(lhs, "xf32>")},
		{"convolution_c29", both("3, {0.1, 0.2}", "2, {0.1, 0.2, 0.3, 0.4}")},
		{"convolution_c30", []string{"-> tensor<1x6x6x2x!quant.uniform<i32:f32:3, {0.05, 0.1}>>\n  f",
			"-> tensor<1x6x6x2x!quant.uniform<i32:f32:0, {0.05}>>\n  f"}},
		{"convolution_c31", both(rhs, "2x!quant.uniform<i4:f32:3, {0.1, 0.2}>>")},
		{"convolution_c32", both(rhs, "2x!quant.uniform<i8:bf16:3, {0.1, 0.2}>>")},
		{"convolution_c33", both(rhs, "2x!quant.uniform<i8:f32, 0.1>>")},
		{"convolution_c34", append(both(lhs, "xbf16>"), result, "x6x2xbf16>\n  f")},
	})
}
