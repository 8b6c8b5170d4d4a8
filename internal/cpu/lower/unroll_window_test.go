package lower

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit/rewrites"
	"github.com/go-nx/nx/stablehlo"
)

func TestUnrollWindows(t *testing.T) {
	golden(t, "testdata/unroll_window.txt", func(t *testing.T, name string, f stablehlo.Func) bool {
		if err := UnrollWindows(f, true, func() {}); err != nil {
			t.Error(err)
		}
		return strings.HasPrefix(name, "sums") // they are in another order
	})
}

// TestUnrollPlainWindows has the windows that plain Go reduces differently.
func TestUnrollPlainWindows(t *testing.T) {
	m := rewrites.Parse(t, `func.func @main(%x: tensor<6xf32>, %i: tensor<f32>) -> (tensor<2xf32>, tensor<6xf32>, tensor<1xf32>) {
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = "stablehlo.reduce_window"(%x, %i) <{padding = dense<1> : tensor<1x2xi64>, window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
  %2 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 6>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6xf32>, tensor<f32>) -> tensor<1xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<6xf32>, tensor<1xf32>
}`)
	f, _ := m.Func("main")
	if err := UnrollWindows(f, false, func() {}); err != nil {
		t.Fatal(err)
	}
	left := 0
	for _, op := range f.Body().Ops {
		if op.Code == stablehlo.OpReduceWindow {
			left++
		}
	}
	if left != 2 {
		t.Errorf("%d folds of windows are left, want those of padding and of 6 elements", left)
	}
}

// TestRowScans does not unroll prefix scans of short rows if there are many.
func TestRowScans(t *testing.T) {
	for _, c := range []struct {
		dims, window, padding, op, init string
		left                            bool
	}{
		{"512x3", "1, 3", "[[0, 0], [2, 0]]", "add", "0.0", true},
		{"512x3", "1, 3", "[[0, 0], [0, 2]]", "multiply", "1.0", true},
		{"512x3", "1, 3", "[[0, 0], [2, 0]]", "maximum", "7.0", true},
		{"512x3x1", "1, 3, 1", "[[0, 0], [2, 0], [0, 0]]", "minimum", "7.0", true},
		{"512x3", "1, 3", "[[0, 0], [2, 0]]", "add", "-0.0", false}, // whose padding is not neutral to it
		{"512x3", "1, 3", "[[0, 0], [1, 1]]", "add", "0.0", false},
		{"512x4", "1, 3", "[[0, 0], [2, 0]]", "add", "0.0", false},
		{"3x512", "3, 1", "[[2, 0], [0, 0]]", "add", "0.0", false},
		{"256x3", "1, 3", "[[0, 0], [2, 0]]", "add", "0.0", false},
	} {
		of := func(s string) string { return strings.ReplaceAll(s, "T", "tensor<"+c.dims+"xf32>") }
		m := rewrites.Parse(t, of(`func.func @main(%x: T) -> T {
  %i = stablehlo.constant dense<`+c.init+`> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %i) <{padding = dense<`+c.padding+`> : tensor<`+
			strconv.Itoa(strings.Count(c.window, ",")+1)+`x2xi64>, window_dimensions = array<i64: `+c.window+`>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.`+c.op+` %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (T, tensor<f32>) -> T
  return %0 : T
}`))
		f, _ := m.Func("main")
		if err := UnrollWindows(f, true, func() {}); err != nil {
			t.Fatal(err)
		}
		left := slices.ContainsFunc(f.Body().Ops, func(op *stablehlo.Op) bool {
			return op.Code == stablehlo.OpReduceWindow
		})
		if left != c.left {
			t.Errorf("%+v: left %v", c, left)
		}
	}
}
