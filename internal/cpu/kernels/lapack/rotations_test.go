package lapack

import (
	"math"
	"testing"
)

// TestRotationsFlushSubnormals: many sweeps of small angles would fill the rows with subnormal numbers, which are slow.
// The rows stay orthonormal without them.
func TestRotationsFlushSubnormals(t *testing.T) {
	testRotationsFlushSubnormals[float32](t, 0x1p-126)
	testRotationsFlushSubnormals[float64](t, 0x1p-1022)
}

func testRotationsFlushSubnormals[R realField](t *testing.T, normal R) {
	const n = 150
	for _, angle := range []float64{1e-1, 1e-3, 1e-9, 1e-30} {
		for _, falling := range []bool{false, true} {
			z := newRotatedRows(make([]R, n*n), n)
			for range 96 {
				for from := range n - 1 {
					if falling {
						from = n - 2 - from
					}
					z.rotateRows(from, from+1, math.Cos(angle), math.Sin(angle))
				}
			}
			for i := range n {
				for j := range n {
					dot := 0.0
					for k := range n {
						dot += float64(z.rows[i*n+k]) * float64(z.rows[j*n+k])
					}
					want := 0.0
					if i == j {
						want = 1
					}
					if off := math.Abs(dot - want); !(off < 100*epsilonOf[R]()) {
						t.Fatalf("%T, angle %g: rows %d and %d are off by %g", normal, angle, i, j, off)
					}
				}
			}
			for k, x := range z.rows {
				if x != 0 && max(x, -x) < normal {
					t.Fatalf("%T, angle %g: element %d of row %d is subnormal: %g", normal, angle, k%n, k/n, x)
				}
			}
		}
	}
}
