package linalg

import "github.com/go-nx/nx"

// Det returns the determinants of matrices. That of a 0 × 0 matrix is 1.
//
// Shapes: [..., n, n] → [...].
// DTypes: f32, f64, c64, c128; narrower floats are computed in f32, integers become f32.
// Gradient: the cofactors, also of a singular matrix; derivatives up to the fourth are correct at any rank,
// and higher ones for matrices with a rank deficit of at most four.
// Accuracy: exact for a matrix that differs from a by at most 20·n·ε·‖a‖. The product of
// many pivots may overflow: see [SlogDet].
// Errors: [nx.ErrShape] for matrices that are not square.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §3.4.
func Det(a nx.Tensor) nx.Tensor { return nameLike(castBack(det(square("Det", a)), a), a) }

func det(a nx.Tensor) nx.Tensor {
	return nx.CustomJVP(func(a nx.Tensor) nx.Tensor { return pivoted(a).det() }, func(a, _, da nx.Tensor) nx.Tensor {
		if rows(a) == 0 {
			return nx.Sum(da, nx.Axis(-1, -2))
		}
		_, d := nx.JVP(expandedDet, a, da)
		return d
	})(a)
}

// factored holds the factors of a determinant: the pivots, which are the diagonal of u, and the parity of the
// permutation, as -1 or 1.
type factored struct{ pivots, parity nx.Tensor }

func pivoted(a nx.Tensor) factored {
	lu, exchanged, _ := luBlock(a)
	moved := nx.Cast(nx.NotEqual(exchanged, nx.Iota(nx.Shape{rows(a)}, nx.S32)), nx.S32)
	odd := nx.Equal(nx.Remainder(nx.Sum(moved, nx.Axis(-1)), 2), 1)
	return factored{diagonal(lu), nx.Cast(nx.Where(odd, -1, 1), lu.DType())}
}

func (f factored) det() nx.Tensor { return nx.Mul(nx.Prod(f.pivots, nx.Axis(-1)), f.parity) }

// maxRankDeficit is the rank deficit up to which derivatives of the determinant that are not 0 are computed.
const maxRankDeficit = 4

// expandedDet is det with derivatives that do not divide by small numbers, to the order maxRankDeficit. With q
// and p of a rank-revealing factorisation a·p = q·r, both of which count as constants, the matrix qᴴ·a·p has
// blocks [b c; d e], where b is as well conditioned as possible, and e has the size maxRankDeficit: its
// determinant is det(b)·det(e - d·b⁻¹·c), and the latter is computed as a polynomial. If b is singular all of
// these derivatives are 0.
func expandedDet(a nx.Tensor) nx.Tensor {
	n := rows(a)
	h, taus, perm := pivotedQRBlock(nx.StopGradient(a), nx.Zeros(with(batch(a, 2), n), nx.S32))
	x := nx.Dot(adjoint(productBlock(h, taus)), swap(permuteRows(swap(a), perm)))
	x = nx.Add(upper(h), nx.Sub(x, nx.StopGradient(x))) // r, which has all its zeros, and moves as x
	var r nx.Tensor
	if k := n - maxRankDeficit; k <= 0 {
		r = polynomialDet(x)
	} else {
		b, c := cut(x, k, k), x.At(nx.Ellipsis, nx.To(k), nx.From(k))
		d, e := x.At(nx.Ellipsis, nx.From(k), nx.To(k)), x.At(nx.Ellipsis, nx.From(k), nx.From(k))
		lost := nx.Any(nx.Equal(diagonal(cut(h, k, k)), 0), nx.Axis(-1))
		b = nx.Where(scalars(lost), identity(b, k), b)
		r = nx.Mul(regularDet(b), polynomialDet(nx.Sub(e, nx.Dot(d, solveBlock(b, c)))))
		r = nx.Where(lost, 0, r)
	}
	return nx.Mul(r, nx.Mul(reflectorsDet(taus), parity(perm)))
}

var pivotedQRBlock = nx.Composite[func(a, first nx.Tensor) (h, taus, perm nx.Tensor)]("nx.pivoted_qr", nil)

// regularDet is det of matrices that have an inverse.
func regularDet(a nx.Tensor) nx.Tensor {
	return nx.CustomJVP(func(a nx.Tensor) nx.Tensor { return pivoted(a).det() },
		func(a, r, da nx.Tensor) nx.Tensor {
			return nx.Mul(r, nx.Sum(diagonal(solveBlock(a, da)), nx.Axis(-1)))
		})(a)
}

