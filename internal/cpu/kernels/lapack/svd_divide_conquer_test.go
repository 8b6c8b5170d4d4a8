package lapack

import (
	"math"
	"slices"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
)

func TestSVDDivideAndConquer(t *testing.T) {
	for _, n := range []int{48, 49, 97, 160, 256} {
		for name, m := range tridiagonals(n) {
			checkSVDDivideAndConquer[float32](t, name, m[0], m[1])
			checkSVDDivideAndConquer[float64](t, name, m[0], m[1])
		}
	}
	huge, tiny := slices.Repeat([]float64{1e99, -3e99}, 50), slices.Repeat([]float64{1e-99, 2e-99}, 50)
	checkSVDDivideAndConquer[float64](t, "huge", huge, huge)
	checkSVDDivideAndConquer[float64](t, "tiny", tiny, tiny)
}

// checkSVDDivideAndConquer checks singular values and vectors against the matrix, the identity and, for three workers,
// the results of one; the values against those of the iteration.
func checkSVDDivideAndConquer[R realField](t *testing.T, name string, d, e []float64) {
	t.Helper()
	n := len(d)
	var first []R
	var s []float64
	u, v := make([]R, n*n), make([]R, n*n)
	for _, workers := range []int{1, 3} {
		s = slices.Clone(d)
		env := kit.NewEnv(t, workers)
		if ok, err := svdDivideAndConquer(env, s, slices.Clone(e), u, v); !ok || err != nil {
			t.Fatalf("%s, n = %d: %v, %v", name, n, ok, err)
		}
		kit.CheckFreed(t, env)
		if both := slices.Concat(u, v); first == nil {
			first = both
		} else if !slices.Equal(first, both) {
			t.Errorf("%s, n = %d: three workers find other vectors than one", name, n)
		}
	}
	norm := 0.0
	for i := range n {
		norm = max(norm, math.Abs(d[i])+math.Abs(e[i]))
	}
	bound := 4 * float64(n) * epsilonOf[R]()
	for k := range n {
		x, y := u[k*n:][:n], v[k*n:][:n]
		for i := range n {
			right, left := d[i]*float64(y[i]), d[i]*float64(x[i])
			if i < n-1 {
				right += e[i] * float64(y[i+1])
			}
			if i > 0 {
				left += e[i-1] * float64(x[i-1])
			}
			right, left = right-s[k]*float64(x[i]), left-s[k]*float64(y[i])
			if !(math.Abs(right) <= bound*norm && math.Abs(left) <= bound*norm) {
				t.Fatalf("%s, n = %d: element %d is %g and %g off for the value %g", name, n, i, right, left, s[k])
			}
		}
		checkOrthonormal(t, name, u, n, k, bound)
		checkOrthonormal(t, name, v, n, k, bound)
	}
	want := slices.Clone(d)
	if !bidiagonalQR[R](kit.NewEnv(t, 1), want, slices.Clone(e), nil, nil, epsilonOf[float64]()) {
		t.Fatalf("%s, n = %d: the iteration did not converge", name, n)
	}
	slices.Sort(want)
	slices.Sort(s)
	for i := range n {
		if !(math.Abs(s[i]-want[i]) <= bound*norm) {
			t.Fatalf("%s, n = %d: singular value %d is %g, want %g", name, n, i, s[i], want[i])
		}
	}
}

// checkOrthonormal checks row k of z against the rows before it.
func checkOrthonormal[R realField](t *testing.T, name string, z []R, n, k int, bound float64) {
	t.Helper()
	for j := range k + 1 {
		product := 0.0
		for i, x := range z[k*n:][:n] {
			product += float64(x) * float64(z[j*n+i])
		}
		if j == k {
			product--
		}
		if !(math.Abs(product) <= bound) {
			t.Fatalf("%s, n = %d: vectors %d and %d are %g from orthonormal", name, n, j, k, product)
		}
	}
}

// TestSVDDivideAndConquerRefuses: matrices that are not finite have no singular values.
func TestSVDDivideAndConquerRefuses(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		d, e := make([]float64, 64), make([]float64, 64)
		e[40] = bad
		if ok, err := svdDivideAndConquer(kit.NewEnv(t, 1), d, e, make([]float32, 64*64), make([]float32, 64*64)); ok ||
			err != nil {
			t.Errorf("%v: %v, %v", bad, ok, err)
		}
	}
}
