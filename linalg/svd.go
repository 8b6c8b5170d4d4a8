package linalg

import (
	"math"
	"slices"

	"github.com/go-nx/nx"
)

var (
	svdBlocks = [2]func(nx.Tensor) (u, s, vt nx.Tensor){
		nx.Composite[func(nx.Tensor) (u, s, vt nx.Tensor)]("nx.svd", nil),
		nx.Composite[func(nx.Tensor) (u, s, vt nx.Tensor)]("nx.svd", nil, nx.Attr("full_matrices", true)),
	}
	svdvalsBlock = nx.Composite[func(nx.Tensor) nx.Tensor]("nx.svdvals", nil)
)

// SVD returns the singular values s, descending, and matrices with orthonormal columns and
// rows such that a = u·diag(s)·vt. Vectors are unique but for a common factor of absolute
// value 1. Option: [Complete], for square u and vt.
//
// Shapes: a [..., m, n] → u [..., m, k], s [..., k], vt [..., k, n] with k = min(m, n);
// u [..., m, m], vt [..., n, n] if Complete.
// DTypes: s real; narrower floats are computed in f32, integers become f32.
// Gradient: of all three. Vectors of singular values that differ by no more than a few roundings of the
// largest have none, and it is NaN, unless the program does not use them: see [Eigh]. The same applies to the
// vectors of the value 0 if a is not square or complex.
// Accuracy: u·diag(s)·vt differs from a by at most 20·n·ε·‖a‖, uᴴ·u and vt·vtᴴ from the
// identity by 20·n·ε.
// Errors: [nx.ErrShape] for operands that are not matrices. Where the iteration does not converge, and
// for elements that are not finite, results are NaN; [TrySVD] returns an error then.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §8.6.
func SVD(a nx.Tensor, mode ...Mode) (u, s, vt nx.Tensor) {
	u, s, vt = svdBlocks[choice("SVD", mode, Reduced, Complete)](matrices("SVD", a))
	s = nx.Cast(s, realType(result(a.DType())))
	return nameLike(castBack(u, a), a, rowName(a), ""), nameLike(s, a, ""),
		nameLike(castBack(vt, a), a, "", columnName(a))
}

// SVDVals returns the singular values of matrices, descending, without vectors, which takes
// less time.
//
// Shapes: [..., m, n] → [..., min(m, n)].
// DTypes: real; narrower floats are computed in f32, integers become f32.
// Gradient: uᴴ·ȧ·v, its diagonal. As for [Eigvalsh] where values are equal; a value 0 counts as
// increasing in the direction of its vectors.
// Accuracy: each is off by at most 20·n·ε·‖a‖.
// Errors: as for [SVD].
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §8.6.
func SVDVals(a nx.Tensor) nx.Tensor {
	return nameLike(nx.Cast(svdvalsBlock(matrices("SVDVals", a)), realType(result(a.DType()))), a, "")
}

// TrySVD is [SVD] with an error for matrices that are not finite or do not converge. It
// reads the result, so it is not for use inside a graph.
//
// Shapes: A […, m, n] → those of [SVD]. DTypes: those of [SVD]. Gradient: none: it reads the
// result. Accuracy: backward error ≤ 20 n·ε.
func TrySVD(a nx.Tensor, mode ...Mode) (u, s, vt nx.Tensor, err error) {
	err = try("TrySVD", "one for which the iteration does not converge", []nx.Tensor{a},
		func() []nx.Tensor { u, s, vt = SVD(a, mode...); return []nx.Tensor{u, s, vt} })
	return u, s, vt, err
}

// ToleranceOption is an option of functions that count singular values: see [Tolerance].
type ToleranceOption interface{ tolerance() float64 }

// relative is the option made by [Tolerance].
type relative float64

func (r relative) tolerance() float64 { return float64(r) }

// Tolerance sets which singular values count as zero: those up to share times the
// largest one. Without it that is max(m, n)·2ε.
//
// Shapes: none.
// DTypes: none.
// Gradient: none.
// Accuracy: exact.
// Errors: none.
// Source: NumPy's rtol.
func Tolerance(share float64) ToleranceOption { return relative(share) }

