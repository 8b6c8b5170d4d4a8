package ops_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

func TestTakeBeyond(t *testing.T) {
	x := nx.New([][]float32{{1, 2}, {3, 4}, {5, 6}})
	i := nx.New([]int8{-1, -3, 0, 3, -4})
	nan := math.NaN()
	kit.SameArray(t, "Clamp", nx.Take(x, i), kit.ArrayOf([]int{5, 2}, []float64{5, 6, 1, 2, 1, 2, 5, 6, 1, 2}))
	kit.SameArray(t, "Fill", nx.Take(x, i, nx.Fill),
		kit.ArrayOf([]int{5, 2}, []float64{5, 6, 1, 2, 1, 2, nan, nan, nan, nan}))
	kit.SameArray(t, "Fill of columns", nx.Take(x, nx.New([]uint64{1, math.MaxUint64}), nx.Axis(1), nx.Fill),
		kit.ArrayOf([]int{3, 2}, []float64{2, nan, 4, nan, 6, nan}))
	kit.SameArray(t, "Fill of integers", nx.Take(nx.New([]int{7, 8}), i, nx.Fill),
		kit.ArrayOf([]int{5}, []float64{8, 0, 7, 0, 0}))
	kit.SameArray(t, "Fill of nothing", nx.Take(nx.Zeros(nx.Shape{0, 2}, nx.F32), nx.New([]int{0}), nx.Fill),
		kit.ArrayOf([]int{1, 2}, []float64{nan, nan}))
	kit.SameArray(t, "nothing of nothing", nx.Take(nx.Zeros(nx.Shape{0, 2}, nx.F32), nx.Zeros(nx.Shape{0, 3}, nx.S32)),
		kit.ArrayOf([]int{0, 3, 2}, nil))
	kit.SameArray(t, "Checked", nx.Take(x, nx.New([]int{-3, 2}), nx.Checked),
		kit.ArrayOf([]int{2, 2}, []float64{1, 2, 5, 6}))
	for _, bad := range []nx.Tensor{nx.New([]int{0, 3}), nx.New([]int{-4}), nx.New([]uint64{math.MaxUint64})} {
		if err := kit.Caught(func() { nx.Take(x, bad, nx.Checked) }); err == nil {
			t.Errorf("Checked takes %v", bad)
		}
	}
	g := nx.Grad(func(x nx.Tensor) nx.Tensor { return nx.Sum(nx.Take(x, i, nx.Fill)) })(x)
	kit.SameArray(t, "gradient", g, kit.ArrayOf([]int{3, 2}, []float64{2, 2, 0, 0, 1, 1}))
	kit.SameArray(t, "At run time", x.At(nx.New(-1)), kit.ArrayOf([]int{2}, []float64{5, 6}))
	f := nx.Jit(func(x, i nx.Tensor) nx.Tensor { return nx.SetAt(x, 0, i) })
	kit.SameArray(t, "SetAt run time", f(x, nx.New(-1)), kit.ArrayOf([]int{3, 2}, []float64{1, 2, 3, 4, 0, 0}))
}
