package simplify

import (
	"strings"
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

func TestSmallWindows(t *testing.T) {
	golden(t, "testdata/window_elements.txt", func(t *testing.T, name string, f stablehlo.Func) bool {
		if err := SmallWindows(f, true); err != nil {
			t.Error(err)
		}
		return strings.HasPrefix(name, "sums") // they are in another order
	})
}

// TestPlainWindows has the windows that plain Go folds otherwise.
func TestPlainWindows(t *testing.T) {
	m := parse(t, `func.func @main(%x: tensor<6xf32>, %i: tensor<f32>) -> (tensor<2xf32>, tensor<6xf32>, tensor<1xf32>) {
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
	if err := SmallWindows(f, false); err != nil {
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
