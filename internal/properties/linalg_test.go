package properties

import (
	"math"
	"slices"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
	"pgregory.net/rapid"
)

// matrices draws batches of matrices of a field: random numbers, or small integers, which
// make many of them singular.
func matrices(t *rapid.T, m, n int) nx.Tensor {
	d := dtypeOf(t, fields)
	shape := append(shapeOf(t, 0, 2), m, n)
	if rapid.Bool().Draw(t, "integers") {
		return integers(t, d, shape...)
	}
	return numbers(t, d, shape...)
}

func size(t *rapid.T, name string) int { return rapid.IntRange(1, 7).Draw(t, name) }

func identity(d nx.DType, n int) nx.Tensor { return nx.Cast(nx.Eye(nx.Shape{n, n}, nx.F32), d) }

// allowed is the backward error that a factorisation may have: 20·n·ε·‖a‖.
func allowed(a nx.Tensor) float64 {
	return 20 * float64(slices.Max(a.Shape())) * epsilon(a.DType()) * norm(a)
}

func orthonormal(t *rapid.T, what string, q nx.Tensor) {
	t.Helper()
	n := q.Shape()[q.Rank()-1]
	gram := nx.Dot(linalg.Adjoint(q), q)
	near(t, what, gram, nx.BroadcastTo(identity(q.DType(), n), gram.Shape()...), allowed(q)+1e-300)
}

func TestLU(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := matrices(t, size(t, "rows"), size(t, "columns"))
		p, l, u := linalg.LU(a)
		near(t, "p·l·u", nx.Dot(p, nx.Dot(l, u)), a, allowed(a))
		near(t, "p·pᵀ", nx.Dot(p, linalg.Adjoint(p)),
			nx.BroadcastTo(identity(a.DType(), p.Shape()[p.Rank()-1]), p.Shape()...), 0)
		equal(t, "l is lower", nx.Tril(l, 0), l)
		equal(t, "u is upper", nx.Triu(u, 0), u)
		if most := nx.Item[float64](nx.Max(nx.Abs(l))); most > math.Sqrt2+1e-6 {
			t.Fatalf("an element of l has the size %v", most)
		}
	})
}

func TestQR(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := matrices(t, size(t, "rows"), size(t, "columns"))
		mode := rapid.SampledFrom([]linalg.Mode{linalg.Reduced, linalg.Complete}).Draw(t, "mode")
		q, r := linalg.QR(a, mode)
		near(t, "q·r", nx.Dot(q, r), a, allowed(a))
		equal(t, "r is upper", nx.Triu(r, 0), r)
		orthonormal(t, "qᴴ·q", q)
	})
}

func TestSVD(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := matrices(t, size(t, "rows"), size(t, "columns"))
		u, s, vt := linalg.SVD(a)
		near(t, "u·s·vt", nx.Dot(nx.Mul(u, nx.Cast(nx.ExpandAxis(s, nx.Axis(-2)), a.DType())), vt), a, allowed(a))
		orthonormal(t, "uᴴ·u", u)
		orthonormal(t, "vt·vtᴴ", linalg.Adjoint(vt))
		equal(t, "s descends", nx.Sort(s, nx.Axis(-1), nx.Descending), s)
		equal(t, "s is not negative", nx.Abs(s), s)
		near(t, "‖s‖ is ‖a‖", nx.Full(nx.Shape{}, norm(s), nx.F64), nx.Full(nx.Shape{}, norm(a), nx.F64), allowed(a))
		near(t, "SVDVals", linalg.SVDVals(a), s, allowed(a))
	})
}

func TestEigh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := size(t, "n")
		a := matrices(t, n, n)
		h := nx.Add(a, linalg.Adjoint(a))
		w, v := linalg.Eigh(h)
		near(t, "v·w·vᴴ", nx.Dot(nx.Mul(v, nx.Cast(nx.ExpandAxis(w, nx.Axis(-2)), a.DType())), linalg.Adjoint(v)),
			h, allowed(h))
		orthonormal(t, "vᴴ·v", v)
		equal(t, "w ascends", nx.Sort(w, nx.Axis(-1)), w)
	})
}

