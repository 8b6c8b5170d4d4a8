package lapack

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// factorisations are those of a matrix of n × n elements, as functions that return all results.
func factorisations[T field, R realField](a []T, n int) map[string]func(env *rt.Env) ([]T, error) {
	rest := func(w []R, more ...[]T) []T {
		out := slices.Concat(more...)
		for _, x := range w {
			out = append(out, scalar[T](float64(x), 0))
		}
		return out
	}
	return map[string]func(env *rt.Env) ([]T, error){
		"LU": func(env *rt.Env) ([]T, error) {
			lu := make([]T, n*n)
			err := LU(env, lu, make([]int32, n), make([]int32, n), a, 1, n, n)
			return lu, err
		},
		"QR": func(env *rt.Env) ([]T, error) {
			h, taus, q := make([]T, n*n), make([]T, n), make([]T, n*n)
			if err := QR(env, h, taus, a, 1, n, n); err != nil {
				return nil, err
			}
			err := HouseholderProduct(env, q, h, taus, 1, n, n, n)
			return slices.Concat(h, taus, q), err
		},
		"PivotedQR": func(env *rt.Env) ([]T, error) {
			h, taus, order := make([]T, n*n), make([]T, n), make([]int32, n)
			err := PivotedQR(env, h, taus, order, a, func(i int) bool { return i == n/2 }, 1, n, n)
			for _, c := range order {
				h = append(h, scalar[T](float64(c), 0))
			}
			return slices.Concat(h, taus), err
		},
		"Hessenberg": func(env *rt.Env) ([]T, error) {
			h, taus := make([]T, n*n), make([]T, n)
			err := Hessenberg(env, h, taus[:n-1], a, 1, n)
			return slices.Concat(h, taus), err
		},
		"Eigh": func(env *rt.Env) ([]T, error) {
			w, v := make([]R, n), make([]T, n*n)
			err := Eigh(env, w, v, a, 1, n, false)
			return rest(w, v), err
		},
		"Schur": func(env *rt.Env) ([]T, error) {
			s, z := make([]T, n*n), make([]T, n*n)
			err := Schur(env, s, z, a, 1, n)
			return slices.Concat(s, z), err
		},
		"SVD": func(env *rt.Env) ([]T, error) {
			s, u, vt := make([]R, n), make([]T, n*n), make([]T, n*n)
			err := SVD(env, s, u, vt, a, 1, n, n, true)
			return rest(s, u, vt), err
		},
	}
}

// TestFactorsSameForAnyWorkers compares bits.
func TestFactorsSameForAnyWorkers(t *testing.T) {
	sameForAnyWorkers[float32, float32](t)
	sameForAnyWorkers[float64, float64](t)
	sameForAnyWorkers[complex64, float32](t)
	sameForAnyWorkers[complex128, float64](t)
}

func sameForAnyWorkers[T field, R realField](t *testing.T) {
	const n = 150
	a := randomField[T](rand.New(rand.NewPCG(1, 1)), n*n)
	for name, f := range factorisations[T, R](a, n) {
		var want []T
		for _, workers := range []int{1, 2, 5} {
			env := kit.NewEnv(t, workers)
			got, err := f(env)
			if err != nil {
				t.Fatal(err)
			}
			kit.CheckFreed(t, env)
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s of %T: results depend on the number of workers", name, a)
			}
		}
	}
}

// TestFactorsScratchRefused: refused memory is an error, and all memory is freed.
func TestFactorsScratchRefused(t *testing.T) {
	const n = 64
	a := randomField[float64](rand.New(rand.NewPCG(1, 1)), n*n)
	for name, f := range factorisations[float64, float64](a, n) {
		env := kit.NewEnv(t, 1)
		env.Buffers = rt.NewBuffers(1000)
		var refused *rt.MemoryError
		if _, err := f(env); !errors.As(err, &refused) {
			t.Errorf("%s: the error is %v", name, err)
		}
		kit.CheckFreed(t, env)
	}
}

