package ops_test

import (
	"testing"

	"github.com/go-nx/nx"
)

func TestArrayEqual(t *testing.T) {
	x := nx.New([]float32{1, 2}, nx.Names("a"))
	for _, c := range []struct {
		y    nx.Tensor
		want bool
	}{
		{nx.New([]int{1, 2}, nx.Names("b")), true}, {nx.New([]float32{1, 3}), false},
		{nx.New([][]float32{{1, 2}}), false},
		{nx.New(1), false},
	} {
		if got := nx.ArrayEqual(x, c.y); got != c.want {
			t.Errorf("%v and %v: %v", x, c.y, got)
		}
	}
	if !nx.ArrayEqual(nx.Zeros(nx.Shape{0}, nx.F32), nx.Zeros(nx.Shape{0}, nx.S8)) {
		t.Error("two empty ones differ")
	}
}