func TestEig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := size(t, "n")
		a := matrices(t, n, n)
		w, v := linalg.Eig(a)
		c := nx.Cast(a, w.DType())
		near(t, "a·v = v·w", nx.Dot(c, v), nx.Mul(v, nx.ExpandAxis(w, nx.Axis(-2))),
			allowed(c)*math.Sqrt(float64(n))+1e-300)
		trace := nx.Sum(nx.Mul(c, identity(c.DType(), n)), nx.Axis(-1, -2))
		near(t, "Σw is the trace", nx.Sum(w, nx.Axis(-1)), trace, 10*allowed(c)*float64(n)+1e-300)
	})
}

func TestCholesky(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := size(t, "n")
		a := matrices(t, n, n)
		g := nx.Add(nx.Dot(a, linalg.Adjoint(a)), identity(a.DType(), n))
		l := linalg.Cholesky(g)
		near(t, "l·lᴴ", nx.Dot(l, linalg.Adjoint(l)), g, allowed(g))
		equal(t, "l is lower", nx.Tril(l, 0), l)
	})
}

// TestSolve: a·x = b and x·a = b, triangular or not, have small residuals.
func TestSolve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, k := size(t, "n"), size(t, "k")
		a := matrices(t, n, n)
		a = nx.Add(a, nx.Mul(identity(a.DType(), n), 1+norm(a))) // regular, and so are its triangles
		b := nx.BroadcastTo(numbers(t, a.DType(), n, k), append(slices.Clone(a.Shape()[:a.Rank()-2]), n, k)...)
		fits := func(what string, a, x, b nx.Tensor) {
			near(t, what, nx.Dot(a, x), b, 20*float64(n)*epsilon(a.DType())*(norm(a)*norm(x)+norm(b)))
		}
		fits("Solve", a, linalg.Solve(a, b), b)
		fits("lower", nx.Tril(a, 0), linalg.TriangularSolve(a, b), b)
		fits("upper", nx.Triu(a, 0), linalg.TriangularSolve(a, b, linalg.Upper), b)
		fits("adjoint", linalg.Adjoint(nx.Tril(a, 0)), linalg.TriangularSolve(a, b, linalg.Adjointed), b)
		left := linalg.TriangularSolve(a, linalg.Adjoint(b), linalg.LeftOf)
		fits("left", linalg.Adjoint(nx.Tril(a, 0)), linalg.Adjoint(left), b)
		fits("Inv", a, nx.Dot(linalg.Inv(a), b), b)
	})
}

// TestDeterminants: of products, of powers and by SlogDet; integers up to 5 make them exact in f64.
func TestDeterminants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "n")
		a, b := integers(t, nx.F64, n, n), integers(t, nx.F64, n, n)
		most := math.Pow(1+norm(a), float64(n)) * math.Pow(1+norm(b), float64(n))
		near(t, "det(a·b)", linalg.Det(nx.Dot(a, b)), nx.Mul(linalg.Det(a), linalg.Det(b)), 1e-13*most)
		near(t, "det aᵀ", linalg.Det(linalg.Adjoint(a)), linalg.Det(a), 1e-13*most)
		sign, logabs := linalg.SlogDet(a)
		near(t, "SlogDet", nx.Mul(sign, nx.Exp(logabs)), linalg.Det(a), 1e-13*most)
	})
}

// TestPinv: the four equations of Penrose.
func TestPinv(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := integers(t, dtypeOf(t, fields), size(t, "rows"), size(t, "columns"))
		p := linalg.Pinv(a)
		tol := 100 * float64(slices.Max(a.Shape())) * epsilon(a.DType()) * math.Pow(1+norm(a)*norm(p), 2)
		ap, pa := nx.Dot(a, p), nx.Dot(p, a)
		near(t, "a·p·a", nx.Dot(ap, a), a, tol*norm(a))
		near(t, "p·a·p", nx.Dot(pa, p), p, tol*norm(p))
		near(t, "a·p is Hermitian", linalg.Adjoint(ap), ap, tol)
		near(t, "p·a is Hermitian", linalg.Adjoint(pa), pa, tol)
		if rank := nx.Item[float64](linalg.MatrixRank(a)); math.Abs(rank-nx.Item[float64](nx.Real(nx.Sum(nx.Mul(ap,
			identity(a.DType(), a.Shape()[0])))))) > 0.1 {
			t.Fatalf("the rank is %v, the trace of a·p another number", rank)
		}
	})
}

