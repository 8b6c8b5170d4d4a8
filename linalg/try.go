package linalg

import (
	"math"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// TryCholesky is [Cholesky] with an error for matrices that are not positive definite. It
// reads the result, so it is not for use inside a graph.
//
// Shapes: A […, n, n] → […, n, n]. DTypes: those of [Cholesky]. Gradient: none: it reads the
// result. Accuracy: backward error ≤ 20 n·ε.
func TryCholesky(a nx.Tensor) (l nx.Tensor, err error) {
	err = try("TryCholesky", "not positive definite", []nx.Tensor{a},
		func() []nx.Tensor { l = Cholesky(a); return []nx.Tensor{l} })
	return l, err
}

// TrySolve is [Solve] with an error for singular matrices, and for those that are singular but for rounding: whose
// condition number, which the error tells, is 1/ε or more, so that no digit of x is known; x is there all the same.
// It reads the result, so it is not for use inside a graph. The condition number is an estimate in the 1-norm, as
// LAPACK's gecon makes, from one more factorisation.
//
// Shapes: those of [Solve]. DTypes: those of [Solve]. Gradient: none: it reads the result.
// Accuracy: backward error ≤ 20 n·ε.
// Source: N. Higham, FORTRAN codes for estimating the one-norm, ACM TOMS 14 (1988), doi:10.1145/50063.214386.
func TrySolve(a, b nx.Tensor) (x nx.Tensor, err error) {
	err = try("TrySolve", singular, []nx.Tensor{a, b}, func() []nx.Tensor { x = Solve(a, b); return []nx.Tensor{x} })
	return x, err
}

// TryInv is [Inv] with an error for singular matrices, and for those that are singular but for rounding, which tells
// the condition number, as [TrySolve] does. It reads the result, so it is not for use inside a graph.
//
// Shapes: A […, n, n] → […, n, n]. DTypes: those of [Inv]. Gradient: none: it reads the result.
// Accuracy: that of [Inv].
// Source: that of [TrySolve].
func TryInv(a nx.Tensor) (x nx.Tensor, err error) {
	err = try("TryInv", singular, []nx.Tensor{a}, func() []nx.Tensor { x = Inv(a); return []nx.Tensor{x} })
	return x, err
}

// singular is the reason for which systems have no solution. It comes with a condition number.
const singular = "singular, or so close to it that no digit of the result is known"

// try runs f and returns an error for misuse, for operands that have NaN or Inf, and for
// results that have, which is for the reason; if that is [singular], for results without digits, too.
func try(op, reason string, in []nx.Tensor, f func() []nx.Tensor) (err error) {
	defer nx.Catch(&err)
	defer calledAs(op, in...)
	out := f()
	for i, x := range in {
		if !isFinite(x) {
			return diag.New(nx.ErrValue, op, "replace them, or drop what they belong to",
				"operand %d has NaN or Inf", i)
		}
	}
	lost := slices.ContainsFunc(out, func(t nx.Tensor) bool { return !isFinite(t) })
	if reason == singular {
		c := worstCondition(square(op, in[0]))
		if lost || c >= 1/unit(in[0]) {
			return diag.New(nx.ErrValue, op, "take linalg.Lstsq or linalg.Pinv, or add to the diagonal",
				"a matrix is %s: its condition number in the 1-norm is about %.2g", singular, c)
		}
		return nil
	}
	if lost {
		return diag.New(nx.ErrValue, op, "see linalg.Cond and linalg.MatrixRank, or take linalg.Lstsq or linalg.Pinv",
			"a matrix is %s", reason)
	}
	return nil
}

// unit is the unit roundoff of the type in which the matrices of t are computed.
func unit(t nx.Tensor) float64 { return realType(working("", t)).Epsilon() / 2 }

// worstCondition is the largest of the estimated condition numbers of matrices, in the 1-norm: that of a singular one
// is infinite. Algorithm 4.1 of Higham, with the five steps and the last vector of LAPACK's lacn2.
func worstCondition(a nx.Tensor) float64 {
	if a = nx.Devectorize(a); a.Size() == 0 {
		return 0
	}
	n := rows(a)
	lu, _, perm := luBlock(a)
	back := nx.ArgSort(perm)
	inverse := func(v nx.Tensor) nx.Tensor {
		return triangularBlocks[Upper](lu, triangularBlocks[UnitDiagonal](lu, permuteRows(v, perm)))
	}
	adjointInverse := func(v nx.Tensor) nx.Tensor {
		v = triangularBlocks[UnitDiagonal|Adjointed](lu, triangularBlocks[Upper|Adjointed](lu, v))
		return permuteRows(v, back)
	}
	column := func(v nx.Tensor) nx.Tensor {
		return nx.BroadcastTo(nx.Cast(nx.Reshape(v, n, 1), a.DType()), with(batch(a, 2), n, 1)...)
	}
	i := nx.Iota(nx.Shape{n}, realType(a.DType()))
	last := inverse(column(nx.Mul(nx.Sub(1, nx.Mul(nx.Remainder(i, 2), 2)), nx.Add(1, nx.Div(i, max(n-1, 1))))))
	most := nx.Mul(columnNorm(last), 2/(3*float64(n)))
	x := column(nx.Full(nx.Shape{n}, 1/float64(n), nx.F64))
	for range 5 {
		y := inverse(x)
		most = nx.Maximum(most, columnNorm(y))
		z := nx.Abs(adjointInverse(nx.Where(nx.Equal(y, 0), 1, nx.Sign(y))))
		at := nx.ArgMax(z, nx.Axis(-2)) // [..., 1]
		x = nx.Cast(nx.Equal(nx.Iota(z.Shape(), nx.S32, nx.Axis(-2)), nx.ExpandAxis(at, nx.Axis(-2))), a.DType())
	}
	c := nx.Item[float64](nx.Cast(nx.Max(nx.Mul(most, columnNorm(a))), nx.F64))
	if math.IsNaN(c) {
		return math.Inf(1)
	}
	return c
}

func isFinite(t nx.Tensor) bool {
	if t.DType().IsComplex() {
		return isFinite(nx.Real(t)) && isFinite(nx.Imag(t))
	}
	return !t.DType().IsFloat() || nx.Item[bool](nx.All(nx.IsFinite(nx.Devectorize(t))))
}

// TryEigh is [Eigh] with an error for matrices that are not finite or do not converge. It
// reads the result, so it is not for use inside a graph.
//
// Shapes: A […, n, n] → w […, n], v […, n, n]. DTypes: those of [Eigh]. Gradient: none: it reads
// the result. Accuracy: backward error ≤ 20 n·ε.
func TryEigh(a nx.Tensor, triangle ...Triangle) (w, v nx.Tensor, err error) {
	err = try("TryEigh", "one for which the iteration does not converge", []nx.Tensor{a},
		func() []nx.Tensor { w, v = Eigh(a, triangle...); return []nx.Tensor{w, v} })
	return w, v, err
}
