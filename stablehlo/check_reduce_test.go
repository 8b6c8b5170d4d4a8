package stablehlo

import (
	"strings"
	"testing"
)

const reduceProgram = `
func.func @f(%x: tensor<4x5xf32>, %y: tensor<4x5xi32>, %a: tensor<f32>, %b: tensor<i32>) {
  %r:2 = "stablehlo.reduce"(%x, %y, %a, %b) ({
  ^bb0(%p: tensor<f32>, %q: tensor<i32>, %u: tensor<f32>, %v: tensor<i32>):
    stablehlo.return %p, %q : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<4x5xf32>, tensor<4x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
  func.return
}`

func TestReduceConstraints(t *testing.T) {
	init := func(t string) []string {
		return []string{"%a: tensor<f32>", "%a: " + t, "i32>, tensor<f32>, tensor<i32>) ->",
			"i32>, " + t + ", tensor<i32>) ->"}
	}
	testEdits(t, reduceProgram, []edit{
		{"reduce_c1", []string{"%y: tensor<4x5xi32>", "%y: tensor<4x6xi32>", "tensor<4x5xi32>, tensor<f",
			"tensor<4x6xi32>, tensor<f"}},
		{"reduce_c2", init("tensor<i32>")},
		{"reduce_c3",
			[]string{"(%x, %y, %a, %b)", "()", "(tensor<4x5xf32>, tensor<4x5xi32>, tensor<f32>, tensor<i32>) ->", "() ->"}},
		{"reduce_c4", []string{"array<i64: 1>", "array<i64: 2>"}},
		{"reduce_c4", []string{"array<i64: 1>", "array<i64: -1>"}},
		{"reduce_c5", []string{"array<i64: 1>", "array<i64: 1, 1>"}},
		{"reduce_c6", init("tensor<4xf32>")},
		{"reduce_c6", []string{", %v: tensor<i32>)", ")"}},
		{"reduce_c6", []string{"return %p, %q : tensor<f32>, tensor<i32>", "return %p : tensor<f32>"}},
		{"reduce_c6", []string{"return %p, %q : tensor<f32>, tensor<i32>", "return %q, %p : tensor<i32>, tensor<f32>"}},
		{"reduce_c6", []string{"%v: tensor<i32>", "%v: tensor<i64>"}},
		{"reduce_c7", []string{"-> (tensor<4xf32>, tensor<4xi32>)\n", "-> (tensor<5xf32>, tensor<4xi32>)\n"}},
	})
}

const reduceWindowProgram = `
func.func @f(%x: tensor<6x9xf32>, %a: tensor<f32>) {
  %r = "stablehlo.reduce_window"(%x, %a) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    stablehlo.return %q : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>,
    base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 2>,
    padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>
  } : (tensor<6x9xf32>, tensor<f32>) -> tensor<3x4xf32>
  func.return
}`

func TestReduceWindowConstraints(t *testing.T) {
	testEdits(t, reduceWindowProgram, []edit{
		{"reduce_window_c1", []string{"(%x, %a)", "()", "(tensor<6x9xf32>, tensor<f32>) ->", "() ->"}},
		{"reduce_window_c3", []string{"%a: tensor<f32>", "%a: tensor<i32>", "tensor<f32>) ->", "tensor<i32>) ->"}},
		{"reduce_window_c4", []string{"array<i64: 2, 3>", "array<i64: 2>"}},
		{"reduce_window_c5", []string{"array<i64: 2, 3>", "array<i64: 2, 0>"}},
		{"reduce_window_c5", []string{"array<i64: 2, 3>", "array<i64: -1, 3>"}},
		{"reduce_window_c6", []string{"array<i64: 2, 2>", "array<i64: 2>"}},
		{"reduce_window_c7", []string{"array<i64: 2, 2>", "array<i64: 0, 2>"}},
		{"reduce_window_c8", []string{"base_dilations = array<i64: 1, 1>", "base_dilations = array<i64: 1, 1, 1>"}},
		{"reduce_window_c9", []string{"base_dilations = array<i64: 1, 1>", "base_dilations = array<i64: 1, -1>"}},
		{"reduce_window_c10", []string{"array<i64: 1, 2>", "array<i64>"}},
		{"reduce_window_c11", []string{"array<i64: 1, 2>", "array<i64: 1, 0>"}},
		{"reduce_window_c12", []string{"dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>", "dense<0> : tensor<2xi64>"}},
		{"reduce_window_c12", []string{"dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>",
			"dense<0> : tensor<99999999999x2xi64>"}},
		{"reduce_window_c13", []string{"%q: tensor<f32>)", "%q: tensor<f32>, %s: tensor<f32>)"}},
		{"reduce_window_c15", []string{"[[0, 0], [1, 1]]", "[[0, 9223372036854775807], [1, 1]]"}},
		{"reduce_window_c15", []string{"-> tensor<3x4xf32>\n", "-> tensor<3x5xf32>\n"}},
	})
}

