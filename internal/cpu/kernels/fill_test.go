package kernels

import "testing"

func TestFill(t *testing.T) {
	for _, n := range []int{0, 1, 100, 100001} {
		x := make([]uint16, n)
		Fill(newEnv(t, 2), x, 7)
		for i, v := range x {
			if v != 7 {
				t.Fatalf("element %d of %d is %d", i, n, v)
			}
		}
	}
}
