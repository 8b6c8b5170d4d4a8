package linalg_test

import (
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

var tall = []nx.Shape{{7, 4}, {90, 40}, {2, 5, 3}, {3, 0}, {40, 1}, {2, 0, 4, 2}}
var wide = []nx.Shape{{4, 7}, {40, 90}, {2, 3, 5}, {0, 3}, {1, 40}}

// TestQR: q·r = a, qᴴ·q = 1, r is upper triangular; the kernel agrees with plain ops.
func TestQR(t *testing.T) {
	for _, d := range types {
		for i, s := range append(append(append([]nx.Shape{}, shapes...), tall...), wide...) {
			for _, mode := range []linalg.Mode{linalg.Reduced, linalg.Complete} {
				what := named("%s%v mode %d", d, s, mode)
				a := random(uint64(i), d, s...)
				q, r := linalg.QR(a, mode)
				backward(t, what+": q·r", a, nx.Dot(q, r))
				orthonormal(t, what, q)
				k := min(s[len(s)-1], s[len(s)-2])
				if mode == linalg.Complete {
					k = s[len(s)-2]
				}
				if q.Shape()[len(s)-1] != k || r.Shape()[len(s)-2] != k {
					t.Errorf("%s: shapes %v and %v", what, q.Shape(), r.Shape())
				}
				if s.Size() > 1000 {
					continue
				}
				f := func(in []nx.Tensor) []nx.Tensor { q, r := linalg.QR(in[0], mode); return []nx.Tensor{q, r} }
				for k, x := range onInterp(t, f, a) {
					near(t, named("%s: factor %d by plain ops", what, k), x, []nx.Tensor{q, r}[k],
						1e3*eps(d)*(1+norm(x)))
				}
			}
		}
	}
}

// TestQROfExtremes: numbers whose squares overflow or vanish, zero columns, equal columns.
func TestQROfExtremes(t *testing.T) {
	for _, scale := range []float64{1e-300, 1e300, 0} {
		a := nx.Mul(random(1, nx.F64, 6, 4), scale)
		q, r := linalg.QR(a)
		orthonormal(t, named("%g", scale), q)
		x := nx.Mul(a, 1/max(scale, 1e-300))
		backward(t, named("%g", scale), x, nx.Dot(q, nx.Mul(r, 1/max(scale, 1e-300))))
	}
	one := nx.Ones(nx.Shape{5, 3}, nx.F64)
	q, r := linalg.QR(one)
	orthonormal(t, "equal columns", q)
	backward(t, "equal columns", one, nx.Dot(q, r))
}

// TestQROfSubnormals: what equal columns leave below the diagonal gets smaller from column to
// column, down to subnormal numbers, and Q stays orthonormal.
func TestQROfSubnormals(t *testing.T) {
	for _, d := range types {
		for _, n := range []int{100, 130, 200} {
			a := nx.Ones(nx.Shape{n, n}, d)
			f := func(in []nx.Tensor) []nx.Tensor { q, r := linalg.QR(in[0]); return []nx.Tensor{q, r} }
			for how, out := range map[string][]nx.Tensor{"": f([]nx.Tensor{a}), " by plain ops": byPlainOps(t, f, a)} {
				orthonormal(t, named("%s %d%s", d, n, how), out[0])
				backward(t, named("%s %d%s", d, n, how), a, nx.Dot(out[0], out[1]))
			}
			u, s, vt := linalg.SVD(a)
			orthonormal(t, named("%s %d, SVD", d, n), u)
			orthonormal(t, named("%s %d, SVD", d, n), adjoint(vt))
			backward(t, named("%s %d, SVD", d, n), a, nx.Dot(nx.Mul(u, nx.Cast(s, d)), vt))
		}
		small := nx.Mul(random(1, d, 6, 4), nx.Cast(nx.New(16*d.Real().SmallestSubnormal()), d))
		q, _ := linalg.QR(small)
		orthonormal(t, named("%s, subnormal elements", d), q)
	}
}

func TestHouseholderProduct(t *testing.T) {
	for _, d := range types {
		a := random(1, d, 2, 8, 5)
		h, taus := linalg.HouseholderQR(a)
		q, _ := linalg.QR(a)
		near(t, named("%s", d), linalg.HouseholderProduct(h, taus), q, 1e2*eps(d))
		short := linalg.HouseholderProduct(h, taus.At(nx.Whole, nx.To(2)))
		orthonormal(t, named("%s: two reflectors", d), short)
		f := func(in []nx.Tensor) []nx.Tensor { return []nx.Tensor{linalg.HouseholderProduct(in[0], in[1])} }
		near(t, named("%s by plain ops", d), onInterp(t, f, h, taus)[0], q, 1e2*eps(d))
	}
}

func TestQRDerivatives(t *testing.T) {
	for _, d := range []nx.DType{nx.F64, nx.C128} {
		for _, s := range []nx.Shape{{4, 4}, {5, 3}, {3, 5}, {2, 4, 3}} {
			for _, mode := range []linalg.Mode{linalg.Reduced, linalg.Complete} {
				derivatives(t, named("%s%v mode %d", d, s, mode), func(x nx.Tensor) nx.Tensor {
					q, r := linalg.QR(x, mode)
					return nx.Concatenate([]nx.Tensor{nx.Reshape(q, -1), nx.Reshape(r, -1)})
				}, random(3, d, s...))
			}
		}
		derivatives(t, named("%s: HouseholderQR", d), func(x nx.Tensor) nx.Tensor {
			h, taus := linalg.HouseholderQR(x)
			return nx.Concatenate([]nx.Tensor{nx.Reshape(h, -1), nx.Reshape(taus, -1)})
		}, random(3, d, 4, 3))
	}
}

func TestProducts(t *testing.T) {
	a, b := nx.New([][]float64{{1, 2}, {3, 4}}), nx.New([][]float64{{0, 1}, {1, 0}})
	want := nx.New([][]float64{{0, 1, 0, 2}, {1, 0, 2, 0}, {0, 3, 0, 4}, {3, 0, 4, 0}})
	near(t, "Kron", linalg.Kron(a, b), want, 0)
	near(t, "Kron of vectors", linalg.Kron(a.At(0), a.At(1)), nx.New([]float64{3, 4, 6, 8}), 0)
	near(t, "Kron of a scalar", linalg.Kron(nx.New(2.0), a), nx.Mul(2, a), 0)
	near(t, "Kron of batches", linalg.Kron(nx.Stack([]nx.Tensor{a, a}), b).At(1), want, 0)
	near(t, "power 5", linalg.MatrixPower(a, 5), nx.Dot(a, nx.Dot(a, nx.Dot(a, nx.Dot(a, a)))), 1e-9)
	near(t, "power 0", linalg.MatrixPower(a, 0), nx.Eye(nx.Shape{2, 2}, nx.F64), 0)
	near(t, "power -2", nx.Dot(linalg.MatrixPower(a, -2), nx.Dot(a, a)), nx.Eye(nx.Shape{2, 2}, nx.F64), 1e-13)
	for _, d := range types {
		x := random(1, d, 3, 4)
		near(t, named("%s: adjoint", d), linalg.Adjoint(linalg.Adjoint(x)), x, 0)
		near(t, named("%s: adjoint", d), linalg.Adjoint(x), adjoint(x), 0)
	}
}
