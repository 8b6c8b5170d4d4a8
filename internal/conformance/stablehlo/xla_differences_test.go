package stablehlo_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/conformance"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/stablehlo"
)

// TestWhereXLADiffers pins docs/conformance.md on programs for which XLA's results differ from the
// specification: ours are the specification's. The page lists both.
func TestWhereXLADiffers(t *testing.T) {
	const scatter = `func.func @main() {
  %x = stablehlo.constant dense<0.0> : tensor<6xf32>
  %i = stablehlo.constant dense<[[4], [-1], [1]]> : tensor<3x1xi32>
  %u = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<3x3xf32>
  %r = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    BODY
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<6xf32>, tensor<3x1xi32>, tensor<3x3xf32>) -> tensor<6xf32>
  check.expect_eq_const %r, dense<WANT> : tensor<6xf32>
  return
}`
	const window = `func.func @main() {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %z = stablehlo.constant dense<10.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 3>, ATTR} : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<WANT> : tensor<3xf32>
  return
}`
	const add = "%s = stablehlo.add %a, %b : tensor<f32>\n    stablehlo.return %s : tensor<f32>"
	page, err := os.ReadFile("../../../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, text, want, xla string }{
		// XLA drops the windows at 4 and -1 completely.
		{"a scatter's window partly outside, added", fill(scatter, "BODY", add), "[5, 13, 8, 9, 1, 2]",
			"[0, 7, 8, 9, 0, 0]"},
		{"a scatter's window partly outside, set", fill(scatter, "BODY", "stablehlo.return %b : tensor<f32>"),
			"[5, 7, 8, 9, 1, 2]", "[0, 7, 8, 9, 0, 0]"},
		// XLA ignores the padding, and the holes of a dilation.
		{"an init that is not an identity, padding", fill(window, "ATTR", "padding = dense<1> : tensor<1x2xi64>"),
			"[23, 16, 25]", "[13, 16, 15]"},
		{"an init that is not an identity, holes",
			fill(window, "ATTR", "base_dilations = array<i64: 2>"), "[23, 32, 25]",
			"[13, 12, 15]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			words := strings.Join(strings.Fields(string(page)), " ")
			if says := fmt.Sprintf("%s, XLA %s", c.want, c.xla); !strings.Contains(words, says) {
				t.Errorf("docs/conformance.md does not say %q", says)
			}
			want := strings.NewReplacer(",", ".0,", "]", ".0]").Replace(c.want)
			kit.EachExecutor(t, func(t *testing.T, e kit.Executor) {
				program := source(c.name, fill(c.text, "WANT", want))
				if err := conformance.RunSource(t.Context(), program, e); err != nil {
					t.Errorf("%v (XLA gives %s)", err, c.xla)
				}
			})
		})
	}
}

// fill replaces words of a text.
func fill(text string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }

func source(name, text string) *stablehlo.Source {
	return &stablehlo.Source{Name: name, Text: []byte(text)}
}
