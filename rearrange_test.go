package nx_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-nx/nx"
)

// TestDiagOfBools: compiled as at once.
func TestDiagOfBools(t *testing.T) {
	x := nx.New([]bool{true, false, true})
	for _, k := range []int{-1, 0, 2} {
		f := func(x nx.Tensor) nx.Tensor {
			d := nx.Diag(x, k)
			return nx.SetDiagonal(d, nx.LogicalNot(nx.Diagonal(d, k)), k)
		}
		got, want := nx.Jit(f)(x), f(x)
		if fmt.Sprint(got) != fmt.Sprint(want) || got.DType() != nx.Bool {
			t.Errorf("diagonal %d: compiled %v, at once %v", k, got, want)
		}
		if ones := nx.Item[int](nx.Sum(nx.Cast(got, nx.S64))); ones != 1 {
			t.Errorf("diagonal %d: %d elements are true", k, ones)
		}
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
