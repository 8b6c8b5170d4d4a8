package linalg

import "github.com/go-nx/nx"

var choleskyBlock = nx.Composite[func(nx.Tensor) nx.Tensor]("nx.cholesky", nil, nx.Attr("lower", true))

// Cholesky returns the lower triangular l with a = l·lᴴ of Hermitian positive definite
// matrices. Only the lower triangle of a is read.
//
// Shapes: [..., n, n] → the same.
// DTypes: f32, f64, c64, c128; narrower floats are computed in f32, integers become f32.
// Gradient: of the lower triangle; the upper one has none. NaN for a matrix that is not definite.
// Accuracy: l·lᴴ differs from a by at most 20·n·ε·‖a‖.
// Errors: [nx.ErrShape] for matrices that are not square. A matrix that is not positive
// definite returns NaN in the whole triangle; [TryCholesky] returns an error then.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §4.2.
func Cholesky(a nx.Tensor) nx.Tensor {
	return nameLike(castBack(choleskyBlock(square("Cholesky", a)), a), a, rowName(a), columnName(a))
}
