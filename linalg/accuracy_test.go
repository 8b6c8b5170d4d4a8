package linalg_test

import (
	"math"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// kinds are matrices of n × n elements that factorisations find hard.
var kinds = []struct {
	name string
	make func(d nx.DType, n int) nx.Tensor
}{
	{"random", func(d nx.DType, n int) nx.Tensor { return random(1, d, n, n) }},
	{"graded", func(d nx.DType, n int) nx.Tensor { // rows and columns from 1 down to ε
		scale := make([]float64, n)
		for i := range scale {
			scale[i] = math.Pow(eps(d), float64(i)/float64(max(1, n-1)))
		}
		s := nx.Cast(nx.New(scale), d)
		return nx.Mul(nx.Mul(random(2, d, n, n), s), nx.ExpandAxis(s, nx.Axis(1)))
	}},
	{"clustered", func(d nx.DType, n int) nx.Tensor { // singular values around 1 and 1e-3
		return spectrum(d, n, func(i int) float64 { return math.Pow(1e-3, float64(i%2)) * (1 + 10*eps(d)*float64(i)) })
	}},
	{"deficient", func(d nx.DType, n int) nx.Tensor { // half the rank
		return nx.Dot(random(3, d, n, n/2), random(4, d, n/2, n))
	}},
}

func spectrum(d nx.DType, n int, f func(i int) float64) nx.Tensor {
	q, _ := linalg.QR(random(5, d, n, n))
	p, _ := linalg.QR(random(6, d, n, n))
	s := make([]float64, n)
	for i := range s {
		s[i] = f(i)
	}
	return nx.Dot(nx.Mul(q, nx.Cast(nx.New(s), d)), p)
}

// TestAccuracy: backward errors, and how far vectors are from orthonormal, in units of n·ε,
// are at most 20, as LAPACK's are. -v prints the table.
func TestAccuracy(t *testing.T) {
	t.Log("| matrix | type | n | LU | Cholesky | QR | Solve | Eigh | SVD | orthogonality | Eig |")
	for _, kind := range kinds {
		for _, d := range types {
			for _, n := range []int{10, 100} {
				a := kind.make(d, n)
				unit := float64(n) * eps(d)
				off := func(x, y nx.Tensor) float64 { return norm(nx.Sub(x, y)) / (unit * norm(x)) }
				one := nx.Cast(nx.Eye(nx.Shape{n, n}, nx.F32), d)
				p, l, u := linalg.LU(a)
				q, r := linalg.QR(a)
				h := nx.Mul(nx.Add(a, adjoint(a)), 0.5)
				w, v := linalg.Eigh(h)
				us, s, vt := linalg.SVD(a)
				gram := nx.Add(nx.Dot(a, adjoint(a)), nx.Mul(one, norm(a)*norm(a)*eps(d)*float64(n)))
				c := linalg.Cholesky(gram)
				b := random(9, d, n, 2)
				x := linalg.Solve(nx.Add(a, nx.Mul(one, norm(a)/4)), b)
				rest := norm(nx.Sub(nx.Dot(nx.Add(a, nx.Mul(one, norm(a)/4)), x), b)) / (unit * (norm(a)*norm(x) + norm(b)))
				orthogonal := max(off(one, nx.Dot(adjoint(q), q)), off(one, nx.Dot(adjoint(v), v)),
					off(one, nx.Dot(adjoint(us), us)),
					off(one, nx.Dot(vt, adjoint(vt))))
				found := []float64{off(a, nx.Dot(p, nx.Dot(l, u))), off(gram, nx.Dot(c, adjoint(c))), off(a, nx.Dot(q, r)), rest,
					off(h, compose(w, v)), off(a, product(us, s, vt)), orthogonal}
				we, ve := linalg.Eig(a)
				ac := nx.Cast(a, we.DType())
				found = append(found, norm(nx.Sub(nx.Dot(ac, ve), nx.Mul(ve, nx.ExpandAxis(we, nx.Axis(0)))))/(unit*norm(a)))
				t.Logf("| %s | %s | %d | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |", kind.name, d, n,
					found[0], found[1], found[2], found[3], found[4], found[5], found[6], found[7])
				for i, e := range found {
					if !(e <= 20) {
						t.Errorf("%s %s, n = %d: error %d is %.3g n·ε", kind.name, d, n, i, e)
					}
				}
			}
		}
	}
}
