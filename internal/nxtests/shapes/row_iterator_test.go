package shapes_test

import (
	"testing"

	"github.com/go-nx/nx"
)

// TestRows: rows may be those of traced and vectorised tensors.
func TestRows(t *testing.T) {
	total := func(x nx.Tensor) nx.Tensor {
		sum := nx.Zeros(nx.Shape{2}, nx.F32)
		for i, row := range nx.Rows(x) {
			sum = nx.Add(sum, nx.Mul(row, i))
		}
		return sum
	}
	x := nx.New([][]float32{{1, 2}, {3, 4}, {5, 6}})
	want := nx.New([]float32{13, 16})
	if got := total(x); !nx.ArrayEqual(got, want) {
		t.Error(got)
	}
	if got := nx.Jit(total)(x); !nx.ArrayEqual(got, want) {
		t.Error(got)
	}
	v := nx.Vectorize(nx.Stack([]nx.Tensor{x, x}, nx.Axis(0)), "v")
	if got := total(v); !nx.ArrayEqual(got, nx.Vectorize(nx.Stack([]nx.Tensor{want, want}, nx.Axis(0)), "v")) {
		t.Error(got)
	}
	for range nx.Rows(nx.Zeros(nx.Shape{0, 3}, nx.F32)) {
		t.Error("a row of nothing")
	}
}
