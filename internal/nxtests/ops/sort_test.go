package ops_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
)

// TestOrderOfNaN: the mode reads NaN as the sort puts it, last and equal to nothing; a median and a
// quantile of a line with NaN are NaN, and of the lines beside it what they are without.
func TestOrderOfNaN(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	x := nx.New([][]float64{{nan, 1, 2, 4}, {3, 1, inf, 2}, {nan, inf, -inf, 0}, {nan, nan, nan, nan}})
	along := nx.Axis(-1)
	for _, c := range []struct {
		name string
		got  nx.Tensor
		want []float64
	}{
		{"Median", nx.Median(x, along), []float64{nan, 2.5, nan, nan}},
		{"Median of three", nx.Median(x.At(nx.Whole, nx.To(3)), along), []float64{nan, 3, nan, nan}},
		{"Mode", nx.Mode(x, along), []float64{1, 1, -inf, nan}},
		{"Quantile", nx.Quantile(x, 0.5, along), []float64{nan, 2.5, nan, nan}},
		{"the least", nx.Quantile(x, 0, along), []float64{nan, 1, nan, nan}},
		{"in f16", nx.Quantile(nx.Cast(x, nx.F16), 0.5, along), []float64{nan, 2.5, nan, nan}},
	} {
		kit.SameArray(t, c.name, c.got, kit.ArrayOf([]int{4}, c.want))
	}
	kit.SameArray(t, "all", nx.Quantile(x, 0.25), kit.ArrayOf([]int{}, []float64{nan}))
	jitted := nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Quantile(x, 0.5, nx.Axis(-1)) })
	kit.SameArray(t, "jitted", jitted(x), kit.ArrayOf([]int{4}, []float64{nan, 2.5, nan, nan}))
}

// TestSortOrder: NaN comes last, or first from the largest on; zeros of both signs and
// equal elements keep their order, for integers and floats of all sizes.
func TestSortOrder(t *testing.T) {
	nan := math.NaN()
	x := nx.New([]float64{2, nan, -1, 0, math.Copysign(0, -1), math.Inf(1), 2, math.Inf(-1)})
	for _, d := range []nx.DType{nx.F64, nx.F32, nx.BF16, nx.F16} {
		y := nx.Cast(x, d)
		if got := fmt.Sprint(nx.Data[int](nx.ArgSort(y))); got != "[7 2 3 4 0 6 5 1]" {
			t.Errorf("%s: %s", d, got)
		}
		if got := fmt.Sprint(nx.Data[int](nx.ArgSort(y, nx.Descending))); got != "[1 5 0 6 3 4 2 7]" {
			t.Errorf("%s from the largest: %s", d, got)
		}
	}
	for _, d := range []nx.DType{nx.S64, nx.S8, nx.S4} {
		if got := fmt.Sprint(nx.Data[int](nx.Sort(nx.New([]int{3, -8, 7, 0, -1}, nx.As(d))))); got != "[-8 -1 0 3 7]" {
			t.Errorf("%s: %s", d, got)
		}
	}
	if got := fmt.Sprint(
		nx.Data[uint64](
			nx.Sort(nx.New([]uint64{math.MaxUint64, 1,
				1 << 63})))); got != "[1 9223372036854775808 18446744073709551615]" {
		t.Errorf("u64: %s", got)
	}
}
