package kit

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
)

// OnNumbers compares a function that defn wrote with the definition, which Go runs on numbers, on pairs of them.
func OnNumbers[T ~float64](t *testing.T, name string, definition func(x, y T) T, f func(x, y nx.Tensor) nx.Tensor) {
	t.Helper()
	numbers := []float64{-3.25, -1, 0, 0.75, 1.5, 2.5, 7}
	compiled := nx.Jit(f)
	for _, x := range numbers {
		for _, y := range numbers {
			want := float64(definition(T(x), T(y)))
			got := nx.Item[float64](compiled(nx.New(x), nx.New(y)))
			if !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
				t.Errorf("%s(%v, %v) = %v, on numbers %v", name, x, y, got, want)
			}
		}
	}
}

// OfFirst makes a function of two arguments of one of the first.
func OfFirst[T any](f func(x T) T) func(x, y T) T { return func(x, _ T) T { return f(x) } }