// polynomialDet is det of small matrices without divisions. R. Bird, A simple division-free
// algorithm for computing determinants, doi:10.1016/j.ipl.2011.08.006.
func polynomialDet(a nx.Tensor) nx.Tensor {
	n, x := rows(a), a
	for range n - 1 {
		above := nx.Where(compareIndices(n, n, nx.Less[nx.Tensor, nx.Tensor]),
			nx.ExpandAxis(diagonal(x), nx.Axis(-2)), 0)
		x = nx.Neg(nx.Dot(nx.SetDiagonal(nx.Triu(x, 1), nx.Neg(nx.Sum(above, nx.Axis(-1))), 0), a))
	}
	return x.At(nx.Ellipsis, 0, 0)
}

// reflectorsDet is the determinant of the product of reflectors I - tau·v·vᴴ: each has -1, or
// -tau/conj(tau), unless it is the identity.
func reflectorsDet(taus nx.Tensor) nx.Tensor {
	none := nx.Equal(taus, 0)
	safe := nx.Where(none, 1, taus)
	return nx.Prod(nx.Where(none, 1, nx.Neg(nx.Div(safe, conj(safe)))), nx.Axis(-1))
}

func conj(t nx.Tensor) nx.Tensor {
	if t.DType().IsComplex() {
		return nx.Conj(t)
	}
	return t
}

// parity is 1 for even permutations and -1 for odd ones.
func parity(perm nx.Tensor) nx.Tensor {
	n := perm.Shape()[perm.Rank()-1]
	first, second := nx.ExpandAxis(perm, nx.Axis(-1)), nx.ExpandAxis(perm, nx.Axis(-2))
	exchanged := nx.LogicalAnd(nx.Greater(first, second), compareIndices(n, n, nx.Less[nx.Tensor, nx.Tensor]))
	odd := nx.Remainder(nx.Sum(nx.Cast(exchanged, nx.S32), nx.Axis(-1, -2)), 2)
	return nx.Sub(1, nx.Mul(odd, 2))
}

// scalars returns numbers, one per matrix, two more axes.
func scalars(t nx.Tensor) nx.Tensor {
	return nx.ExpandAxis(nx.ExpandAxis(t, nx.Axis(-1)), nx.Axis(-1))
}

// permuteRows returns the rows of matrices in the order perm.
func permuteRows(t, perm nx.Tensor) nx.Tensor {
	s, n := t.Shape(), rows(t)
	count := batch(t, 2).Size()
	index := nx.Add(nx.Reshape(perm, count, n), nx.Mul(nx.Iota(nx.Shape{count, 1}, nx.S32), n))
	return nx.Reshape(nx.Take(nx.Reshape(t, count*n, columns(t)), nx.Flatten(index)), s...)
}

// SlogDet returns the sign of determinants and the logarithm of their absolute values:
// det a = sign·exp(log). The sign of a complex determinant is a number of absolute value
// 1. A singular matrix has sign 0 and logarithm -Inf.
//
// Shapes: [..., n, n] → [...], [...].
// DTypes: sign as a, the logarithm real; narrower floats are computed in f32, integers
// become f32.
// Gradient: of the logarithm the inverse, transposed, with Inf and NaN for a singular matrix; of
// a real sign zero.
// Accuracy: that of the factors, as for [Det]; no overflow.
// Errors: [nx.ErrShape] for matrices that are not square.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §3.4.
func SlogDet(a nx.Tensor) (sign, logabs nx.Tensor) {
	r := slogDet(square("SlogDet", a))
	d := result(a.DType())
	return nameLike(nx.Cast(r.Sign, d), a), nameLike(nx.Cast(r.Log, realType(d)), a)
}

type signLog struct{ Sign, Log nx.Tensor }

func slogDet(a nx.Tensor) signLog {
	return nx.CustomJVP(func(a nx.Tensor) signLog {
		f := pivoted(a)
		return signLog{nx.Mul(nx.Prod(nx.Sign(f.pivots), nx.Axis(-1)), f.parity),
			nx.Sum(nx.Log(nx.Abs(f.pivots)), nx.Axis(-1))}
	}, func(a nx.Tensor, r signLog, da nx.Tensor) signLog {
		trace := nx.Sum(diagonal(solveBlock(a, da)), nx.Axis(-1))
		if !trace.DType().IsComplex() {
			return signLog{Log: trace}
		}
		return signLog{nx.Mul(r.Sign, nx.Complex(0, nx.Imag(trace))), nx.Real(trace)}
	})(a)
}
