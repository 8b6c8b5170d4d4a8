package ops_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-nx/nx"
)

func TestLinspace(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		lo, hi float64
		n      int
		want   []float64
	}{
		{-1, 2, 7, []float64{-1, -0.5, 0, 0.5, 1, 1.5, 2}},
		{0, 1, 11, []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}},
		{3, 5, 1, []float64{3}},
		{3, 5, 0, nil},
		{-0.3, 0.3, 7, []float64{-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3}},
		{-1e308, 1e308, 3, []float64{-1e308, 0, 1e308}},
		{0, math.MaxFloat64, 3, []float64{0, math.MaxFloat64 / 2, math.MaxFloat64}},
		{-inf, 1, 4, []float64{-inf, -inf, -inf, 1}},
		{0, inf, 3, []float64{0, inf, inf}},
		{0, inf, 1, []float64{0}},
		{inf, inf, 3, []float64{inf, inf, inf}},
		{-inf, inf, 3, []float64{-inf, nan, inf}},
		{nan, 1, 3, []float64{nan, nan, 1}},
	} {
		got := nx.Data[float64](nx.Linspace(c.lo, c.hi, c.n, nx.F64))
		if fmt.Sprint(got) != fmt.Sprint(append([]float64{}, c.want...)) {
			t.Errorf("Linspace(%v, %v, %d) = %v, want %v", c.lo, c.hi, c.n, got, c.want)
		}
	}
	for n := 1; n < 300; n++ {
		lo, hi := -math.Sqrt(float64(n)), 7.1*float64(n)/3
		x, y := nx.Data[float64](nx.Linspace(lo, hi, n, nx.F64)), nx.Data[float64](nx.Linspace(-hi, -lo, n, nx.F64))
		if x[0] != lo || n > 1 && x[n-1] != hi {
			t.Errorf("n = %d: from %v to %v, want %v to %v", n, x[0], x[n-1], lo, hi)
		}
		for i := range x {
			if n > 1 && x[i] != -y[n-1-i] {
				t.Fatalf("n = %d: number %d is %v, that of the mirrored range %v", n, i, x[i], y[n-1-i])
			}
		}
	}
}
