package bench

import (
	"strings"
	"testing"

	"github.com/go-nx/nx"
)

// TestScanFigures: the kernel that computes the rows of a scan's result writes them in place, alone or in a fused row
// loop with the contraction before it. Loops count once. Rows that were written separately and copied took 65,568 bytes
// more per step of 32 rows, and 131,108 of 64.
func TestScanFigures(t *testing.T) {
	const steps, features = 100, 256
	for rows, maxBytes := range map[int]int64{32: 3_768_400, 64: 7_143_500} {
		w, x := input(nx.F32, features, features), input(nx.F32, steps, rows, features)
		f := func(w, x nx.Tensor) nx.Tensor {
			start := nx.Zeros(nx.Shape{rows, features}, nx.F32)
			_, out := nx.Scan(start, x, func(h, x nx.Tensor) (nx.Tensor, nx.Tensor) {
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