// TestFactorsStop: a cancelled execution ends in the middle.
func TestFactorsStop(t *testing.T) {
	const n = 512
	a := randomField[float64](rand.New(rand.NewPCG(1, 1)), n*n)
	for name, f := range factorisations[float64, float64](a, n) {
		// An execution that is cancelled too early does nothing: then the next waits longer.
		for try := 1; ; try++ {
			env := kit.NewEnv(t, 1)
			env.Cancel = new(atomic.Bool)
			time.AfterFunc(time.Duration(try)*time.Millisecond, func() { env.Cancel.Store(true) })
			var ended any
			func() {
				defer func() { ended = recover() }()
				_, _ = f(env)
			}()
			if ended == (rt.Stopped{}) {
				break
			}
			if ended != nil || try == 20 {
				t.Errorf("%s: it did not stop: %v", name, ended)
				break
			}
		}
	}
}

func BenchmarkFactors(b *testing.B) {
	const n = 256
	a := randomField[float32](rand.New(rand.NewPCG(1, 1)), n*n)
	for name, f := range factorisations[float32, float32](a, n) {
		b.Run(fmt.Sprintf("%s_%d", name, n), func(b *testing.B) {
			env := kit.NewEnv(b, 1)
			for b.Loop() {
				if _, err := f(env); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestLUNotFinite: numbers that are not finite propagate by arithmetic, and a NaN is never a pivot.
func TestLUNotFinite(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		a, want []float64
		pivots  []int32
	}{
		{[]float64{nan, 1, inf, 2}, []float64{nan, 1, nan, nan}, []int32{0, 1}},
		{[]float64{1, 2, nan, 4}, []float64{1, 2, nan, nan}, []int32{0, 1}},
		{[]float64{2, inf, 0, 1}, []float64{2, inf, 0, nan}, []int32{0, 1}},
		{[]float64{0, 1, inf, 2}, []float64{inf, 2, 0, 1}, []int32{1, 1}},
	} {
		got, pivots, perm := make([]float64, 4), make([]int32, 2), make([]int32, 2)
		if err := LU(nil, got, pivots, perm, c.a, 1, 2, 2); err != nil {
			t.Fatal(err)
		}
		same := func(x, y float64) bool { return x == y || x != x && y != y }
		if !slices.EqualFunc(got, c.want, same) || !slices.Equal(pivots, c.pivots) {
			t.Errorf("%v: got %v with pivots %v, want %v with %v", c.a, got, pivots, c.want, c.pivots)
		}
	}
}

// TestPivotedQR: the columns of the factors are those of the matrix in the returned order, fixed ones first, and the
// diagonal of r descends after them.
func TestPivotedQR(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for _, s := range [][2]int{{1, 1}, {5, 3}, {3, 5}, {40, 33}, {33, 40}} {
		m, n := s[0], s[1]
		k := min(m, n)
		a := make([]complex128, m*n)
		for i := range a {
			a[i] = complex(r.NormFloat64(), r.NormFloat64())
		}
		h, taus, order := make([]complex128, m*n), make([]complex128, k), make([]int32, n)
		first := n / 3
		if err := PivotedQR(nil, h, taus, order, a, func(i int) bool { return i%3 == 2 && i/3 < first },
			1, m, n); err != nil {
			t.Fatal(err)
		}
		q := make([]complex128, m*k)
		v := make([]complex128, m*k)
		for i := range m {
			copy(v[i*k:][:k], h[i*n:][:k])
		}
		if err := HouseholderProduct(nil, q, v, taus, 1, m, k, k); err != nil {
			t.Fatal(err)
		}
		for i := range first {
			if order[i] != int32(3*i+2) {
				t.Fatalf("%v: the order %v does not begin with the fixed columns", s, order)
			}
		}
		for i := range k {
			if i > first && cmplx.Abs(h[i*n+i]) > cmplx.Abs(h[(i-1)*n+i-1])*(1+1e-12) {
				t.Errorf("%v: the diagonal grows at %d", s, i)
			}
		}
		for i := range m {
			for c := range n {
				sum := complex128(0)
				for j := range min(k, c+1) {
					sum += q[i*k+j] * h[j*n+c]
				}
				if d := cmplx.Abs(sum - a[i*n+int(order[c])]); d > 1e-13 {
					t.Fatalf("%v: element %d, %d is off by %v", s, i, c, d)
				}
			}
		}
	}
}