const selectAndScatterProgram = `
func.func @f(%x: tensor<6x9xf32>, %s: tensor<3x4xf32>, %a: tensor<f32>) {
  %r = "stablehlo.select_and_scatter"(%x, %s, %a) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %ge = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %ge : tensor<i1>
  }, {
  ^bb0(%p1: tensor<f32>, %q1: tensor<f32>):
    stablehlo.return %q1 : tensor<f32>
  }) {
    window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 2>,
    padding = dense<[[0, 0], [0, 1]]> : tensor<2x2xi64>
  } : (tensor<6x9xf32>, tensor<3x4xf32>, tensor<f32>) -> tensor<6x9xf32>
  func.return
}`

func TestSelectAndScatterConstraints(t *testing.T) {
	source := func(t string) []string {
		return []string{"%s: tensor<3x4xf32>", "%s: " + t, ", tensor<3x4xf32>, tensor<f32>)",
			", " + t + ", tensor<f32>)"}
	}
	testEdits(t, selectAndScatterProgram, []edit{
		{"select_and_scatter_c2", source("tensor<3x5xf32>")},
		{"select_and_scatter_c3",
			[]string{"%a: tensor<f32>", "%a: tensor<i32>", "tensor<f32>) -> tensor<6", "tensor<i32>) -> tensor<6"}},
		{"select_and_scatter_c4", []string{"array<i64: 2, 3>", "array<i64: 2, 3, 1>"}},
		{"select_and_scatter_c5", []string{"array<i64: 2, 3>", "array<i64: -2, 3>"}},
		{"select_and_scatter_c6", []string{"array<i64: 2, 2>", "array<i64: 2>"}},
		{"select_and_scatter_c7", []string{"array<i64: 2, 2>", "array<i64: 2, 0>"}},
		{"select_and_scatter_c8", []string{"dense<[[0, 0], [0, 1]]> : tensor<2x2xi64>", "dense<0> : tensor<2x3xi64>"}},
		{"select_and_scatter_c9", []string{"return %ge : tensor<i1>", "return %p : tensor<f32>"}},
		{"select_and_scatter_c9", []string{"return %ge : tensor<i1>", "return %ge, %ge : tensor<i1>, tensor<i1>"}},
		{"select_and_scatter_c9", []string{"%q: tensor<f32>)", "%q: tensor<f32>, %z: tensor<f32>)"}},
		{"select_and_scatter_c10", source("tensor<3x4xi32>")},
		{"select_and_scatter_c10", []string{"return %q1 : tensor<f32>", "return"}},
		{"select_and_scatter_c11", []string{"tensor<f32>) -> tensor<6x9xf32>\n", "tensor<f32>) -> tensor<6x8xf32>\n"}},
	})
}

const sortProgram = `
func.func @f(%x: tensor<4x5xf32>, %y: tensor<4x5xi32>) {
  %r:2 = "stablehlo.sort"(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<4x5xf32>, tensor<4x5xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>)
  func.return
}`

