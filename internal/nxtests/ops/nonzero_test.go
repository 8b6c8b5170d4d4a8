package ops_test

import (
	"fmt"
	"testing"

	"github.com/go-nx/nx"
)

// TestNonZeroOfNone: no positions are asked for, or there is no element.
func TestNonZeroOfNone(t *testing.T) {
	for _, c := range []struct {
		x           nx.Tensor
		n           int
		shape, data string
		count       int
	}{
		{nx.New([][]int32{{0, 5}, {7, 0}}), 0, "[0 2]", "[]", 2},
		{nx.Zeros(nx.Shape{0, 3}, nx.F32), 2, "[2 2]", "[0 0 0 0]", 0},
		{nx.New(3), 0, "[0 0]", "[]", 1},
		{nx.Zeros(nx.Shape{0, 1 << 40}, nx.F32), 2, "[2 2]", "[0 0 0 0]", 0},
	} {
		positions, count := nx.NonZero(c.x, c.n)
		shape, data := fmt.Sprint([]int(positions.Shape())), fmt.Sprint(nx.Data[int](positions))
		if shape != c.shape || data != c.data || nx.Item[int](count) != c.count {
			t.Errorf("%v: %s %s %v", c.x, shape, data, count)
		}
	}
}
