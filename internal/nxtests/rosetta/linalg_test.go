package rosetta_test

import (
	"errors"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// must returns the tensors of a call that may fail.
func must(err error, ts ...any) any {
	if err != nil {
		panic(err)
	}
	return ts
}

var linearAlgebra = []row{
	{"np.linalg.cholesky", []pair{
		{"np.linalg.cholesky(e)", one(linalg.Cholesky, e)},
		{"np.linalg.cholesky(e + 1)", func() any {
			l, err := linalg.TryCholesky(nx.Add(e, 1))
			return must(err, l)
		}},
	}},
	{"scipy.linalg.lu", []pair{
		{"scipy.linalg.lu(s)", func() any {
			p, l, u := linalg.LU(s)
			return list(nx.Cast(p, nx.F64), l, u)
		}},
	}},
	{"np.linalg.solve", []pair{
		{"np.linalg.solve(s, v[:3])", func() any { return linalg.Solve(s, v.At(nx.To(3))) }},
		{"np.linalg.solve(s, e)", func() any {
			x, err := linalg.TrySolve(s, e)
			return must(err, x)
		}},
	}},
	{"scipy.linalg.solve_triangular", []pair{
		{"scipy.linalg.solve_triangular(s, e, lower=True)", func() any { return linalg.TriangularSolve(s, e) }},
		{"scipy.linalg.solve_triangular(s, e, trans=1)", func() any {
			return linalg.TriangularSolve(s, e, linalg.Upper, linalg.Transposed)
		}},
	}},
	{"np.linalg.inv", []pair{
		{"np.linalg.inv(s)", one(linalg.Inv, s)},
		{"np.linalg.inv(e)", func() any {
			x, err := linalg.TryInv(e)
			return must(err, x)
		}},
	}},
	{"np.linalg.det", []pair{{"np.linalg.det(s)", one(linalg.Det, s)}}},
	{"np.linalg.slogdet", []pair{
		{"tuple(np.linalg.slogdet(-s))", func() any {
			sign, log := linalg.SlogDet(nx.Neg(s))
			return list(sign, log)
		}},
	}},
	{"np.linalg.qr", []pair{
		{"(lambda q, r: [np.abs(q), np.abs(r)])(*np.linalg.qr(a.T))", func() any {
			q, r := linalg.QR(nx.Transpose(a))
			return list(nx.Abs(q), nx.Abs(r))
		}},
		{"np.abs(np.linalg.qr(a.T, 'complete')[1])", func() any {
			_, r := linalg.QR(nx.Transpose(a), linalg.Complete)
			return nx.Abs(r)
		}},
	}},
	{`np.linalg.qr(a, mode="raw"), lax.linalg.householder_product`, []pair{
		{"(lambda h, tau: [h.T, tau])(*np.linalg.qr(s, mode='raw'))", func() any {
			h, taus := linalg.HouseholderQR(s)
			return list(h, taus)
		}},
		{"lax.linalg.householder_product(*(lambda h, tau: (h.T, tau))(*np.linalg.qr(s, mode='raw')))", func() any {
			return linalg.HouseholderProduct(linalg.HouseholderQR(s))
		}},
	}},
	{"np.linalg.eigh", []pair{
		{"(lambda w, v: [w, np.abs(v)])(*np.linalg.eigh(e))", func() any {
			w, v := linalg.Eigh(e)
			return list(w, nx.Abs(v))
		}},
		{"np.linalg.eigh(e)[0]", func() any {
			w, _, err := linalg.TryEigh(e)
			return must(err, w)
		}},
	}},
	{"np.linalg.eigvalsh", []pair{{"np.linalg.eigvalsh(e)", func() any { return linalg.Eigvalsh(e) }}}},
	{"np.linalg.eig", []pair{
		{"(lambda w, v: np.sort_complex(w))(*np.linalg.eig(s))", func() any {
			w, _ := linalg.Eig(s)
			return sortedComplex(w)
		}},
		{"s @ np.eye(3)", func() any { // v·diag(w)·v⁻¹
			w, v, err := linalg.TryEig(s)
			if err != nil {
				panic(err)
			}
			return nx.Real(nx.Dot(nx.Mul(v, w), linalg.Inv(v)))
		}},
	}},
	{"np.linalg.eigvals", []pair{
		{"np.sort_complex(np.linalg.eigvals(s))", func() any { return sortedComplex(linalg.Eigvals(s)) }},
	}},
	{"np.linalg.svd(a, full_matrices=False)", []pair{
		{"(lambda u, s, vt: [np.abs(u), s, np.abs(vt)])(*np.linalg.svd(a, full_matrices=False))", func() any {
			u, s, vt := linalg.SVD(a)
			return list(nx.Abs(u), s, nx.Abs(vt))
		}},
		{"(lambda u, s, vt: [s, vt.shape[0]])(*np.linalg.svd(a))", func() any {
			_, s, vt := linalg.SVD(a, linalg.Complete)
			return list(s, vt.Shape()[0])
		}},
		{"np.linalg.svd(s)[1]", func() any {
			_, w, _, err := linalg.TrySVD(s)
			return must(err, w)
		}},
	}},
	{"np.linalg.svdvals", []pair{{"np.linalg.svdvals(a)", one(linalg.SVDVals, a)}}},
	{"np.linalg.pinv", []pair{
		{"np.linalg.pinv(a)", func() any { return linalg.Pinv(a) }},
		{"np.linalg.pinv(a, rcond=0.5)", func() any { return linalg.Pinv(a, linalg.Tolerance(0.5)) }},
	}},
	{"np.linalg.lstsq", []pair{
		{"np.linalg.lstsq(a.T, w[:4])", func() any {
			r := linalg.Lstsq(nx.Transpose(a), w.At(nx.To(4)))
			return list(r.X, nx.Reshape(r.Residuals, 1), r.Rank, r.SingularValues)
		}},
	}},
	{"np.linalg.matrix_rank", []pair{
		{"[np.linalg.matrix_rank(a), np.linalg.matrix_rank(np.ones((3, 3)))]", func() any {
			return list(linalg.MatrixRank(a), linalg.MatrixRank(nx.Ones(nx.Shape{3, 3}, nx.F64)))
		}},
	}},
	{"np.linalg.norm", []pair{
		{"[np.linalg.norm(v), np.linalg.norm(a), np.linalg.norm(a, axis=1)]", func() any {
			return list(linalg.Norm(v), linalg.Norm(a), linalg.Norm(a, nx.Axis(1)))
		}},
	}},
	{"np.linalg.vector_norm", []pair{
		{"[np.linalg.vector_norm(v, ord=p) for p in (1, 3, np.inf)]", func() any {
			return list(linalg.VectorNorm(v, 1), linalg.VectorNorm(v, 3), linalg.VectorNorm(v, inf))
		}},
	}},
	{"np.linalg.matrix_norm", []pair{
		{"[np.linalg.matrix_norm(a, ord=p) for p in ('fro', 'nuc', 2, -2, 1, -1)]", func() any {
			return list(linalg.MatrixNorm(a, linalg.Frobenius), linalg.MatrixNorm(a, linalg.Nuclear),
				linalg.MatrixNorm(a, linalg.Spectral), linalg.MatrixNorm(a, linalg.MinSingular),
				linalg.MatrixNorm(a, linalg.MaxColumnSum), linalg.MatrixNorm(a, linalg.MinColumnSum))
		}},
	}},
	{"np.linalg.cond", []pair{
		{"[np.linalg.cond(s), np.linalg.cond(s, 1)]", func() any {
			return list(linalg.Cond(s), linalg.Cond(s, linalg.MaxColumnSum))
		}},
	}},
	{"a.conj().mT", []pair{
		{"(s + 1j * e).conj().mT", func() any { return linalg.Adjoint(nx.Complex(s, e)) }},
	}},
	{"np.linalg.matrix_power", []pair{
		{"[np.linalg.matrix_power(s, n) for n in (3, 0, -2)]", func() any {
			return list(linalg.MatrixPower(s, 3), linalg.MatrixPower(s, 0), linalg.MatrixPower(s, -2))
		}},
	}},
	{"np.kron", []pair{{"np.kron(s, a)", two(linalg.Kron, s, a)}}},
	{"scipy.linalg.expm", []pair{{"scipy.linalg.expm(s)", one(linalg.Expm, s)}}},
	{"scipy.linalg.sqrtm, logm", []pair{
		{"[scipy.linalg.sqrtm(s), scipy.linalg.logm(s)]", func() any { return list(linalg.Sqrtm(s), linalg.Logm(s)) }},
		{"[scipy.linalg.sqrtm(e), scipy.linalg.logm(e)]", func() any {
			root, err := linalg.TrySqrtm(e)
			log, err2 := linalg.TryLogm(e)
			return must(errors.Join(err, err2), root, log)
		}},
	}},
}

// sortedComplex sorts numbers as np.sort_complex does, by their real parts and then the imaginary ones; those of a
// pair of conjugates have equal real parts.
func sortedComplex(z nx.Tensor) nx.Tensor {
	byImag := nx.Take(z, nx.ArgSort(nx.Imag(z)))
	return nx.Take(byImag, nx.ArgSort(nx.Round(nx.Mul(nx.Real(byImag), 1e9))))
}
