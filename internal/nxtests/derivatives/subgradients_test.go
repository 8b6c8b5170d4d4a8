package derivatives_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
)

// Derivatives where there is none, or where the formula would give NaN: each by the
// convention that Nx and JAX share, or that of Nx.
func TestKinks(t *testing.T) {
	inf := math.Inf(1)
	at := func(v ...float64) nx.Tensor { return nx.New(v) }
	for _, c := range []struct {
		name string
		f    func(x nx.Tensor) nx.Tensor
		x    nx.Tensor
		want []float64
	}{
		{"abs has the slope 1 at 0", nx.Abs, at(-2, 0, 3), []float64{-1, 1, 1}},
		{"a maximum of equals gives each a half", func(x nx.Tensor) nx.Tensor { return nx.Maximum(x, 1) },
			at(0, 1, 2), []float64{0, 0.5, 1}},
		{"a minimum of equals gives each a half", func(x nx.Tensor) nx.Tensor { return nx.Minimum(1, x) },
			at(0, 1, 2), []float64{1, 0.5, 0}},
		{"a maximum of two equal arguments", func(x nx.Tensor) nx.Tensor {
			return nx.Mul(nx.Maximum(x, nx.Reverse(x)), nx.New([]float64{1, 10}))
		}, at(3, 3), []float64{5.5, 5.5}},
		{"a maximum with NaN has none", func(x nx.Tensor) nx.Tensor { return nx.Maximum(x, 1) }, at(math.NaN()),
			[]float64{0}},
		{"Max shares among ties", func(x nx.Tensor) nx.Tensor { return nx.Max(x) }, at(2, 5, 5, 1, 5),
			[]float64{0, 1. / 3, 1. / 3, 0, 1. / 3}},
		{"Min shares among ties", func(x nx.Tensor) nx.Tensor { return nx.Min(x) }, at(2, 1, 5, 1),
			[]float64{0, 0.5, 0, 0.5}},
		{"Clip lets the closed interval through", func(x nx.Tensor) nx.Tensor { return nx.Clip(x, -1, 1) },
			at(-2, -1, 0, 1, 2), []float64{0, 1, 1, 1, 0}},
		{"the lower bound of Clip gets what is strictly below",
			func(lo nx.Tensor) nx.Tensor { return nx.Clip(nx.New([]float64{-2, -1, 0, 3}), lo, 2) }, at(-1),
			[]float64{1}},
		{"the upper bound of Clip gets what is strictly above",
			func(hi nx.Tensor) nx.Tensor { return nx.Clip(nx.New([]float64{-2, 2, 4, 3}), -1, hi) }, at(2),
			[]float64{2}},
		{"a power of 0 has the slope 0 at 0", func(x nx.Tensor) nx.Tensor { return nx.Pow(x, 0) }, at(0, 2),
			[]float64{0, 0}},
		{"a power of 1 has the slope 1 at 0", func(x nx.Tensor) nx.Tensor { return nx.Pow(x, 1) }, at(0, -2),
			[]float64{1, 1}},
		{"the exponent of 0 has the slope 0", func(y nx.Tensor) nx.Tensor { return nx.Pow(0.0, y) }, at(0, 2),
			[]float64{0, 0}},
		{"a tensor as exponent of negatives", func(x nx.Tensor) nx.Tensor {
			return nx.Pow(x, nx.New([]float64{0, 1, 2}))
		}, at(-3, -3, -3), []float64{0, 1, -6}},
		{"Sqrt has an infinite slope at 0", nx.Sqrt, at(0, 4), []float64{inf, 0.25}},
		{"Prod with a zero", func(x nx.Tensor) nx.Tensor { return nx.Prod(x) }, at(2, 0, 5), []float64{0, 10, 0}},
		{"Prod with zeros", func(x nx.Tensor) nx.Tensor { return nx.Prod(x) }, at(2, 0, 0), []float64{0, 0, 0}},
		{"CumProd with a zero", func(x nx.Tensor) nx.Tensor { return nx.CumProd(x) }, at(2, 0, 5), []float64{1, 12, 0}},
		{"CumMax halves at every tie", func(x nx.Tensor) nx.Tensor { return nx.CumMax(x) }, at(1, 1, 2),
			[]float64{1.5, 0.5, 1}},
		{"CumMax of equals", func(x nx.Tensor) nx.Tensor { return nx.CumMax(x) }, at(1, 1, 1, 1),
			[]float64{2, 1, 0.75, 0.25}},
		{"CumMin from the end", func(x nx.Tensor) nx.Tensor { return nx.CumMin(x, nx.Reversed) }, at(1, 1, 1, 1),
			[]float64{0.25, 0.75, 1, 2}},
		{"Remainder by the dividend", func(x nx.Tensor) nx.Tensor { return nx.Remainder(x, 3) }, at(7, -7),
			[]float64{1, 1}},
		{"Remainder by the divisor", func(y nx.Tensor) nx.Tensor { return nx.Remainder(7, y) }, at(3, 2),
			[]float64{-2, -3}},
		{"Where gives the other branch nothing", func(x nx.Tensor) nx.Tensor {
			return nx.Where(nx.Greater(x, 0), nx.Log(x), nx.Mul(2, x))
		}, at(-1, 0, 4), []float64{2, 2, 0.25}},
		{"Where with a masked infinity", func(x nx.Tensor) nx.Tensor {
			return nx.Where(nx.Greater(x, 0), nx.Sqrt(x), 0)
		}, at(0, 4), []float64{0, 0.25}},
		{"Where with a masked NaN", func(x nx.Tensor) nx.Tensor {
			return nx.Where(nx.Greater(x, 0), nx.Sqrt(nx.Log(x)), x)
		}, at(-1, 0, math.E), []float64{1, 1, 0.5 / math.E}},
		{"WindowMax of a tie takes one", func(x nx.Tensor) nx.Tensor {
			return nx.Sum(nx.WindowMax(x, []int{2}))
		}, at(1, 4, 2, 3), []float64{0, 2, 0, 1}},
		{"WindowMax with holes", func(x nx.Tensor) nx.Tensor {
			return nx.WindowMax(x, []int{2}, nx.Dilation(2))
		}, at(1, 5, 2, 3), []float64{0, 1, 1, 0}},
		{"Sort carries back by its permutation", func(x nx.Tensor) nx.Tensor {
			return nx.Mul(nx.Sort(x), nx.New([]float64{1, 10, 100}))
		}, at(3, 1, 2), []float64{100, 1, 10}},
		{"Sort of equals keeps their order", func(x nx.Tensor) nx.Tensor {
			return nx.Mul(nx.Sort(x), nx.New([]float64{1, 10, 100}))
		}, at(2, 1, 1), []float64{100, 1, 10}},
		{"TopK", func(x nx.Tensor) nx.Tensor {
			v, _ := nx.TopK(x, 2)
			return nx.Mul(v, nx.New([]float64{1, 10}))
		}, at(3, 1, 7), []float64{10, 0, 1}},
		{"IndexedPut replaces", func(x nx.Tensor) nx.Tensor {
			return nx.SetGather(x, nx.New([][]int{{1}}), nx.New([]float64{9}))
		}, at(3, 1, 7), []float64{1, 0, 1}},
		{"what is piecewise constant has the slope 0", func(x nx.Tensor) nx.Tensor { return nx.Sign(x) }, at(-1, 0, 2),
			[]float64{0, 0, 0}},
		{"what is rounded has the slope 0", func(x nx.Tensor) nx.Tensor { return nx.Add(nx.Floor(x), x) },
			at(-1.5, 0, 2), []float64{1, 1, 1}},
		{"the result may have many elements: their sum is meant",
			func(x nx.Tensor) nx.Tensor { return nx.Mul(x, nx.New([][]float64{{1}, {10}})) }, at(1, 2),
			[]float64{11, 11}},
		{"an argument that is not used", func(x nx.Tensor) nx.Tensor { return nx.New(3.0) }, at(1, 2), []float64{0, 0}},
		{"no gradient of a predicate", func(x nx.Tensor) nx.Tensor {
			return nx.Cond(nx.Greater(nx.Sum(x), 0), func() nx.Tensor { return nx.Mul(x, x) },
				func() nx.Tensor { return nx.Neg(x) })
		}, at(3, 1), []float64{6, 2}},
		{"a loop whose step does not commute", func(x nx.Tensor) nx.Tensor {
			return nx.Fori(3, x, func(i, x nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(x, x), i) })
		}, at(0.5), []float64{8 * 0.5 * 0.25 * (0.0625 + 1)}},
		{"the softplus of large numbers", nx.Softplus, at(-1000, 0, 1000), []float64{0, 0.5, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := nx.Data[float64](nx.Grad(c.f)(c.x))
			for i, want := range c.want {
				if got[i] != want && !(math.Abs(got[i]-want) <= 1e-14*(1+math.Abs(want))) {
					t.Fatalf("the gradient at %v is %v, not %v", nx.Data[float64](c.x), got, c.want)
				}
			}
		})
	}
}
