package portable

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestComplexMinMax compares the branch-free loop with the order: the first operand is taken where it is beyond the
// second; the second is taken where either is NaN.
func TestComplexMinMax(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, 2, -1, math.Inf(1), math.Inf(-1), math.NaN()}
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) []complex128 {
		out := make([]complex128, n)
		for i := range out {
			out[i] = complex(special[r.IntN(len(special))], special[r.IntN(len(special))])
		}
		return out
	}
	for _, sizes := range [][3]int{{1, 1, 1}, {300, 300, 300}, {300, 1, 300}, {300, 300, 1}} {
		a, b := draw(sizes[1]), draw(sizes[2])
		compareMinMax(t, sizes[0], a, b)
		narrow := func(x []complex128) []complex64 {
			out := make([]complex64, len(x))
			for i, v := range x {
				out[i] = complex64(v)
			}
			return out
		}
		compareMinMax(t, sizes[0], narrow(a), narrow(b))
	}
}

func compareMinMax[C cplx](t *testing.T, n int, a, b []C) {
	t.Helper()
	for _, isMax := range []bool{true, false} {
		got := make([]C, n)
		minMaxLoop[C](isMax)(got, a, b)
		for i, x := range got {
			z, w := a[min(i, len(a)-1)], b[min(i, len(b)-1)]
			want, takes := w, cless(complex128(z), complex128(w))
			if isMax {
				takes = cless(complex128(w), complex128(z))
			}
			if takes {
				want = z
			}
			if fmt.Sprint(x) != fmt.Sprint(want) {
				t.Fatalf("max %v of %v and %v: %v, want %v", isMax, z, w, x, want)
			}
		}
	}
}
