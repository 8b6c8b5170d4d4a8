package linalg

import "github.com/go-nx/nx"

var (
	eighBlocks = [2]func(nx.Tensor) (w, v nx.Tensor){
		nx.Composite[func(nx.Tensor) (w, v nx.Tensor)]("nx.eigh", nil),
		nx.Composite[func(nx.Tensor) (w, v nx.Tensor)]("nx.eigh", nil, nx.Attr("upper", true)),
	}
	eigvalshBlocks = [2]func(nx.Tensor) nx.Tensor{
		nx.Composite[func(nx.Tensor) nx.Tensor]("nx.eigvalsh", nil),
		nx.Composite[func(nx.Tensor) nx.Tensor]("nx.eigvalsh", nil, nx.Attr("upper", true)),
	}
)

// Triangle reports which triangle of Hermitian matrices is read: an option of [Eigh] and
// [Eigvalsh].
type Triangle uint8

const (
	// LowerTriangle is the default.
	LowerTriangle Triangle = iota
	// UpperTriangle reads the elements above the diagonal.
	UpperTriangle
)

// Eigh returns the eigenvalues w, ascending, and the orthonormal eigenvectors, columns of
// v, of Hermitian matrices: a·v = v·diag(w). Only one triangle of a is read. Vectors are
// unique but for a factor of absolute value 1, and those of equal eigenvalues but for a
// rotation. Option: [UpperTriangle].
//
// Shapes: [..., n, n] → w [..., n], v [..., n, n].
// DTypes: w real; narrower floats are computed in f32, integers become f32.
// Gradient: of both, in the triangle that is read. Vectors of eigenvalues that differ by no more than a few
// roundings of the largest have none, and it is NaN, unless the program does not use them: a selected column
// ([nx.Tensor.At]) has its derivative even if other columns have none. The derivative of v·f(w)·vᴴ exists, but
// cannot be computed from v and w: write it as a function of a. Eigenvalues have the derivative of their sum,
// each that of its vector; their second derivative is NaN if it needs vectors without a derivative.
// Accuracy: v·diag(w)·vᴴ differs from a by at most 20·n·ε·‖a‖, vᴴ·v from the identity by
// 20·n·ε.
// Errors: [nx.ErrShape] for matrices that are not square. If the iteration does not converge, and for elements
// that are not finite, results are NaN, and [TryEigh] returns an error.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §8.3; M. Gu, S. Eisenstat,
// doi:10.1137/S0895479892241287.
func Eigh(a nx.Tensor, triangle ...Triangle) (w, v nx.Tensor) {
	w, v = eighBlocks[choice("Eigh", triangle, LowerTriangle, UpperTriangle)](square("Eigh", a))
	return nameLike(nx.Cast(w, realType(result(a.DType()))), a, ""), nameLike(castBack(v, a), a, rowName(a), "")
}

// Eigvalsh returns the eigenvalues of Hermitian matrices, ascending, without their
// vectors, which takes less time. Option: [UpperTriangle].
//
// Shapes: [..., n, n] → [..., n].
// DTypes: real; narrower floats are computed in f32, integers become f32.
// Gradient: by the triangle that is read. As for [Eigh] where eigenvalues are equal: that of
// their symmetric functions is right, and the second derivative NaN.
// Accuracy: each is off by at most 20·n·ε·‖a‖.
// Errors: as for [Eigh].
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §8.3.
func Eigvalsh(a nx.Tensor, triangle ...Triangle) nx.Tensor {
	w := eigvalshBlocks[choice("Eigvalsh", triangle, LowerTriangle, UpperTriangle)](square("Eigvalsh", a))
	return nameLike(nx.Cast(w, realType(result(a.DType()))), a, "")
}
