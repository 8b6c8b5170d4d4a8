package linalg

import "github.com/go-nx/nx"

var luBlock = nx.Composite[func(nx.Tensor) (lu, pivots, perm nx.Tensor)]("nx.lu", nil)

// LU returns factors with a = p·l·u: a permutation matrix, a lower triangular matrix with
// ones on its diagonal and an upper triangular one. Rows are exchanged for the pivot of
// the largest |re| + |im|. A singular matrix has a zero on the diagonal of u.
//
// Shapes: a [..., m, n] → p [..., m, m], l [..., m, k], u [..., k, n] with k = min(m, n).
// DTypes: f32, f64, c64, c128; narrower floats are computed in f32, integers become f32.
// Gradient: of l and u; p is piecewise constant. Infinite or NaN for a zero pivot that is a divisor: not the
// last one of a matrix with no more rows than columns.
// Accuracy: p·l·u differs from a by at most 20·n·ε·‖a‖.
// Errors: [nx.ErrShape] for operands that are not matrices.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §3.4.
func LU(a nx.Tensor) (p, l, u nx.Tensor) {
	x := matrices("LU", a)
	m, n := rows(x), columns(x)
	k := min(m, n)
	lu, _, perm := luBlock(x)
	l = nx.Add(strictlyLower(cut(lu, m, k)), nx.Eye(nx.Shape{m, k}, lu.DType()))
	u = upper(cut(lu, k, n))
	p = nx.Equal(nx.ExpandAxis(nx.Iota(nx.Shape{m}, nx.S32), nx.Axis(-1)), nx.ExpandAxis(perm, nx.Axis(-2)))
	row, column := rowName(a), columnName(a)
	return nameLike(nx.Cast(p, result(a.DType())), a, row, ""), nameLike(castBack(l, a), a, row, ""),
		nameLike(castBack(u, a), a, "", column)
}
