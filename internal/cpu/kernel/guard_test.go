package kernel

import "testing"

// TestInside compares with a loop over the points.
func TestInside(t *testing.T) {
	for first := int64(-9); first < 9; first++ {
		for step := int64(-4); step <= 4; step++ {
			for size := int64(0); size < 8; size++ {
				for n := int64(0); n < 8; n++ {
					lo, hi := Inside(first, step, size, n)
					for i := range n {
						x := first + i*step
						if got, want := lo <= i && i < hi, x >= 0 && x < size; got != want {
							t.Fatalf("Inside(%d, %d, %d, %d) = %d, %d: of %d it is %v",
								first, step, size, n, lo, hi, i, got)
						}
					}
				}
			}
		}
	}
}
