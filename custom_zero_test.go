package nx_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
)

// TestZeroCotangents: a rule is given zeros for what is not used, and what it makes of them
// counts, as with JAX 0.10.2, whose results these are; a call of which nothing is used does not.
func TestZeroCotangents(t *testing.T) {
	type pair struct{ A, B nx.Tensor }
	two := nx.CustomVJP(func(x nx.Tensor) (pair, nx.Tensor) { return pair{x, nx.Mul(2, x)}, x },
		func(_ nx.Tensor, d pair) nx.Tensor { return nx.Add(d.A, nx.Div(d.B, 0)) })
	one := nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Mul(1, x), x },
		func(_, d nx.Tensor) nx.Tensor { return nx.Div(d, 0) })
	forward := nx.CustomJVP(func(x nx.Tensor) nx.Tensor { return nx.Mul(1, x) },
		func(_, _, d nx.Tensor) nx.Tensor { return nx.Div(d, 0) })
	nan := math.NaN()
	for _, c := range []struct {
		name string
		f    func(x nx.Tensor) nx.Tensor
		want float64
	}{
		{"one of two results is not used", func(x nx.Tensor) nx.Tensor { return two(x).A }, nan},
		{"multiplied by 0", func(x nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(0, two(x).A), x) }, nan},
		{"no result is used", func(x nx.Tensor) nx.Tensor { _ = two(x); return x }, 1},
		{"not taken", func(x nx.Tensor) nx.Tensor { return nx.Where(nx.Greater(x, 5), one(x), x) }, nan},
		{"stopped", func(x nx.Tensor) nx.Tensor { return nx.Add(nx.StopGradient(one(x)), x) }, 1},
		{"a branch that is not taken", func(x nx.Tensor) nx.Tensor {
			return nx.Cond(nx.Greater(x, 5), func() nx.Tensor { return one(x) }, func() nx.Tensor { return x })
		}, 1},
		{"a rule of directions, of what does not vary", func(x nx.Tensor) nx.Tensor {
			return nx.Add(forward(nx.StopGradient(x)), x)
		}, 1},
	} {
		for how, grad := range map[string]func(nx.Tensor) nx.Tensor{"eager": nx.Grad(c.f), "compiled": nx.Jit(nx.Grad(c.f))} {
			if got := nx.Item[float64](grad(nx.New(3.0))); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
				t.Errorf("%s, %s: the gradient is %v, with JAX %v", c.name, how, got, c.want)
			}
		}
	}
}
