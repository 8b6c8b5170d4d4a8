package autodiff_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

// cumulativeReduction is a program that reduces the second dimension of a [2, 5, 3] from one end.
func cumulativeReduction(padding, init, body string) string {
	return fmt.Sprintf(`
func.func @main(%%x: tensor<2x5x3xf64>) -> tensor<2x5x3xf64> {
  %%c = stablehlo.constant dense<%s> : tensor<f64>
  %%0 = "stablehlo.reduce_window"(%%x, %%c) <{window_dimensions = array<i64: 1, 5, 1>, padding = dense<[[0, 0], [%s], [0, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%%a: tensor<f64>, %%b: tensor<f64>):
    %s
    stablehlo.return %%y : tensor<f64>
  }) : (tensor<2x5x3xf64>, tensor<f64>) -> tensor<2x5x3xf64>
  return %%0 : tensor<2x5x3xf64>
}`, init, padding, body)
}

// TestCumulativeReductions checks the derivatives of cumulative reductions in both directions, by
// recurrences if the initial value is neutral.
func TestCumulativeReductions(t *testing.T) {
	const product = "%y = stablehlo.multiply %a, %b : tensor<f64>"
	const exponentials = `%1 = stablehlo.maximum %a, %b : tensor<f64>
    %2 = stablehlo.subtract %a, %b : tensor<f64>
    %3 = stablehlo.compare NE, %2, %2 : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %4 = stablehlo.add %a, %b : tensor<f64>
    %5 = stablehlo.abs %2 : tensor<f64>
    %6 = stablehlo.negate %5 : tensor<f64>
    %7 = stablehlo.exponential %6 : tensor<f64>
    %8 = stablehlo.log_plus_one %7 : tensor<f64>
    %9 = stablehlo.add %1, %8 : tensor<f64>
    %y = stablehlo.select %3, %4, %9 : tensor<i1>, tensor<f64>`
	const joint = `%1 = stablehlo.multiply %a, %b : tensor<f64>
    %2 = stablehlo.add %a, %b : tensor<f64>
    %y = stablehlo.add %1, %2 : tensor<f64>`
	for _, c := range []struct{ name, init, body string }{
		{"products", "1.0", product},
		{"products from another number", "1.5", product},
		{"logarithms of sums of exponentials", "0xFFF0000000000000", exponentials},
		{"sums and products", "0.0", joint},
		{"maxima", "0xFFF0000000000000", "%y = stablehlo.maximum %a, %b : tensor<f64>"},
		{"minima", "0x7FF0000000000000", "%y = stablehlo.minimum %a, %b : tensor<f64>"},
	} {
		for _, padding := range []string{"4, 0", "0, 4"} {
			t.Run(c.name+", padding "+padding, func(t *testing.T) {
				checkGrad(t, gradCase{name: c.name, text: cumulativeReduction(padding, c.init, c.body)})
			})
		}
	}
}

// TestCumulativeRanges: products of later elements may overflow where their derivative is zero, and
// an extreme that is NaN has no derivative.
func TestCumulativeRanges(t *testing.T) {
	program := func(init, op, last string) string {
		return vector(4, `%c = stablehlo.constant dense<`+init+`> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 4>, padding = dense<[[3, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.`+op+` %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  %w = stablehlo.constant dense<`+last+`> : tensor<4xf64>
  %y = stablehlo.multiply %0, %w : tensor<4xf64>`)
	}
	for _, c := range []struct {
		name, text string
		x, want    []float64
	}{
		{"products beyond the range", program("1.0", "multiply", "[1.0, 1.0, 0.0, 0.0]"),
			[]float64{2, 3, 1e200, 1e200}, []float64{4, 2, 0, 0}},
		{"NaN", program("0xFFF0000000000000", "maximum", "1.0"),
			[]float64{2, 3, math.NaN(), 4}, []float64{1, 1, 0, 0}},
		{"NaN from the first on, which is its operand", program("0xFFF0000000000000", "maximum", "3.0"),
			[]float64{math.NaN(), 3, 2, 4}, []float64{3, 0, 0, 0}},
	} {
		if got := gradient(t, c.text, c.x...); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestTripsBehindConversions: JAX converts the condition of a loop from bool to bool, by a
// comparison; the number of steps is still known, and states are stacked.
func TestTripsBehindConversions(t *testing.T) {
	text := counted(7, false, "%y = stablehlo.sine %x : tensor<2xf64>")
	text = strings.Replace(text, "stablehlo.return %p", `%f = stablehlo.constant dense<false> : tensor<i1>
    %q = stablehlo.compare NE, %p, %f, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %r = stablehlo.convert %q : tensor<i1>
    stablehlo.return %r`, 1)
	checkGrad(t, gradCase{name: "converted", text: text})
	m, err := stablehlo.Parse("converted", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	g, _, err := autodiff.Gradient(context.Background(), m, "main", nil)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(g.String(), "remainder") {
		t.Errorf("the states are checkpointed:\n%s", g)
	}
}