// TestLstsq: the residual is orthogonal to the columns.
func TestLstsq(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, n := size(t, "rows"), size(t, "columns")
		a := integers(t, dtypeOf(t, fields), m, n)
		b := numbers(t, a.DType(), m, 2)
		r := linalg.Lstsq(a, b)
		rest := nx.Sub(nx.Dot(a, r.X), b)
		near(t, "aᴴ·(a·x - b)", nx.Dot(linalg.Adjoint(a), rest), nx.Zeros(nx.Shape{n, 2}, a.DType()),
			1000*epsilon(a.DType())*norm(a)*(norm(a)*norm(r.X)+norm(b)))
		near(t, "residuals", r.Residuals, nx.Sum(nx.Square(nx.Abs(rest)), nx.Axis(0)),
			1000*epsilon(a.DType())*(1+norm(a)*norm(r.X)+norm(b))*(1+norm(b)+norm(a)*norm(r.X)))
	})
}

// TestPowers: laws of powers, exponentials and Kronecker products.
func TestPowers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "n")
		a, b := integers(t, nx.F64, n, n), integers(t, nx.F64, n, n)
		i, j := rapid.IntRange(0, 3).Draw(t, "i"), rapid.IntRange(0, 3).Draw(t, "j")
		equal(t, "aⁱ·aʲ", nx.Dot(linalg.MatrixPower(a, i), linalg.MatrixPower(a, j)), linalg.MatrixPower(a, i+j))
		equal(t, "(a⊗b)·(b⊗a)", nx.Dot(linalg.Kron(a, b), linalg.Kron(b, a)), linalg.Kron(nx.Dot(a, b), nx.Dot(b, a)))
		small := nx.Mul(a, 0.1)
		near(t, "eᵃ·e⁻ᵃ", nx.Dot(linalg.Expm(small), linalg.Expm(nx.Neg(small))), identity(nx.F64, n),
			1e-12*math.Exp(2*norm(small)))
		near(t, "det eᵃ", linalg.Det(linalg.Expm(small)), nx.Exp(nx.Sum(nx.Mul(small, identity(nx.F64, n)))),
			1e-12*math.Exp(2*norm(small)))
	})
}

// TestNorms: norms of vectors and matrices by their definitions.
func TestNorms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := numbers(t, dtypeOf(t, fields), size(t, "rows"), size(t, "columns"))
		tol := 100 * epsilon(a.DType()) * (1 + norm(a))
		abs, s := nx.Abs(a), linalg.SVDVals(a)
		near(t, "Frobenius", linalg.MatrixNorm(a, linalg.Frobenius), nx.Sqrt(nx.Sum(nx.Square(abs))), tol)
		near(t, "spectral", linalg.MatrixNorm(a, linalg.Spectral), nx.Max(s), tol)
		near(t, "nuclear", linalg.MatrixNorm(a, linalg.Nuclear), nx.Sum(s), 10*tol)
		near(t, "columns", linalg.MatrixNorm(a, linalg.MaxColumnSum), nx.Max(nx.Sum(abs, nx.Axis(0))), tol)
		near(t, "rows", linalg.MatrixNorm(a, linalg.MinRowSum), nx.Min(nx.Sum(abs, nx.Axis(1))), tol)
		p := rapid.SampledFrom([]float64{1, 1.5, 2, 3, math.Inf(1)}).Draw(t, "order")
		u, v := nx.Flatten(a), nx.Flatten(nx.Reverse(a))
		triangle := nx.Sub(linalg.VectorNorm(nx.Add(u, v), p), nx.Add(linalg.VectorNorm(u, p), linalg.VectorNorm(v, p)))
		if d := nx.Item[float64](triangle); d > 10*tol {
			t.Fatalf("the norm of order %v of a sum is larger than the sum of norms, by %v", p, d)
		}
	})
}