// toleranceOf returns the tolerance for matrices.
func toleranceOf(op string, a nx.Tensor, opts []ToleranceOption) float64 {
	given := -1.
	for _, o := range opts {
		if o == nil {
			continue
		}
		switch v := o.tolerance(); {
		case !(v >= 0): // NaN too
			fail(op, nx.ErrValue, "", []nx.Tensor{a}, "the tolerance must be a positive number, got %v", v)
		case given >= 0 && v != given:
			fail(op, nx.ErrArgument, "give it once", []nx.Tensor{a},
				"linalg.Tolerance is given twice, with different values")
		default:
			given = v
		}
	}
	if given >= 0 {
		return given
	}
	unit := 0x1p-52
	if realType(a.DType()) == nx.F32 {
		unit = 0x1p-23
	}
	return unit * float64(max(rows(a), columns(a)))
}

// significant reports which singular values count.
func significant(s nx.Tensor, tolerance float64) nx.Tensor {
	if s.Shape()[s.Rank()-1] == 0 {
		return nx.Greater(s, 0)
	}
	return nx.Greater(s, nx.Mul(s.At(nx.Ellipsis, nx.To(1)), tolerance))
}

// inverses returns 1/s where that counts and 0 elsewhere.
func inverses(s nx.Tensor, tolerance float64) nx.Tensor {
	counts := significant(s, tolerance)
	inverse := nx.Where(counts, nx.Div(1, nx.Where(counts, s, 1)), 0)
	return nx.Where(nx.IsNaN(s), math.NaN(), inverse)
}

// MatrixRank returns the number of singular values that are not zero within a tolerance, an
// s32. Option: [Tolerance].
//
// Shapes: [..., m, n] → [...].
// DTypes: s32.
// Gradient: zero.
// Accuracy: exact where no singular value is close to the tolerance.
// Errors: [nx.ErrShape] for operands that are not matrices.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §5.5.
func MatrixRank(a nx.Tensor, opts ...ToleranceOption) nx.Tensor {
	x := matrices("MatrixRank", a)
	nonzero := significant(svdvalsBlock(x), toleranceOf("MatrixRank", x, opts))
	return nameLike(nx.Sum(nx.Cast(nonzero, nx.S32), nx.Axis(-1)), a)
}

// Pinv returns the pseudoinverses of matrices (Moore, Penrose). Singular values that are
// zero within a tolerance count as zero. Option: [Tolerance].
//
// Shapes: [..., m, n] → [..., n, m].
// DTypes: f32, f64, c64, c128; narrower floats are computed in f32, integers become f32.
// Gradient: for matrices of constant rank, without that of the vectors: equal singular
// values do no harm.
// Accuracy: that of [SVD] times the largest inverse that counts.
// Errors: as for [SVD].
// Source: G. Golub, V. Pereyra, The differentiation of pseudo-inverses and nonlinear least
// squares problems, SIAM J. Numer. Anal. 10 (1973).
func Pinv(a nx.Tensor, opts ...ToleranceOption) nx.Tensor {
	x := matrices("Pinv", a)
	return nameLike(castBack(pinv(x, toleranceOf("Pinv", x, opts)), a), a, columnName(a), rowName(a))
}

func pinv(x nx.Tensor, tolerance float64) nx.Tensor {
	if rows(x) == 0 || columns(x) == 0 {
		return adjoint(x)
	}
	return nx.CustomJVP(func(a nx.Tensor) nx.Tensor {
		u, s, vt := svdBlocks[0](a)
		return nx.Dot(scaleColumns(adjoint(vt), inverses(s, tolerance)), adjoint(u))
	}, pinvDerivative)(x)
}

// pinvDerivative is -p·ȧ·p + p·pᴴ·ȧᴴ·(1 - a·p) + (1 - p·a)·ȧᴴ·pᴴ·p.
func pinvDerivative(a, p, da nx.Tensor) nx.Tensor {
	d := nx.Neg(nx.Dot(p, nx.Dot(da, p)))
	ph, dh := adjoint(p), adjoint(da)
	left := nx.Dot(p, nx.Dot(ph, dh))
	d = nx.Add(d, nx.Sub(left, nx.Dot(nx.Dot(left, a), p)))
	right := nx.Dot(nx.Dot(dh, ph), p)
	return nx.Add(d, nx.Sub(right, nx.Dot(p, nx.Dot(a, right))))
}

