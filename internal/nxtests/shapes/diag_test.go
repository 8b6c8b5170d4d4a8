package shapes_test

import (
	"fmt"
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
