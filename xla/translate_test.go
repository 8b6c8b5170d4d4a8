package xla

import (
	"context"
	"strings"
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

// GPUs solve systems only of f32 and wider: narrower floats are solved in f32, and rounded.
func TestShortFloatsAreSolvedInF32(t *testing.T) {
	m, err := stablehlo.Parse("m", []byte(`func.func @main(%a: tensor<4x4xf16>, %b: tensor<4x4xbf16>) -> (tensor<4x4xf16>, tensor<4x4xbf16>) {
  %0 = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  %1 = stablehlo.cholesky %b, lower = true : tensor<4x4xbf16>
  return %0, %1 : tensor<4x4xf16>, tensor<4x4xbf16>
}`))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("NX_CHECK", "1")
	p, _, err := translate(context.Background(), m, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := stablehlo.Print(&b, p, stablehlo.PrintOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"(tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>",
		"cholesky %4, lower = true : tensor<4x4xf32>", "(tensor<4x4xf32>) -> tensor<4x4xf16>",
		"(tensor<4x4xf32>) -> tensor<4x4xbf16>"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("there is no %s in\n%s", want, &b)
		}
	}
}
