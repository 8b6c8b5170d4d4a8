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

// TestRotationsLeaveOutWhatVanishes: many sweeps of small angles would fill the rows with subnormal
// numbers, which are slow. The rows stay orthonormal without them.
func TestRotationsLeaveOutWhatVanishes(t *testing.T) {
	leaveOutWhatVanishes[float32](t, 0x1p-126)
	leaveOutWhatVanishes[float64](t, 0x1p-1022)
}

func leaveOutWhatVanishes[R realField](t *testing.T, normal R) {
	const n = 150
	for _, angle := range []float64{1e-1, 1e-3, 1e-9, 1e-30} {
		for _, falling := range []bool{false, true} {
			env := newEnv(t, 1)
			z := newRotated(make([]R, n*n), n, falling)
			for range 3 * sweepsAtOnce {
				from := 0
				if falling {
					from = n - 2
				}
				for range n - 1 {
					z.turn(env, from, from+1, math.Cos(angle), math.Sin(angle))
					from = z.after(from)
				}
			}
			if err := z.finish(env); err != nil {
				t.Fatal(err)
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
					if off := math.Abs(dot - want); !(off < 100*unit[R]()) {
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
