package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestRotations: sweeps applied as products of matrices do what they do one rotation after another,
// wherever they begin and end.
func TestRotations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for try := range 12 {
		falling, n := try%2 == 1, 2*groupRows+r.IntN(40)
		products, single := newRotated(make([]float64, n*n), n, falling), newRotated(make([]float64, n*n), n, falling)
		env := newEnv(t, 1+try%3)
		for range 1 + r.IntN(sweepsAtOnce) {
			from, length := r.IntN(n-1), 0
			if falling {
				length = r.IntN(from + 2)
			} else {
				length = r.IntN(n - from)
			}
			for range length {
				angle := r.Float64() * 7
				for _, z := range []*rotated[float64]{products, single} {
					z.turn(env, from, from+1, math.Cos(angle), math.Sin(angle))
				}
				from = products.after(from)
			}
		}
		if len(products.todo) == 0 {
			continue
		}
		if err := products.multiply(env); err != nil {
			t.Fatal(err)
		}
		checkFreed(t, env)
		single.apply(env)
		for i, want := range single.rows {
			if got := products.rows[i]; !(math.Abs(got-want) < 1e-13) {
				t.Fatalf("falling %v, n %d: element %d of row %d is %v, want %v", falling, n, i%n, i/n, got, want)
			}
		}
	}
}
