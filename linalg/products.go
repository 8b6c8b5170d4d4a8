package linalg

import (
	"slices"

	"github.com/go-nx/nx"
)

func equalDims(a, b nx.Shape) bool { return slices.Equal(a, b) }

// Adjoint returns the conjugate transposes of matrices; a vector is conjugated.
//
// Shapes: [..., m, n] → [..., n, m]; [n] → [n].
// DTypes: all; the result has that of t.
// Gradient: the adjoint.
// Accuracy: exact.
// Errors: [nx.ErrShape] for a scalar.
// Source: NumPy's matrix_transpose and conj.
func Adjoint(t nx.Tensor) nx.Tensor {
	present("Adjoint", t)
	switch {
	case t.Rank() == 0:
		fail("Adjoint", nx.ErrShape, "conjugate it with nx.Conj", []nx.Tensor{t},
			"the operand must be a matrix, got a scalar")
	case t.Rank() > 1:
		return adjoint(t)
	}
	return nx.Conj(t)
}

// Kron returns the Kronecker products of matrices: blocks a[i, j]·b. Vectors count as matrices with one row,
// and the result is a vector; a scalar multiplies.
//
// Shapes: a [..., m, n], b [..., p, q] → [..., m·p, n·q]; batches broadcast.
// DTypes: those of a and b, promoted.
// Gradient: by both.
// Accuracy: one rounding.
// Errors: [nx.ErrShape] for batches that do not broadcast.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §1.3.6.
func Kron(a, b nx.Tensor) nx.Tensor {
	present("Kron", a, b)
	defer calledAs("Kron", a, b)
	if a.Rank() == 0 || b.Rank() == 0 {
		return nx.Mul(a, b)
	}
	vectors := a.Rank() == 1 && b.Rank() == 1
	batchOf := func(t nx.Tensor) []string { return t.Names()[:max(t.Rank()-2, 0)] }
	names := mergedNames("Kron", batchOf(a), batchOf(b), a, b)
	a, b = asMatrix(a), asMatrix(b)
	a, b = broadcastBatches("Kron", a, b)
	x := nx.ExpandAxis(nx.ExpandAxis(a, nx.Axis(-1)), nx.Axis(-3))
	y := nx.ExpandAxis(nx.ExpandAxis(b, nx.Axis(-2)), nx.Axis(-4))
	r := nx.Reshape(nx.Mul(x, y), with(batch(a, 2), rows(a)*rows(b), columns(a)*columns(b))...)
	if vectors {
		return nx.Squeeze(r, nx.Axis(0))
	}
	return nameAxes(r, append(names, "", ""))
}

// asMatrix makes a vector a matrix with one row, and drops names.
func asMatrix(t nx.Tensor) nx.Tensor {
	t = nx.Rename(t, make([]string, t.Rank())...)
	if t.Rank() == 1 {
		return nx.ExpandAxis(t, nx.Axis(0))
	}
	return t
}

// MatrixPower returns the n-th power of matrices, by squaring. A negative n inverts, n = 0 returns the
// identity.
//
// Shapes: [..., k, k] → the same.
// DTypes: f32, f64, c64, c128; narrower floats are computed in f32, integers become f32.
// Gradient: that of the products.
// Accuracy: that of about 2·log₂(n) multiplications, and of [Inv].
// Errors: [nx.ErrShape] for matrices that are not square.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §9.2.5.
func MatrixPower(a nx.Tensor, n int) nx.Tensor {
	x := square("MatrixPower", a)
	count := uint(n)
	if n < 0 {
		x, count = solveBlock(x, identity(x, rows(x))), -count
	}
	r := nx.Tensor{}
	for ; count > 0; count >>= 1 {
		switch {
		case count&1 == 0:
		case r.IsZero():
			r = x
		default:
			r = nx.Dot(r, x)
		}
		if count > 1 {
			x = nx.Dot(x, x)
		}
	}
	if r.IsZero() {
		r = nx.BroadcastVectors(x, identity(x, rows(x)))[1]
	}
	return nameLike(castBack(r, a), a, rowName(a), columnName(a))
}
