package interp

import (
	"context"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

// TestFFT compares transforms with the defining sum: lengths of small factors, of large primes, and of
// products with them.
func TestFFT(t *testing.T) {
	lengths := []int{97, 127, 128, 2 * 101, 3 * 67, 5 * 5 * 71, 67 * 71, 1009, 1024}
	for n := 1; n <= 80; n++ {
		lengths = append(lengths, n)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	plans := fftPlans{f: &frame{ctx: context.Background(), proc: &process{}}, of: map[int]*fftPlan{}}
	for _, n := range lengths {
		x, got, back := make([]complex128, n), make([]complex128, n), make([]complex128, n)
		scale := 0.0
		for i := range x {
			x[i] = complex(rnd.NormFloat64(), rnd.NormFloat64())
			scale += real(x[i])*real(x[i]) + imag(x[i])*imag(x[i])
		}
		scale = math.Sqrt(scale) // the size of an element of the result
		plan := plans.get(n)
		plan.transform(got, x)
		for k := 0; k < n; k += 1 + n/100 {
			var want complex128
			for j, v := range x {
				want += v * root(j*k%n, n)
			}
			if e := cmplx.Abs(got[k] - want); e > 3e-14*scale {
				t.Errorf("length %d, element %d: got %v, want %v, off by %g", n, k, got[k], want, e/scale)
				break
			}
		}
		inverseFFT(plan, got, back)
		for i, v := range back {
			if e := cmplx.Abs(v - x[i]); e > 3e-14*scale {
				t.Errorf("length %d, element %d after both ways: got %v, want %v", n, i, v, x[i])
				break
			}
		}
	}
}

// TestRoot checks that multiples of an eighth of a circle are exact.
func TestRoot(t *testing.T) {
	for k, want := range []complex128{1, complex(0, -1), -1, complex(0, 1)} {
		if got := root(k*6, 24); got != want {
			t.Errorf("root(%d, 24) = %v, want %v", k*6, got, want)
		}
	}
	for k := range 360 {
		want := cmplx.Rect(1, -2*math.Pi*float64(k)/360)
		if got := root(k, 360); cmplx.Abs(got-want) > 2e-15 {
			t.Errorf("root(%d, 360) = %v, want %v", k, got, want)
		}
	}
}
