package shapes_test

import (
	"testing"

	"github.com/go-nx/nx"
)

// TestPadScalar: a scalar has no axes, and takes no pairs.
func TestPadScalar(t *testing.T) {
	for _, mode := range []nx.PadMode{nx.PadEdge, nx.PadReflect, nx.PadSymmetric, nx.PadWrap} {
		if got := nx.PadWith(nx.New(3.5), mode); got.Rank() != 0 || nx.Item[float64](got) != 3.5 {
			t.Errorf("mode %d: %v", mode, got)
		}
	}
}
