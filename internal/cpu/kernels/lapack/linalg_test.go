package lapack

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// fromComplex converts a number to any field.
func fromComplex[T field](z complex128) T {
	var zero T
	switch any(zero).(type) {
	case float32:
		return any(float32(real(z))).(T)
	case float64:
		return any(real(z)).(T)
	case complex64:
		return any(complex64(z)).(T)
	}
	return any(z).(T)
}

func toComplex[T field](x T) complex128 {
	switch x := any(x).(type) {
	case float32:
		return complex(float64(x), 0)
	case float64:
		return complex(x, 0)
	case complex64:
		return complex128(x)
	}
	return any(x).(complex128)
}

func epsilon[T field]() float64 {
	if s := rt.SizeOf[T](); s == 4 || s == 8 && toComplex(fromComplex[T](1i)) == 1i {
		return 1.2e-7
	}
	return 2.3e-16
}

func randomField[T field](r *rand.Rand, n int) []T {
	return kit.Count(n, func(int) T { return fromComplex[T](complex(r.NormFloat64(), r.NormFloat64())) })
}

func testCholesky[T field](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	env := kit.NewEnv(t, 2)
	for _, s := range [][2]int{{0, 3}, {1, 0}, {1, 1}, {3, 2}, {2, 5}, {5, 31}, {1, 33}, {2, 70}, {1, 100}} {
		batch, n := s[0], s[1]
		for _, upper := range []bool{false, true} {
			want := make([]T, batch*n*n) // the factor that builds the matrix
			a := make([]T, batch*n*n)
			for b := range batch {
				l, m := want[b*n*n:][:n*n], a[b*n*n:][:n*n]
				for i := range n {
					for j := range i + 1 {
						z := complex(r.NormFloat64(), r.NormFloat64())
						if i == j {
							z = complex(2+3*math.Sqrt(float64(n))*r.Float64()+math.Sqrt(float64(n)), 0)
						}
						l[i*n+j] = fromComplex[T](z)
					}
				}
				for i := range n {
					for j := range n {
						var z complex128
						for k := range min(i, j) + 1 {
							z += toComplex(l[i*n+k]) * cmplx.Conj(toComplex(l[j*n+k]))
						}
						m[i*n+j] = fromComplex[T](z)
						if (j > i) != upper && i != j {
							m[i*n+j] = fromComplex[T](complex(math.NaN(), 0)) // must not be read
						}
					}
				}
				if upper {
					mirror(l, n)
				}
			}
			got := make([]T, len(a))
			if err := Cholesky(env, got, a, batch, n, upper); err != nil {
				t.Fatal(err)
			}
			for i := range want {
				if d := cmplx.Abs(toComplex(got[i]) - toComplex(want[i])); !(d < 20*epsilon[T]()*float64(n+5)) {
					t.Fatalf("%T %v upper %v: element %d is %v, want %v", got[0], s, upper, i, got[i], want[i])
				}
			}
			if err := Cholesky(env, a, a, batch, n, upper); err != nil || fmt.Sprint(a) != fmt.Sprint(got) {
				t.Errorf("%v upper %v: in place differs (%v)", s, upper, err)
			}
		}
	}
	kit.CheckFreed(t, env)
}

func TestCholesky(t *testing.T) {
	testCholesky[float32](t)
	testCholesky[float64](t)
	testCholesky[complex64](t)
	testCholesky[complex128](t)
}

func TestCholeskyNotPositiveDefinite(t *testing.T) {
	a := []float64{1, 2, 2, 1}
	if err := Cholesky(nil, a, a, 1, 2, false); err != nil || a[3] == a[3] {
		t.Errorf("got %v, %v", a, err)
	}
}

