// Package linalg holds the linear algebra of dense matrices: factorisations, systems of equations,
// eigenvalues, singular values, and functions of them.
//
// A matrix is the last two axes of a tensor, the axes before are batches; the batches of two operands
// broadcast. Elements are f32, f64, c64 or c128. Integers and bools become f32, and bf16, f16 and f8 are
// computed in f32 and rounded once, at the end. Batches of results have the names of the operands' batches,
// and rows and columns those of the operands if a result has an axis of an operand: the rows of q in a = q·r
// are those of a.
//
//	x := linalg.Solve(a, b)        // a·x = b
//	q, r := linalg.QR(a)           // a = q·r
//	w, v := linalg.Eigh(a)         // a·v = v·diag(w)
//
// The factorisations are blocks of the graph ([nx.Composite]): package cpu computes them by its own blocked
// algorithms, which are mostly matrix multiplications, other compilers by plain ops. They are differentiable
// in both modes and to any order, can be vectorised by [nx.Vmap], and run inside [nx.Jit].
//
// Accuracy: that of LAPACK. A factorisation is exact for a matrix that differs from a by
// at most 20·n·ε·‖a‖, where ε is the unit roundoff of the element type.
//
// Errors: matrices of a wrong shape are [nx.ErrShape], absent tensors [nx.ErrAbsent]. Singular matrices,
// matrices that are not positive definite but must be, and iterations that do not converge give Inf or NaN, as
// in JAX and in NumPy without its exceptions: a function in a graph cannot fail. In these cases [TryCholesky],
// [TrySolve], [TryInv], [TrySqrtm], [TryLogm], [TryEigh], [TrySVD] and [TryEig] return an error.
package linalg
