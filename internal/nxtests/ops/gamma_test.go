package ops_test

import (
	"math"
	"slices"
	"testing"

	"github.com/go-nx/nx"
)

func TestGammaFunctions(t *testing.T) {
	x := nx.New([]float64{1, 2, 5})
	if got, want := nx.Data[float64](nx.Lgamma(x)), []float64{0, 0, math.Log(24)}; !slices.Equal(got, want) {
		t.Errorf("Lgamma: got %v, want %v", got, want)
	}
	const euler = 0.57721566490153286
	if got, want := nx.Data[float64](nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Lgamma(x)) })(x)),
		nx.Data[float64](nx.Digamma(x)); !slices.Equal(got, want) || math.Abs(got[0]+euler) > 1e-15 {
		t.Errorf("Digamma: got %v, the gradient of Lgamma is %v", want, got)
	}
	if got := nx.Item[int](nx.Square(nx.New(int8(-3)))); got != 9 {
		t.Errorf("Square(-3) is %d", got)
	}
}

// TestLgammaOfOne: the zeros at 1 and 2 are positive.
func TestLgammaOfOne(t *testing.T) {
	for _, d := range []nx.DType{nx.F64, nx.F32, nx.F16, nx.BF16} {
		for _, f := range []func(nx.Tensor) nx.Tensor{nx.Lgamma, nx.Jit(nx.Lgamma)} {
			x := nx.Cast(nx.Add(nx.Remainder(nx.Iota(nx.Shape{80}, nx.S32), 2), 1), d)
			for i, y := range nx.Data[float64](nx.Cast(f(x), nx.F64)) {
				if y != 0 || math.Signbit(y) {
					t.Fatalf("%s: element %d is %v", d, i, y)
				}
			}
		}
	}
}