func testTriangular[T field](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	env := kit.NewEnv(t, 2)
	for _, s := range [][3]int{{0, 3, 2}, {1, 0, 3}, {1, 3, 0}, {1, 1, 1}, {2, 3, 4}, {3, 33, 1},
		{2, 40, 7}, {1, 66, 35}} {
		batch, n, m := s[0], s[1], s[2]
		for bits := range 32 {
			tr := Triangle{bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0, bits&16 != 0}
			a, x := randomField[T](r, batch*n*n), randomField[T](r, batch*n*m)
			for b := range batch {
				for i := range n {
					for j := range n {
						p := &a[(b*n+i)*n+j]
						z := toComplex(*p) / complex(float64(n), 0)
						if i == j {
							z += 2
						}
						*p = fromComplex[T](z)
						if i == j && tr.Unit || i != j && (j > i) != tr.Upper {
							*p = fromComplex[T](complex(math.NaN(), 0)) // must not be read
						}
					}
				}
			}
			op := func(b, i, j int) complex128 {
				if tr.Transpose {
					i, j = j, i
				}
				if i == j && tr.Unit {
					return 1
				}
				if i != j && (j > i) != tr.Upper {
					return 0
				}
				z := toComplex(a[(b*n+i)*n+j])
				if tr.Conjugate {
					z = cmplx.Conj(z)
				}
				return z
			}
			rhs := make([]T, len(x))
			for b := range batch {
				for i := range n {
					for j := range m {
						var z complex128
						for k := range n {
							if tr.Right {
								z += toComplex(x[(b*m+j)*n+k]) * op(b, k, i)
							} else {
								z += op(b, i, k) * toComplex(x[(b*n+k)*m+j])
							}
						}
						if tr.Right {
							rhs[(b*m+j)*n+i] = fromComplex[T](z)
						} else {
							rhs[(b*n+i)*m+j] = fromComplex[T](z)
						}
					}
				}
			}
			if err := TriangularSolve(env, rhs, a, rhs, batch, n, m, tr); err != nil {
				t.Fatal(err)
			}
			for i := range x {
				if d := cmplx.Abs(toComplex(rhs[i]) - toComplex(x[i])); !(d < 100*epsilon[T]()*float64(n+5)) {
					t.Fatalf("%v %+v: element %d is %v, want %v", s, tr, i, rhs[i], x[i])
				}
			}
		}
	}
	kit.CheckFreed(t, env)
}

func TestTriangularSolve(t *testing.T) {
	testTriangular[float32](t)
	testTriangular[float64](t)
	testTriangular[complex64](t)
	testTriangular[complex128](t)
}

func BenchmarkLinalg(b *testing.B) {
	env := kit.NewEnv(b, 0)
	r := rand.New(rand.NewPCG(1, 2))
	const n = 512
	a := kit.Fill(r, make([]float32, n*n))
	for i := range n {
		for j := range i {
			a[j*n+i] = a[i*n+j]
		}
		a[i*n+i] += 4 * n
	}
	dst := make([]float32, n*n)
	b.Run("cholesky/512", func(b *testing.B) {
		kit.Bench(b, n*n*n/3, "GF/s", func() error { return Cholesky(env, dst, a, 1, n, false) })
	})
	x := kit.Fill(r, make([]float32, n*n))
	b.Run("triangular/512x512", func(b *testing.B) {
		kit.Bench(b, n*n*n, "GF/s", func() error { return TriangularSolve(env, dst, a, x, 1, n, n, Triangle{}) })
	})
	b.Run("triangular/512x16", func(b *testing.B) {
		kit.Bench(b, n*n*16, "GF/s", func() error {
			return TriangularSolve(env, dst, a, x, 1, n, 16, Triangle{Upper: true})
		})
	})
	b.Run("cholesky/1000x16", func(b *testing.B) {
		small := make([]float32, 1000*256)
		for i := range small {
			small[i] = 0.1
			if i%17 == 0 || i%256%17 == 0 {
				small[i] = 20
			}
		}
		kit.Bench(b, 1000*16*16*16/3, "GF/s", func() error {
			return Cholesky(env, dst[:len(small)], small, 1000, 16, false)
		})
	})
}
