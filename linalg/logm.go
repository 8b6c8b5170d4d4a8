package linalg

import (
	"math"
	"sync"

	"github.com/go-nx/nx"
)

// Logm returns the principal logarithms of matrices: the x with exp(x) = a whose eigenvalues have imaginary
// parts between -π and π.
//
// Shapes: [..., n, n] → the same.
// DTypes: f32, f64, c64, c128; narrower floats and integers become f32. All are computed in f64 or c128.
// Gradient: the Fréchet derivative, computed by the same algorithm; of any order.
// Accuracy: x differs from the exact logarithm by at most 100·n·ε·κ·‖x‖ with the condition number κ of a and the ε of
// f64, which f32 and c64 do not see.
// Errors: [nx.ErrShape] for matrices that are not square. For an eigenvalue on the negative real axis, and for
// a singular matrix, there is no principal logarithm and the result is NaN; [TryLogm] returns an error then.
// SciPy's logm gives a complex logarithm of a real matrix with negative eigenvalues.
// Source: N. Higham, Functions of Matrices, SIAM 2008, algorithm 11.9, doi:10.1137/1.9780898717778, with the
// square roots of [Sqrtm] and the approximant of degree 8 as partial fractions.
func Logm(a nx.Tensor) nx.Tensor { return logarithms().of("Logm", a) }

// TryLogm is [Logm] with an error for matrices without a principal logarithm. It reads the result, so it is not for
// use inside a graph.
//
// Shapes: A […, n, n] → […, n, n]. DTypes: those of [Logm]. Gradient: none: it reads the result.
// Accuracy: that of [Logm].
func TryLogm(a nx.Tensor) (x nx.Tensor, err error) {
	err = try("TryLogm", withoutRoot, []nx.Tensor{a}, func() []nx.Tensor { x = Logm(a); return []nx.Tensor{x} })
	return x, err
}

var logarithms = sync.OnceValue(func() *matrixFunction {
	return newMatrixFunction(logarithm, byBlocks(logarithm), true)
})

var nan = math.NaN()

// legendre are the nodes on [0, 1] and the weights of the Gauss–Legendre rule of 8 points, with which the integral of
// x/(1 + t·x) is the diagonal Padé approximant of log(1 + x) of degree 8.
var legendre = [2][]float64{
	{0.019855071751231884, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751, 0.5917173212478249,
		0.7627662049581645, 0.8983332387068134, 0.9801449282487681},
	{0.05061426814518813, 0.11119051722668724, 0.15685332293894363, 0.181341891689181, 0.181341891689181,
		0.15685332293894363, 0.11119051722668724, 0.05061426814518813},
}

// logarithm takes square roots until a matrix is near 1, and there the approximant.
func logarithm(a nx.Tensor) nx.Tensor {
	type state struct{ X, Times, Left nx.Tensor }
	const bound = 0.34 // θ₈ of table 11.1
	one := identity(a, rows(a))
	isFar := func(x nx.Tensor) nx.Tensor { return nx.Greater(columnNorm(nx.Sub(x, one)), bound) }
	s := nx.While(state{X: a, Times: nx.ZerosLike(columnNorm(a)), Left: isFar(a)},
		func(s state) nx.Tensor { return nx.Any(s.Left) },
		func(s state) state {
			x := nx.Where(scalars(s.Left), root(nx.Where(scalars(s.Left), s.X, one)), s.X)
			times := nx.Add(s.Times, nx.Cast(s.Left, s.Times.DType()))
			return state{x, times, nx.LogicalAnd(isFar(x), nx.Less(times, 100))}
		})
	x := nx.Sub(s.X, one)
	sum := nx.ZerosLike(x)
	for k, node := range legendre[0] {
		part := solveBlock(nx.Add(one, nx.Mul(x, node)), x)
		sum = nx.Add(sum, nx.Mul(part, legendre[1][k]))
	}
	return nx.Mul(sum, scalars(powerOfTwo(s.Times, a.DType())))
}
