package ops_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-nx/nx"
)

func TestArgMax(t *testing.T) {
	nan := math.NaN()
	inf := math.Inf(1)
	for _, c := range []struct {
		in       []float64
		max, min int
	}{
		{[]float64{1, 3, 2, 3, 1}, 1, 0},
		{[]float64{5}, 0, 0},
		{[]float64{1, nan, 5, nan}, 1, 1},
		{[]float64{-inf, -inf}, 0, 0},
		{[]float64{inf, inf, -inf}, 0, 2},
		{[]float64{0, math.Copysign(0, -1)}, 0, 0},
	} {
		x := nx.New(c.in)
		if a, b := nx.Item[int](nx.ArgMax(x)), nx.Item[int](nx.ArgMin(x)); a != c.max || b != c.min {
			t.Errorf("%v: %d and %d, want %d and %d", c.in, a, b, c.max, c.min)
		}
	}
	// The first of equals also in long rows, which are folded in pieces.
	long := make([]float32, 10_000)
	long[777], long[9_000] = 4, 4
	if got := nx.Item[int](nx.ArgMax(nx.New(long))); got != 777 {
		t.Errorf("got %d", got)
	}
	m := nx.New([][]int32{{1, 9, 3}, {8, 2, 7}}, nx.Names("a", "b"))
	for _, c := range []struct {
		got  nx.Tensor
		want string
	}{
		{nx.ArgMax(m), "s32 1"},
		{nx.ArgMax(m, nx.KeepAxes), "s32[a: 1][b: 1]\n[\n  [1]\n]"},
		{nx.ArgMax(m, nx.Axis("b")), "s32[a: 2]\n[1, 0]"},
		{nx.ArgMin(m, nx.Axis(0), nx.KeepAxes), "s32[a: 1][b: 3]\n[\n  [0, 1, 0]\n]"},
		{nx.ArgMax(m, nx.Axis(0), nx.As(nx.U8)), "u8[b: 3]\n[1, 0, 1]"},
	} {
		if got := fmt.Sprint(c.got); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
