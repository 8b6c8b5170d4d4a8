package linalg

import "github.com/go-nx/nx"

// Det returns the determinants of matrices. That of a 0 × 0 matrix is 1.
//
// Shapes: [..., n, n] → [...].
// DTypes: f32, f64, c64, c128; narrower floats are computed in f32, integers become f32.
// Gradient: the cofactors, of a singular matrix, too.
// Accuracy: exact for a matrix that differs from a by at most 20·n·ε·‖a‖. The product of
// many pivots may overflow: see [SlogDet].
// Errors: [nx.ErrShape] for matrices that are not square.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §3.4.
func Det(a nx.Tensor) nx.Tensor { return like(back(det(square("Det", a)), a), a) }

var det = nx.CustomJVP(func(a nx.Tensor) nx.Tensor {
	f := pivoted(a)
	return f.det()
}, func(a, _, da nx.Tensor) nx.Tensor { return pivoted(a).cofactors(da) })

// factored is what determinants are made of: the factors, their pivots, the diagonal of
// u, and whether the permutation is odd, as -1 or 1.
type factored struct{ lu, perm, pivots, parity nx.Tensor }

func pivoted(a nx.Tensor) factored {
	lu, exchanged, perm := luBlock(a)
	moved := nx.Cast(nx.NotEqual(exchanged, nx.Iota(nx.Shape{rows(a)}, nx.S32)), nx.S32)
	odd := nx.Equal(nx.Remainder(nx.Sum(moved, nx.Axis(-1)), 2), 1)
	return factored{lu, perm, diagonal(lu), nx.Cast(nx.Where(odd, -1, 1), lu.DType())}
}

func (f factored) det() nx.Tensor { return nx.Mul(nx.Prod(f.pivots, nx.Axis(-1)), f.parity) }

// cofactors returns the sum of the elements of da, each times its cofactor, which is the
// trace of det(a)·a⁻¹·da. The last pivot, the only one that is zero in a matrix of rank
// n-1, is not divided by; the cofactors of a matrix of lower rank are 0.
func (f factored) cofactors(da nx.Tensor) nx.Tensor {
	n := rows(da)
	if n == 0 {
		return nx.Sum(da, nx.Axis(-1, -2))
	}
	last := nx.Iota(nx.Shape{n}, nx.S32)
	isLast := nx.Equal(last, n-1)
	most := nx.Mul(nx.Prod(nx.Where(isLast, 1, f.pivots), nx.Axis(-1)), f.parity) // det without the last pivot
	none := nx.Equal(most, 0)
	most = nx.Where(none, 1, most)
	corner := nx.LogicalAnd(nx.ExpandAxis(isLast, nx.Axis(-1)), isLast)
	u := nx.Where(corner, scalars(nx.Div(1, most)), f.lu)
	x := solveLower(f.lu, permuteRows(da, f.perm))
	x = nx.Where(nx.ExpandAxis(isLast, nx.Axis(-1)), x, nx.Mul(x, scalars(f.det())))
	x = nx.Where(scalars(none), 0, x)
	x = triangularBlocks[Upper](nx.Where(scalars(none), identity(u, n), u), x)
	return nx.Sum(diagonal(x), nx.Axis(-1))
}

// scalars gives numbers, one a matrix, two more axes.
func scalars(t nx.Tensor) nx.Tensor {
	return nx.ExpandAxis(nx.ExpandAxis(t, nx.Axis(-1)), nx.Axis(-1))
}

func solveLower(lu, b nx.Tensor) nx.Tensor { return triangularBlocks[UnitDiagonal](lu, b) }

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
// Gradient: of the logarithm the inverse, transposed; of a real sign zero.
// Accuracy: that of the factors, as for [Det]; no overflow.
// Errors: [nx.ErrShape] for matrices that are not square.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §3.4.
func SlogDet(a nx.Tensor) (sign, logabs nx.Tensor) {
	r := slogDet(square("SlogDet", a))
	d := result(a.DType())
	return like(nx.Cast(r.Sign, d), a), like(nx.Cast(r.Log, realType(d)), a)
}

type signLog struct{ Sign, Log nx.Tensor }

var slogDet = nx.CustomJVP(func(a nx.Tensor) signLog {
	f := pivoted(a)
	return signLog{nx.Mul(nx.Prod(nx.Sign(f.pivots), nx.Axis(-1)), f.parity),
		nx.Sum(nx.Log(nx.Abs(f.pivots)), nx.Axis(-1))}
}, func(a nx.Tensor, r signLog, da nx.Tensor) signLog {
	trace := nx.Sum(diagonal(solveBlock(a, da)), nx.Axis(-1))
	if !trace.DType().IsComplex() {
		return signLog{Log: trace}
	}
	return signLog{nx.Mul(r.Sign, nx.Complex(0, nx.Imag(trace))), nx.Real(trace)}
})
