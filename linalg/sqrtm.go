package linalg

import (
	"sync"

	"github.com/go-nx/nx"
)

// Sqrtm returns the principal square roots of matrices: the x with x·x = a whose eigenvalues have
// positive real parts.
//
// Shapes: [..., n, n] → the same.
// DTypes: f32, f64, c64, c128; narrower floats and integers become f32. All are computed in f64 or c128.
// Gradient: the Fréchet derivative, computed by the same algorithm; of any order.
// Accuracy: x differs from the exact root by at most 100·n·ε·κ·‖x‖ with the condition number κ of x and the ε of f64,
// which f32 and c64 do not see; that of an ill-conditioned symmetric matrix is more accurate by [Eigh].
// Errors: [nx.ErrShape] for matrices that are not square. For an eigenvalue on the negative real axis, and for
// a singular matrix, there is no principal root and the result is NaN; [TrySqrtm] returns an error then.
// SciPy's sqrtm gives a root on the edge of the principal ones, complex for a real matrix.
// Source: E. Denman, A. Beavers, Appl. Math. Comput. 2 (1976), doi:10.1016/0096-3003(76)90020-5, in the product
// form of S. Cheng, N. Higham, C. Kenney, A. Laub, SIAM J. Matrix Anal. Appl. 22 (2001),
// doi:10.1137/S0895479899364015.
func Sqrtm(a nx.Tensor) nx.Tensor { return roots().of("Sqrtm", a) }

// TrySqrtm is [Sqrtm] with an error for matrices without a principal root. It reads the result, so it is not for
// use inside a graph.
//
// Shapes: A […, n, n] → […, n, n]. DTypes: those of [Sqrtm]. Gradient: none: it reads the result.
// Accuracy: that of [Sqrtm].
func TrySqrtm(a nx.Tensor) (x nx.Tensor, err error) {
	err = try("TrySqrtm", withoutRoot, []nx.Tensor{a}, func() []nx.Tensor { x = Sqrtm(a); return []nx.Tensor{x} })
	return x, err
}

const withoutRoot = "singular, or has an eigenvalue on the negative real axis, or one that rounding puts there"

var roots = sync.OnceValue(func() *matrixFunction { return newMatrixFunction(root, byBlocks(root), true) })

// root is the square root by the product form of the iteration of Denman and Beavers,
//
//	m ← ½ (1 + (m + m⁻¹)/2), x ← ½ x (1 + m⁻¹), from m = x = a,
//
// which is Newton's for m → 1. Before a step m is multiplied by a scalar μ² for which m and m⁻¹ have one norm, and x
// by μ. Matrices that have converged stay as they are, so that none depends on those beside it.
func root(a nx.Tensor) nx.Tensor {
	type state struct{ M, X, Left, K nx.Tensor }
	const (
		most  = 100  // steps
		close = 1e-7 // of m to 1, after which m has all digits with the next step
		last  = 4    // steps for the blocks of derivatives, which converge one after another
	)
	one := identity(a, rows(a))
	distance := func(m nx.Tensor) nx.Tensor { return columnNorm(nx.Sub(m, one)) }
	scale := scalars(powerOfTwo(nx.Mul(nx.Floor(nx.Div(exponentOf(columnNorm(a)), 2)), -2), a.DType()))
	scaled := nx.Mul(a, scale) // by a power of 4, to a norm of about 1
	s := state{M: scaled, X: scaled, Left: nx.FullLike(columnNorm(a), last), K: nx.New(int32(0))}
	s = nx.While(s, func(s state) nx.Tensor {
		return nx.LogicalAnd(nx.Less(s.K, most), nx.Any(nx.Greater(s.Left, 0)))
	}, func(s state) state {
		inverse := solveBlock(s.M, one)
		mu := nx.Sqrt(nx.Sqrt(nx.Div(columnNorm(inverse), columnNorm(s.M))))
		mu = scalars(nx.StopGradient(nx.Where(nx.Less(distance(s.M), 0.01), 1, mu)))
		m, inverse := nx.Mul(s.M, nx.Square(mu)), nx.Div(inverse, nx.Square(mu))
		next := state{K: nx.Add(s.K, 1)}
		next.M = nx.Mul(nx.Add(one, nx.Mul(nx.Add(m, inverse), 0.5)), 0.5)
		next.X = nx.Mul(nx.Dot(nx.Mul(s.X, mu), nx.Add(one, inverse)), 0.5)
		// Numbers that are not finite end the steps.
		isNear := nx.Less(distance(next.M), close)
		next.Left = nx.Where(isNear, nx.Sub(s.Left, 1), s.Left)
		next.Left = nx.Where(nx.IsFinite(columnNorm(next.M)), next.Left, 0)
		goesOn := scalars(nx.Greater(s.Left, 0))
		next.M, next.X = nx.Where(goesOn, next.M, s.M), nx.Where(goesOn, next.X, s.X)
		next.Left = nx.Where(nx.Greater(s.Left, 0), next.Left, s.Left)
		return next
	})
	found := nx.LogicalAnd(nx.LessEqual(s.Left, 0), nx.Less(distance(s.M), close))
	return nx.Where(scalars(found), nx.Div(s.X, nx.Sqrt(scale)), nan)
}
