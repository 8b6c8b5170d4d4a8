package lapack

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
)

// tridiagonals are hard matrices for divide and conquer: many equal or nearly equal eigenvalues, decoupled parts,
// numbers of all magnitudes.
func tridiagonals(n int) map[string][2][]float64 {
	out := map[string][2][]float64{}
	r := rand.New(rand.NewPCG(uint64(n), 1))
	add := func(name string, d, e func(i int) float64) {
		m := [2][]float64{make([]float64, n), make([]float64, n)}
		for i := range n {
			m[0][i], m[1][i] = d(i), e(i)
		}
		out[name] = m
	}
	one := func(int) float64 { return 1 }
	random := func(int) float64 { return r.NormFloat64() }
	graded := func(i int) float64 { return math.Pow(2, -float64(i)/3) }
	add("random", random, random)
	add("all zero", func(int) float64 { return 0 }, func(int) float64 { return 0 })
	add("identity", one, func(int) float64 { return 0 })
	add("differences", func(int) float64 { return 2 }, func(int) float64 { return -1 })
	add("graded", graded, graded)
	add("rising", func(i int) float64 { return graded(n - i) }, func(i int) float64 { return -graded(n - i) })
	add("nearly diagonal", random, func(int) float64 { return 1e-9 * r.NormFloat64() })
	add("parts", random, func(i int) float64 { return float64(i % 3) })
	add("glued Wilkinson", func(i int) float64 { return math.Abs(float64(i%21 - 10)) },
		func(i int) float64 {
			if i%21 == 20 {
				return 1e-8
			}
			return 1
		})
	return out
}

func TestDivideAndConquer(t *testing.T) {
	for _, n := range []int{48, 49, 97, 160, 256} {
		for name, m := range tridiagonals(n) {
			checkDivideAndConquer[float32](t, name, m[0], m[1])
			checkDivideAndConquer[float64](t, name, m[0], m[1])
		}
	}
}

// checkDivideAndConquer checks eigenvalues and eigenvectors against the matrix, the identity and, for three workers,
// the results of one.
func checkDivideAndConquer[R realField](t *testing.T, name string, d, e []float64) {
	t.Helper()
	n := len(d)
	var first []R
	for _, workers := range []int{1, 3} {
		w, rest, z := slices.Clone(d), slices.Clone(e), make([]R, n*n)
		if ok, err := divideAndConquer(kit.NewEnv(t, workers), w, rest, z); !ok || err != nil {
			t.Fatalf("%s, n = %d: %v, %v", name, n, ok, err)
		}
		if first == nil {
			first = z
		} else if !slices.Equal(first, z) {
			t.Errorf("%s, n = %d: three workers find other vectors than one", name, n)
		}
		norm := 0.0
		for i := range n {
			norm = max(norm, math.Abs(d[i])+2*math.Abs(e[i]))
		}
		bound := 4 * float64(n) * epsilonOf[R]()
		for k := range n {
			v := z[k*n:][:n]
			for i := range n {
				left := (d[i] - w[k]) * float64(v[i])
				if i > 0 {
					left += e[i-1] * float64(v[i-1])
				}
				if i < n-1 {
					left += e[i] * float64(v[i+1])
				}
				if !(math.Abs(left) <= bound*norm) {
					t.Fatalf("%s, n = %d: row %d of T·v - λ·v is %g for λ = %g", name, n, i, left, w[k])
				}
			}
			checkOrthonormal(t, name, z, n, k, bound)
		}
	}
}

// TestDivideAndConquerRefuses: matrices that are not finite have no eigenvalues.
func TestDivideAndConquerRefuses(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		d, e := make([]float64, 64), make([]float64, 64)
		e[40] = bad
		if ok, err := divideAndConquer(kit.NewEnv(t, 1), d, e, make([]float32, 64*64)); ok || err != nil {
			t.Errorf("%v: %v, %v", bad, ok, err)
		}
	}
}
