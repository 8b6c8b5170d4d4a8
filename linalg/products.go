package linalg

import (
	"math"
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
		fail("Adjoint", nx.ErrShape, "conjugate it with nx.Conj", []nx.Tensor{t}, "a scalar is no matrix")
	case t.Rank() > 1:
		return adjoint(t)
	case t.DType().IsComplex():
		return nx.Conj(t)
	}
	return t
}

// Kron returns the Kronecker products of matrices: blocks a[i, j]·b. Vectors count as
// matrices with one row, and give a vector; a scalar multiplies.
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

// MatrixPower returns the n-th power of matrices, by squaring. A negative n inverts, n = 0
// gives the identity.
//
// Shapes: [..., k, k] → the same.
// DTypes: f32, f64, c64, c128; narrower floats are computed in f32, integers become f32.
// Gradient: that of the products.
// Accuracy: that of about 2·log₂(n) products, and of [Inv].
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
	return like(back(r, a), a, rowName(a), columnName(a))
}

// pade are the coefficients of the diagonal Padé approximant of degree 13 of exp.
var pade = [14]float64{64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800,
	129060195264000, 10559470521600,
	670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1}

// Expm returns the exponentials of matrices: Σ aⁿ/n!.
//
// Shapes: [..., n, n] → the same.
// DTypes: f32, f64, c64, c128; narrower floats are computed in f32, integers become f32.
// Gradient: that of the approximant.
// Accuracy: exact for a matrix that differs from a by at most 20·n·ε·‖a‖, for norms up to
// a few hundred.
// Errors: [nx.ErrShape] for matrices that are not square.
// Source: N. Higham, The scaling and squaring method for the matrix exponential revisited,
// SIAM J. Matrix Anal. Appl. 26 (2005).
func Expm(a nx.Tensor) nx.Tensor {
	x := square("Expm", a)
	if v := a.Vectors(); v != nil { // as batches: all take as many steps as one needs
		names := make([]string, len(v))
		for i := range v {
			names[i] = v[i].Name
		}
		return nx.Vectorize(Expm(nx.Devectorize(a)), names...)
	}
	if x.Size() == 0 {
		return like(back(x, a), a, rowName(a), columnName(a))
	}
	// Each matrix is divided by its own power of two, and squared as often.
	const bound, most = 5.371920351148152, 64
	size := nx.StopGradient(nx.Max(nx.Sum(nx.Abs(x), nx.Axis(-2)), nx.Axis(-1)))
	times := nx.Ceil(nx.Div(nx.Log(nx.Maximum(nx.Div(size, bound), 1)), math.Ln2))
	times = nx.Where(nx.IsFinite(times), nx.Minimum(times, most), 0)
	x = nx.Mul(x, scalars(nx.Exp(nx.Mul(times, -math.Ln2))))
	r := approximant(x)
	steps := nx.Cast(nx.Max(times), nx.S32)
	r = nx.Fori(steps, r, func(i nx.Tensor, r nx.Tensor) nx.Tensor {
		return nx.Where(scalars(nx.Less(i, times)), nx.Dot(r, r), r)
	})
	return like(back(r, a), a, rowName(a), columnName(a))
}

// approximant is exp(x) for small x.
func approximant(x nx.Tensor) nx.Tensor {
	one := identity(x, rows(x))
	x2 := nx.Dot(x, x)
	x4 := nx.Dot(x2, x2)
	x6 := nx.Dot(x4, x2)
	combine := func(k int) nx.Tensor { // of the coefficients k, k+2, k+4, k+6
		return nx.Add(nx.Add(nx.Mul(one, pade[k]), nx.Mul(x2, pade[k+2])),
			nx.Add(nx.Mul(x4, pade[k+4]), nx.Mul(x6, pade[k+6])))
	}
	high := func(k int) nx.Tensor {
		return nx.Dot(x6, nx.Add(nx.Add(nx.Mul(x2, pade[k]), nx.Mul(x4, pade[k+2])), nx.Mul(x6, pade[k+4])))
	}
	u := nx.Dot(x, nx.Add(high(9), combine(1)))
	v := nx.Add(high(8), combine(0))
	return solveBlock(nx.Sub(v, u), nx.Add(v, u))
}
