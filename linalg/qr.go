package linalg

import "github.com/go-nx/nx"

var (
	qrBlock          = nx.Composite[func(a nx.Tensor) (q, r nx.Tensor)]("nx.qr", nil)
	householderBlock = nx.Composite[func(a nx.Tensor) (h, taus nx.Tensor)]("nx.householder_qr", nil)
	productBlock     = nx.Composite[func(h, taus nx.Tensor) nx.Tensor]("nx.householder_product", nil)
)

// Mode reports how many columns orthogonal factors have: an option of [QR] and [SVD].
type Mode uint8

const (
	// Reduced factors have min(m, n) columns: the default.
	Reduced Mode = iota
	// Complete factors are square.
	Complete
)

// QR returns a matrix with orthonormal columns and an upper triangular one, with a real
// diagonal, such that a = q·r. The diagonal of r may be negative. Option: [Complete].
//
// Shapes: a [..., m, n] → q [..., m, k], r [..., k, n] with k = min(m, n), or m if
// Complete.
// DTypes: f32, f64, c64, c128; narrower floats are computed in f32, integers become f32.
// Gradient: of both; that of the columns of a complete q that a does not determine is
// that of the reflectors. The first min(m, n) columns of a must be independent, but for the last
// one of a real square matrix; else it is infinite or NaN.
// Accuracy: q·r differs from a by at most 20·n·ε·‖a‖, qᴴ·q from the identity by 20·n·ε.
// Errors: [nx.ErrShape] for operands that are not matrices.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §5.2.
func QR(a nx.Tensor, mode ...Mode) (q, r nx.Tensor) {
	x := matrices("QR", a)
	m, n := rows(x), columns(x)
	switch {
	case choice("QR", mode, Reduced, Complete) == Complete && m > n:
		h, taus := householderBlock(x)
		q = productBlock(padColumns(h, m), taus)
		r = upper(h)
	case m >= n:
		q, r = qrBlock(x)
	default: // a = q·[r₁ r₂] where q·r₁ are its first columns
		var r1 nx.Tensor
		q, r1 = qrBlock(cut(x, m, m))
		r2 := nx.Dot(adjoint(q), x.At(nx.Ellipsis, nx.From(m)))
		r = nx.Concatenate([]nx.Tensor{r1, r2}, nx.Axis(-1))
	}
	return nameLike(castBack(q, a), a, rowName(a), ""), nameLike(castBack(r, a), a, "", columnName(a))
}

// padColumns fills matrices up with zeros to n columns.
func padColumns(t nx.Tensor, n int) nx.Tensor {
	lohi := make([][2]int, t.Rank())
	lohi[len(lohi)-1][1] = n - columns(t)
	return nx.Pad(t, 0, lohi...)
}

// HouseholderQR returns the QR factorisation in the form of LAPACK's geqrf, NumPy's mode "raw": r in the upper
// triangle of h, and below it the vectors v of reflectors I - tau·v·vᴴ, whose product is q. The leading 1 of
// each v is not stored.
//
// Shapes: a [..., m, n] → h [..., m, n], taus [..., min(m, n)].
// DTypes: f32, f64, c64, c128; narrower floats are computed in f32, integers become f32.
// Gradient: of both. A column that is zero below its diagonal is not reflected, where any other is:
// the derivative there is that of no reflection.
// Accuracy: that of [QR].
// Errors: [nx.ErrShape] for operands that are not matrices.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §5.2.
func HouseholderQR(a nx.Tensor) (h, taus nx.Tensor) {
	h, taus = householderBlock(matrices("HouseholderQR", a))
	return nameLike(castBack(h, a), a, rowName(a), columnName(a)), nameLike(castBack(taus, a), a, "")
}

// HouseholderProduct returns the first n columns of the product of the reflectors of [HouseholderQR].
//
// Shapes: h [..., m, n], taus [..., k] with k ≤ n ≤ m → [..., m, n].
// DTypes: f32, f64, c64, c128; narrower floats are computed in f32, integers become f32.
// Gradient: of both.
// Accuracy: the columns are orthonormal to 20·n·ε.
// Errors: [nx.ErrShape] for shapes that do not fit.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §5.1.
func HouseholderProduct(h, taus nx.Tensor) nx.Tensor {
	const op = "HouseholderProduct"
	x := matrices(op, h)
	tau := elements(op, taus)
	m, n := rows(x), columns(x)
	want := batch(x, 2)
	if k := tau.Rank(); k != len(want)+1 || !equalDims(batch(tau, 1), want) || tau.Shape()[k-1] > n || n > m {
		fail(op, nx.ErrShape, "", []nx.Tensor{h, taus},
			"a must have at most as many columns as rows, and taus at most as many elements as columns, got %d × %d", m, n)
	}
	return nameLike(castBack(productBlock(x, nx.Cast(tau, x.DType())), h), h, rowName(h), columnName(h))
}