func TestSortConstraints(t *testing.T) {
	testEdits(t, sortProgram, []edit{
		{"sort_c1", []string{"(%x, %y)", "()", "(tensor<4x5xf32>, tensor<4x5xi32>) ->", "() ->"}},
		{"sort_c2",
			[]string{"i32>) -> (tensor<4x5xf32>, tensor<4x5xi32>)\n", "i32>) -> (tensor<4x5xf32>, tensor<4x5xi64>)\n"}},
		{"sort_c3", []string{"%y: tensor<4x5xi32>", "%y: tensor<4x6xi32>", "(tensor<4x5xf32>, tensor<4x5xi32>) ->",
			"(tensor<4x5xf32>, tensor<4x6xi32>) ->"}},
		{"sort_c4", []string{"dimension = 1", "dimension = 2"}},
		{"sort_c4", []string{"dimension = 1", "dimension = -3"}},
		{"sort_c5", []string{", %d: tensor<i32>)", ")"}},
		{"sort_c5", []string{"%d: tensor<i32>", "%d: tensor<i64>"}},
		{"sort_c5", []string{"%d: tensor<i32>", "%d: tensor<1xi32>"}},
		{"sort_c5", []string{"return %lt : tensor<i1>", "return %a : tensor<f32>"}},
		{"sort_c5", []string{"return %lt : tensor<i1>", "return"}},
	})
}

// A region may sum in wider elements, which the results then have.
const promotingReductionProgram = `
func.func @f(%x: tensor<4x5xi8>, %a: tensor<i8>) {
  %r = "stablehlo.reduce"(%x, %a) ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    stablehlo.return %p : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<4x5xi8>, tensor<i8>) -> tensor<4xi32>
  func.return
}`

func TestPromotingReduction(t *testing.T) {
	if err := verifyText(t, promotingReductionProgram); err != nil {
		t.Error(err)
	}
	narrow := strings.NewReplacer("i8", "i32", "i32", "i8").Replace(promotingReductionProgram)
	wantConstraint(t, verifyText(t, narrow), "reduce_c2")
}

func TestPositions(t *testing.T) {
	for _, test := range []struct {
		name string
		w    slidingDim
		base int64
		want int64
		ok   bool
	}{
		{"plain", slidingDim{size: 3, stride: 1, baseDilation: 1, dilation: 1}, 5, 3, true},
		{"strided", slidingDim{size: 2, stride: 2, baseDilation: 1, dilation: 1}, 5, 2, true},
		{"padded", slidingDim{size: 3, stride: 1, low: 1, high: 2, baseDilation: 1, dilation: 1}, 5, 6, true},
		{"dilated window", slidingDim{size: 3, stride: 1, baseDilation: 1, dilation: 2}, 5, 1, true},
		{"dilated base", slidingDim{size: 1, stride: 1, baseDilation: 3, dilation: 1}, 5, 13, true},
		{"negative padding", slidingDim{size: 1, stride: 1, low: -7, baseDilation: 1, dilation: 1}, 5, 0, true},
		{"empty base", slidingDim{size: 1, stride: 1, baseDilation: 9, dilation: 1}, 0, 0, true},
		{"window too large", slidingDim{size: 6, stride: 1, baseDilation: 1, dilation: 1}, 5, 0, true},
		{"dynamic base", slidingDim{size: 6, stride: 1, baseDilation: 1, dilation: 1}, Dynamic, Dynamic, true},
		{"dynamic window", slidingDim{size: Dynamic, stride: 1, baseDilation: 1, dilation: 1}, 4, Dynamic, true},
		{"huge dilation", slidingDim{size: 2, stride: 1, baseDilation: 1, dilation: 1 << 62}, 5, 0, false},
		{"huge padding", slidingDim{size: 2, stride: 1, low: -1 << 63, baseDilation: 1, dilation: 1}, 5, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := test.w.positions(test.base)
			if got != test.want || ok != test.ok {
				t.Errorf("got %d, %t, want %d, %t", got, ok, test.want, test.ok)
			}
		})
	}
}
