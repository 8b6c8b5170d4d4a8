package linalg

import (
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

// TrySolve is [Solve] with an error for singular matrices. It reads the result, so it is
// not for use inside a graph.
//
// Shapes: those of [Solve]. DTypes: those of [Solve]. Gradient: none: it reads the result.
// Accuracy: backward error ≤ 20 n·ε.
func TrySolve(a, b nx.Tensor) (x nx.Tensor, err error) {
	err = try("TrySolve", "singular, or so close to it that numbers overflow", []nx.Tensor{a, b},
		func() []nx.Tensor { x = Solve(a, b); return []nx.Tensor{x} })
	return x, err
}

// TryInv is [Inv] with an error for singular matrices. It reads the result, so it is not
// for use inside a graph.
//
// Shapes: A […, n, n] → […, n, n]. DTypes: those of [Inv]. Gradient: none: it reads the result.
// Accuracy: that of [Inv].
func TryInv(a nx.Tensor) (x nx.Tensor, err error) {
	err = try("TryInv", "singular, or so close to it that numbers overflow", []nx.Tensor{a},
		func() []nx.Tensor { x = Inv(a); return []nx.Tensor{x} })
	return x, err
}

// try runs f and returns an error for misuse, for operands that have NaN or Inf, and for
// results that have, which is for the reason.
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
	for _, t := range out {
		if !isFinite(t) {
			return diag.New(nx.ErrValue, op, "see linalg.Cond and linalg.MatrixRank, or take linalg.Lstsq or linalg.Pinv",
				"a matrix is %s", reason)
		}
	}
	return nil
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
