package cpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

// TestWindowsInLoops: loops that read and update parts of arrays too large for the registers of scalar code,
// at indices inside and out of bounds, compute the interpreter's results.
func TestWindowsInLoops(t *testing.T) {
	t.Setenv("NX_CHECK", "1")
	scatter := func(window, element, index, body string) string {
		return fmt.Sprintf(`%%u = "stablehlo.scatter"(%%a, %%at, %%part) <{scatter_dimension_numbers = #stablehlo.scatter<%s>}> ({
      ^bb0(%%p: tensor<%[2]s>, %%q: tensor<%[2]s>):
        %[4]s
        stablehlo.return %%r : tensor<%[2]s>
      }) : (tensor<ARRAY>, tensor<%[3]s>, tensor<PART>) -> tensor<ARRAY>`, window, element, index, body)
	}
	const element, row = "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]",
		"update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]"
	for _, c := range []struct{ name, array, part, index, body string }{
		{"an element, i64", "200xf64", "1xf64",
			"i64", `%r = stablehlo.dynamic_slice %a, %i, sizes = [1] : (tensor<ARRAY>, tensor<i64>) -> tensor<PART>
      %s = stablehlo.add %r, %part : tensor<PART>
      %u = stablehlo.dynamic_update_slice %a, %s, %j : (tensor<ARRAY>, tensor<PART>, tensor<i64>) -> tensor<ARRAY>`},
		{"an element, ui8", "200xf64", "1xf64", "ui8",
			`%u = stablehlo.dynamic_update_slice %a, %part, %j : (tensor<ARRAY>, tensor<PART>, tensor<ui8>) -> tensor<ARRAY>`},
		{"an element, ui32", "200xf32", "1xf32", "ui32",
			`%r = stablehlo.dynamic_slice %a, %i, sizes = [1] : (tensor<ARRAY>, tensor<ui32>) -> tensor<PART>
      %s = stablehlo.add %r, %part : tensor<PART>
      %u = stablehlo.dynamic_update_slice %a, %s, %j : (tensor<ARRAY>, tensor<PART>, tensor<ui32>) -> tensor<ARRAY>`},
		{"a cell, ui64", "20x30xf32", "1x1xf32", "ui64",
			`%r = stablehlo.dynamic_slice %a, %j, %i, sizes = [1, 1] : (tensor<ARRAY>, tensor<ui64>, tensor<ui64>) -> tensor<PART>
      %s = stablehlo.add %r, %part : tensor<PART>
      %u = stablehlo.dynamic_update_slice %a, %s, %i, %j : (tensor<ARRAY>, tensor<PART>, tensor<ui64>, tensor<ui64>) -> tensor<ARRAY>`},
		{"an element, i16", "200xf32", "1xf32", "i16",
			`%r = stablehlo.dynamic_slice %a, %i, sizes = [1] : (tensor<ARRAY>, tensor<i16>) -> tensor<PART>
      %s = stablehlo.add %r, %part : tensor<PART>
      %u = stablehlo.dynamic_update_slice %a, %s, %j : (tensor<ARRAY>, tensor<PART>, tensor<i16>) -> tensor<ARRAY>`},
		{"a scattered element, ui16", "200xf32", "f32", "ui16",
			scatter(element, "f32", "1xui16", "%r = stablehlo.convert %q : tensor<f32>")},
		{"an added element, ui64", "200xf32", "f32", "ui64",
			scatter(element, "f32", "1xui64", "%r = stablehlo.add %p, %q : tensor<f32>")},
		{"a run", "200xf32", "70xf32",
			"i32", `%r = stablehlo.dynamic_slice %a, %j, sizes = [70] : (tensor<ARRAY>, tensor<i32>) -> tensor<PART>
      %s = stablehlo.add %r, %part : tensor<PART>
      %u = stablehlo.dynamic_update_slice %a, %s, %i : (tensor<ARRAY>, tensor<PART>, tensor<i32>) -> tensor<ARRAY>`},
		{"overlapping runs", "200xi16", "9xi16",
			"i32", `%r = stablehlo.dynamic_slice %a, %j, sizes = [9] : (tensor<ARRAY>, tensor<i32>) -> tensor<PART>
      %u = stablehlo.dynamic_update_slice %a, %r, %i : (tensor<ARRAY>, tensor<PART>, tensor<i32>) -> tensor<ARRAY>`},
		{"a row", "20x30xi8", "1x30xi8",
			"i32", `%r = stablehlo.dynamic_slice %a, %i, %j, sizes = [1, 30] : (tensor<ARRAY>, tensor<i32>, tensor<i32>) -> tensor<PART>
      %s = stablehlo.add %r, %part : tensor<PART>
      %u = stablehlo.dynamic_update_slice %a, %s, %j, %i : (tensor<ARRAY>, tensor<PART>, tensor<i32>, tensor<i32>) -> tensor<ARRAY>`},
		{"a column", "20x30xi8", "20x1xi8", "i32",
			`%u = stablehlo.dynamic_update_slice %a, %part, %j, %i : (tensor<ARRAY>, tensor<PART>, tensor<i32>, tensor<i32>) -> tensor<ARRAY>`},
		{"a cell of a matrix", "20x30xcomplex<f64>", "1x1xcomplex<f64>",
			"i32", `%r = stablehlo.dynamic_slice %a, %j, %i, sizes = [1, 1] : (tensor<ARRAY>, tensor<i32>, tensor<i32>) -> tensor<PART>
      %s = stablehlo.multiply %r, %part : tensor<PART>
      %u = stablehlo.dynamic_update_slice %a, %s, %i, %j : (tensor<ARRAY>, tensor<PART>, tensor<i32>, tensor<i32>) -> tensor<ARRAY>`},
		{"nothing", "200xf32", "0xf32", "i32",
			`%u = stablehlo.dynamic_update_slice %a, %part, %j : (tensor<ARRAY>, tensor<PART>, tensor<i32>) -> tensor<ARRAY>`},
		{"a scattered element", "200xf32", "f32", "i32",
			scatter(element, "f32", "1xi32", "%r = stablehlo.convert %q : tensor<f32>")},
		{"an added element", "200xf16", "f16", "i64",
			scatter(element, "f16", "1xi64", "%r = stablehlo.add %p, %q : tensor<f16>")},
		{"an element by a body of its own", "200xi32", "i32", "i32",
			scatter(element, "i32", "1xi32", "%r = stablehlo.subtract %q, %p : tensor<i32>")},
		{"a scattered row", "20x30xf32", "30xf32", "i32",
			scatter(row, "f32", "1xi32", "%r = stablehlo.maximum %p, %q : tensor<f32>")},
		{"a row that may stick out", "20x30xf32", "2x30xf32", "i32",
			scatter("update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]", "f32", "1xi32",
				"%r = stablehlo.add %p, %q : tensor<f32>")},
		{"no room", "0xf32", "f32", "i32", scatter(element, "f32", "1xi32", "%r = stablehlo.convert %q : tensor<f32>")},
		{"tiles and an element", "200xf32", "f32", "i32",
			scatter(element, "f32", "1xi32", "%r = stablehlo.add %p, %q : tensor<f32>") + `
      %w = stablehlo.add %u, %u : tensor<ARRAY>
      %w2 = stablehlo.dynamic_slice %w, %i, sizes = [1] : (tensor<ARRAY>, tensor<i32>) -> tensor<1xf32>
      %w3 = stablehlo.dynamic_update_slice %w, %w2, %j : (tensor<ARRAY>, tensor<1xf32>, tensor<i32>) -> tensor<ARRAY>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			result := "%u"
			if strings.Contains(c.body, "%w3") {
				result = "%w3"
			}
			text := strings.NewReplacer("ARRAY", c.array, "PART", c.part, "INDEX", c.index, "RESULT", result).Replace(`
func.func @main(%x: tensor<ARRAY>, %part: tensor<PART>, %from: tensor<INDEX>, %step: tensor<INDEX>) -> (tensor<ARRAY>, tensor<INDEX>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %trips = stablehlo.constant dense<7> : tensor<i32>
  %0:4 = stablehlo.while(%n = %c, %i = %from, %j = %step, %a = %x) : tensor<i32>, tensor<INDEX>, tensor<INDEX>, tensor<ARRAY> cond {
    %t = stablehlo.compare LT, %n, %trips : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %m = stablehlo.add %n, %one : tensor<i32>
    %k = stablehlo.add %i, %step : tensor<INDEX>
    %at = stablehlo.reshape %i : (tensor<INDEX>) -> tensor<1xINDEX>
    ` + c.body + `
    stablehlo.return %m, %k, %i, RESULT : tensor<i32>, tensor<INDEX>, tensor<INDEX>, tensor<ARRAY>
  }
  return %0#3, %0#1 : tensor<ARRAY>, tensor<INDEX>
}`)
			for _, walk := range [][2]int64{{0, 1}, {0, 0}, {3, 29}, {15, 2}, {196, 1}, {-3, 1}, {-90, 45},
				{1 << 30, 1 << 29}, {-1 << 31, -1}} {
				if err := compareWalk(text, walk); err != nil {
					t.Fatalf("from %d by %d: %v\n%s", walk[0], walk[1], err, text)
				}
			}
		})
	}
}

// compareWalk runs a program with numbers that count up and two indices.
func compareWalk(text string, walk [2]int64) error {
	return compareUpdates(text, func(i int, t *stablehlo.TensorType) []byte {
		n, _ := t.NumElems()
		d := t.DType()
		b := make([]byte, int(n)*d.Size())
		for e := range int(n) {
			switch {
			case i >= 2:
				d.StoreInt(b, 0, walk[i-2])
			case d.IsComplex():
				d.StoreComplex(b, e, complex(float64(e%9), float64(i)-1))
			case d.IsFloat():
				d.StoreFloat(b, e, float64(e)/4+1)
			default:
				d.StoreInt(b, e, int64(e%90+i))
			}
		}
		return b
	})
}
