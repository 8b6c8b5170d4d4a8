package linalg

import "github.com/go-nx/nx"

var eigBlock = nx.Composite[func(nx.Tensor) (w, left, right nx.Tensor)]("nx.eig", nil)

// Eig returns the eigenvalues w and eigenvectors, columns of v, of square matrices:
// a·v = v·diag(w). Both are complex, also those of real matrices, whose complex eigenvalues
// come in conjugate pairs. Vectors have length 1 and a largest component that is real and
// positive. There is no order of the eigenvalues.
//
// Shapes: [..., n, n] → w [..., n], v [..., n, n].
// DTypes: c64 for f32, c64, narrower floats and integers, c128 for f64 and c128.
// Gradient: of both. Vectors of equal eigenvalues have none, and it is NaN unless the program does not use
// them: see [Eigh]. For a matrix without a basis of eigenvectors it is infinite, NaN or huge.
// Accuracy: a·v differs from v·diag(w) by at most 20·n·ε·‖a‖.
// Errors: [nx.ErrShape] for matrices that are not square. If the iteration does not converge, and for elements
// that are not finite, results are NaN, and [TryEig] returns an error.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §7.5.
func Eig(a nx.Tensor) (w, v nx.Tensor) {
	w, _, v = eigBlock(square("Eig", a))
	return nameLike(w, a, ""), nameLike(v, a, rowName(a), "")
}

// Eigvals returns the eigenvalues of square matrices.
//
// Shapes: [..., n, n] → [..., n].
// DTypes: as for [Eig].
// Gradient: the diagonal of v⁻¹·ȧ·v; the second derivative is NaN where eigenvalues are equal.
// Accuracy: they are those of matrices that differ from a by at most 20·n·ε·‖a‖.
// Errors: as for [Eig].
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §7.5.
func Eigvals(a nx.Tensor) nx.Tensor {
	w, _, _ := eigBlock(square("Eigvals", a))
	return nameLike(w, a, "")
}

// TryEig is [Eig] with an error for matrices that are not finite or do not converge. It
// reads the result, so it is not for use inside a graph.
//
// Shapes: A […, n, n] → w […, n], v […, n, n]. DTypes: those of [Eig]. Gradient: none: it reads the
// result. Accuracy: backward error ≤ 20 n·ε.
func TryEig(a nx.Tensor) (w, v nx.Tensor, err error) {
	err = try("TryEig", "one for which the iteration does not converge", []nx.Tensor{a},
		func() []nx.Tensor { w, v = Eig(a); return []nx.Tensor{w, v} })
	return w, v, err
}
