package bench

import (
	"strings"
	"testing"

	"github.com/go-nx/nx"
)

// TestScanFigures: what a step stacks is written where it belongs, by the kernel that computes it, alone or
// in a nest with the product before it. Loops count once. Written by itself and copied, a row of the result
// took 65,568 bytes more at each step of 32 rows, and 131,108 of 64.
func TestScanFigures(t *testing.T) {
	const steps, features = 100, 256
	for rows, maxBytes := range map[int]int64{32: 3_768_400, 64: 7_143_500} {
		w, x := input(nx.F32, features, features), input(nx.F32, steps, rows, features)
		f := func(w, x nx.Tensor) nx.Tensor {
			_, out := nx.Scan(nx.Zeros(nx.Shape{rows, features}, nx.F32), x, func(h, x nx.Tensor) (nx.Tensor, nx.Tensor) {
				h = nx.Tanh(nx.Add(nx.Dot(h, w), x))
				return h, h
			})
			return out
		}
		text := checkFigures(t, maxBytes, 65_700, f, w, x)
		if strings.Contains(text, "dynamic_update_slice") {
			t.Errorf("%d rows are copied:\n%s", rows, text)
		}
	}
}