// LeastSquares is the result of [Lstsq].
type LeastSquares struct {
	X              nx.Tensor // the solution
	Residuals      nx.Tensor // the sums of squares of a·x - b, by columns of b
	Rank           nx.Tensor // of a, s32
	SingularValues nx.Tensor // of a, descending
}

// Lstsq finds the x of least norm that makes the norm of a·x - b least. b holds vectors or
// matrices as for [Solve]. Option: [Tolerance].
//
// Shapes: a [..., m, n], b [m], [..., m] or [..., m, k] → X [n], [..., n] or [..., n, k];
// batches broadcast.
// DTypes: those of a and b, promoted; integers become f32.
// Gradient: of X and Residuals, by both, for matrices of constant rank; that of
// SingularValues as for [SVDVals].
// Accuracy: X is exact for an a that differs by at most 20·n·ε·‖a‖.
// Errors: [nx.ErrShape] for shapes that do not fit; as for [SVD].
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §5.5.
func Lstsq(a, b nx.Tensor, opts ...ToleranceOption) LeastSquares {
	const op = "Lstsq"
	present(op, a, b)
	x, y := matrices(op, a), elements(op, b)
	isVector := isVectors(a, b)
	if isVector {
		y = nx.ExpandAxis(y, nx.Axis(-1))
	}
	if y.Rank() < 2 || rows(y) != rows(x) {
		fail(op, nx.ErrShape, "b is [m], [..., m] or [..., m, k]", []nx.Tensor{a, b},
			"b must have the %d rows of a", rows(x))
	}
	d := promoted(x.DType(), y.DType())
	x, y = nx.Cast(x, d), nx.Cast(y, d)
	x, y = broadcastBatches(op, x, y)
	tolerance := toleranceOf("Lstsq", x, opts)
	s := svdvalsBlock(x)
	r := LeastSquares{SingularValues: s, Rank: nx.Sum(nx.Cast(significant(s, tolerance), nx.S32), nx.Axis(-1))}
	r.X = leastSquares(x, y, tolerance)
	rest := nx.Abs(nx.Sub(nx.Dot(x, r.X), y))
	r.Residuals = nx.Sum(nx.Mul(rest, rest), nx.Axis(-2))
	if isVector {
		r.X, r.Residuals = nx.Squeeze(r.X, nx.Axis(-1)), nx.Squeeze(r.Residuals, nx.Axis(-1))
	}
	out := promoted(result(a.DType()), result(b.DType()))
	r.X, r.Residuals, r.SingularValues = nx.Cast(r.X, out), nx.Cast(r.Residuals, realType(out)),
		nx.Cast(s, realType(out))
	batches, column := systemNames(op, a, b, isVector)
	r.X = nameAxes(r.X, slices.Concat(batches, []string{columnName(a)}, column))
	r.Residuals = nameAxes(r.Residuals, slices.Concat(batches, column))
	r.Rank, r.SingularValues = nameAxes(r.Rank, slices.Clone(batches)), nameAxes(r.SingularValues, append(batches, ""))
	return r
}

// leastSquares is pinv(a)·b, multiplied from the right, with the derivative of that.
func leastSquares(a, b nx.Tensor, tolerance float64) nx.Tensor {
	if rows(a) == 0 || columns(a) == 0 {
		return nx.Dot(adjoint(a), b)
	}
	type operands struct{ A, B nx.Tensor }
	solve := nx.CustomJVP(func(o operands) nx.Tensor {
		u, s, vt := svdBlocks[0](o.A)
		return nx.Dot(adjoint(vt), scaleRows(nx.Dot(adjoint(u), o.B), inverses(s, tolerance)))
	}, func(o operands, _ nx.Tensor, d operands) nx.Tensor {
		p := pinv(o.A, tolerance)
		return nx.Add(nx.Dot(pinvDerivative(o.A, p, d.A), o.B), nx.Dot(p, d.B))
	})
	return solve(operands{a, b})
}
