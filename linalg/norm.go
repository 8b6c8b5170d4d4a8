package linalg

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
)

// Norm returns the Euclidean norm of all elements, or along the axes of nx.Axis: √Σ|x|². Options: nx.Axis,
// nx.KeepAxes, nx.SkipNaN.
//
// Shapes: any; the axes are dropped, or kept with size 1.
// DTypes: real; narrower floats are computed in f32, integers become f32.
// Gradient: x/‖x‖, and 0 where the norm is 0, one of its subgradients; the second derivative is
// infinite there, or NaN across, but for the norm of one element, which is |x|.
// Accuracy: that of a sum of squares; neither overflow nor underflow on the way.
// Errors: [nx.ErrAxis] for axes out of range.
// Source: NumPy's norm.
func Norm(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor { return vectorNorm("Norm", t, 2, opts) }

// VectorNorm returns the norm of order ord: (Σ|x|^ord)^(1/ord); for +Inf and -Inf the
// largest and smallest |x|, for 0 the number of elements that are not 0. Options: nx.Axis,
// nx.KeepAxes, nx.SkipNaN.
//
// Shapes: any; the axes are dropped, or kept with size 1.
// DTypes: real; narrower floats are computed in f32, integers become f32.
// Gradient: that of the formula, and 0 where the norm is 0, where the second derivative is
// infinite or NaN. In the orders 1, +Inf and -Inf it is made of |x|′, which is 1 at 0, and
// shared by equal largest or smallest elements; the second derivative is 0.
// Accuracy: that of a sum of powers; neither overflow nor underflow on the way.
// Errors: [nx.ErrAxis] for axes out of range, [nx.ErrValue] for the order NaN.
// Source: NumPy's vector_norm.
func VectorNorm(t nx.Tensor, ord float64, opts ...nx.ReduceOption) nx.Tensor {
	if math.IsNaN(ord) {
		fail("VectorNorm", nx.ErrValue, "", []nx.Tensor{t}, "the order of a norm must not be NaN")
	}
	return vectorNorm("VectorNorm", t, ord, opts)
}

func vectorNorm(op string, t nx.Tensor, ord float64, opts []nx.ReduceOption) nx.Tensor {
	x := floats(op, t)
	as, skips := core.GivenIn(opts)
	if as != dtype.Invalid {
		fail(op, nx.ErrArgument, "cast the result (nx.Cast)", []nx.Tensor{t}, "takes no element type")
	}
	if skips {
		x = nx.Where(nx.IsNaN(x), math.NaN(), x) // derivatives end at this NaN
	}
	size := nx.Abs(x)
	var r nx.Tensor
	kept := append(append([]nx.ReduceOption{}, opts...), nx.KeepAxes)
	switch {
	case ord == 0:
		count := nx.Cast(nx.NotEqual(x, 0), size.DType())
		if skips {
			count = nx.Where(nx.IsNaN(x), math.NaN(), count)
		}
		r = nx.Sum(count, opts...)
	case math.IsInf(ord, 1):
		r = nx.Max(size, opts...)
	case math.IsInf(ord, -1):
		r = nx.Min(size, opts...)
	case ord == 1, x.Size() == 0, nx.Max(size, opts...).Size() == x.Size():
		r = nx.Sum(size, opts...)
	default:
		// Divided by the largest element, which counts as a constant, powers stay in range.
		most := nx.StopGradient(nx.Max(size, kept...))
		most = nx.Where(nx.LogicalAnd(nx.Greater(most, 0), nx.IsFinite(most)), most, 1)
		var power nx.Tensor
		switch {
		case ord == 2:
			power = nx.Square(nx.Div(size, most))
		case ord > 0:
			power = nx.Pow(nx.Div(size, most), ord)
		default:
			none := nx.Equal(size, 0)
			power = nx.Where(none, math.Inf(1), nx.Pow(nx.Div(nx.Where(none, 1, size), most), ord))
		}
		sum := nx.Sum(power, kept...)
		zero := nx.LogicalOr(nx.Equal(sum, 0), nx.IsInf(sum))
		safe := nx.Where(zero, 1, sum)
		root := nx.Sqrt(safe)
		if ord != 2 {
			root = nx.Pow(safe, 1/ord)
		}
		isZero := nx.Equal(sum, 0)
		if ord < 0 {
			isZero = nx.IsInf(sum)
		}
		root = nx.Where(zero, nx.Where(isZero, zeroNorm(x, nx.LogicalAnd(isZero, nx.Equal(x, 0)), kept),
			math.Inf(1)), root)
		r = nx.Sum(nx.Mul(root, most), opts...) // drops the axes, which have size 1
	}
	return nx.Cast(r, realType(result(t.DType())))
}

// zeroNorm sums a function of the elements at the positions where at holds, and x is 0: the sum is 0, with the
// derivative 0 and an infinite second one, as at the vertex of a norm, of which 0 is a subgradient.
func zeroNorm(x, at nx.Tensor, kept []nx.ReduceOption) nx.Tensor {
	power := func(x nx.Tensor) nx.Tensor {
		return nx.Sum(nx.Where(at, nx.Pow(nx.Abs(nx.Where(at, x, 1)), 1.5), 0), kept...)
	}
	if x.DType().IsComplex() {
		return nx.Add(power(nx.Real(x)), power(nx.Imag(x)))
	}
	return power(x)
}

// floats returns elements in the type in which they are computed, with their names.
func floats(op string, t nx.Tensor) nx.Tensor {
	present(op, t)
	return nx.Cast(t, working(op, t))
}

// MatrixOrder reports which norm [MatrixNorm] and [Cond] take.
type MatrixOrder uint8

const (
	// Frobenius is √Σ|x|².
	Frobenius MatrixOrder = iota
	// Nuclear is the sum of the singular values.
	Nuclear
	// Spectral is the largest singular value, the norm of order 2.
	Spectral
	// MinSingular is the smallest singular value, order -2.
	MinSingular
	// MaxColumnSum is the largest sum of |x| in a column, order 1.
	MaxColumnSum
	// MinColumnSum is the smallest one, order -1.
	MinColumnSum
	// MaxRowSum is the largest sum of |x| in a row, order +Inf.
	MaxRowSum
	// MinRowSum is the smallest one, order -Inf.
	MinRowSum
)

// MatrixNorm returns norms of matrices.
//
// Shapes: [..., m, n] → [...].
// DTypes: real; narrower floats are computed in f32, integers become f32.
// Gradient: that of the formula; where a Frobenius norm is 0 as for [Norm], and where a singular
// value is 0 a subgradient: u·vᴴ of the nuclear norm. Equal largest or smallest values and sums
// share it. Second derivatives of the spectral norms are NaN where the value itself is repeated.
// Accuracy: that of sums, or of [SVDVals].
// Errors: [nx.ErrShape] for operands that are not matrices.
// Source: NumPy's matrix_norm.
func MatrixNorm(a nx.Tensor, order MatrixOrder) nx.Tensor {
	order = choice("MatrixNorm", []MatrixOrder{order}, Frobenius, MinRowSum)
	return nameLike(nx.Cast(matrixNorm(matrices("MatrixNorm", a), order), realType(result(a.DType()))), a)
}

func matrixNorm(x nx.Tensor, order MatrixOrder) nx.Tensor {
	sums := func(along, over int, fold func(nx.Tensor, ...nx.ReduceOption) nx.Tensor) nx.Tensor {
		return fold(nx.Sum(nx.Abs(x), nx.Axis(along)), nx.Axis(over))
	}
	switch order {
	case Nuclear:
		return nuclear(x)
	case Spectral:
		return nx.Max(svdvalsBlock(x), nx.Axis(-1))
	case MinSingular:
		return nx.Min(svdvalsBlock(x), nx.Axis(-1))
	case MaxColumnSum:
		return sums(-2, -1, nx.Max)
	case MinColumnSum:
		return sums(-2, -1, nx.Min)
	case MaxRowSum:
		return sums(-1, -1, nx.Max)
	case MinRowSum:
		return sums(-1, -1, nx.Min)
	}
	return vectorNorm("MatrixNorm", x, 2, []nx.ReduceOption{nx.Axis(-1, -2)})
}

// nuclear is the sum of singular values, whose derivative is Re⟨polar(a), ȧ⟩.
func nuclear(a nx.Tensor) nx.Tensor {
	return nx.CustomJVP(func(a nx.Tensor) nx.Tensor { return nx.Sum(svdvalsBlock(a), nx.Axis(-1)) },
		func(a, _, da nx.Tensor) nx.Tensor {
			return nx.Sum(nx.Real(nx.Mul(conj(polar(a)), da)), nx.Axis(-1, -2))
		})(a)
}

// polar is u·vᴴ of a = u·s·vᴴ, with a derivative that allows equal singular values: with p = uᴴ·ȧ·v it is
// u·f·vᴴ with f[i,j] = (p - pᴴ)[i,j]/(s[i] + s[j]), plus the part of ȧ outside of u or v, divided by s.
func polar(a nx.Tensor) nx.Tensor {
	return nx.CustomJVP(func(a nx.Tensor) nx.Tensor {
		u, _, vt := svdBlocks[0](a)
		return nx.Dot(u, vt)
	}, func(a, _, da nx.Tensor) nx.Tensor {
		u, s, vt := svdBlocks[0](a)
		uh, v := adjoint(u), adjoint(vt)
		left, right := nx.Dot(uh, da), nx.Dot(da, v)
		p := nx.Dot(left, v)
		skew := nx.Sub(p, adjoint(p))
		sum := nx.Add(nx.ExpandAxis(s, nx.Axis(-1)), nx.ExpandAxis(s, nx.Axis(-2)))
		if !p.DType().IsComplex() { // the diagonal is 0, by a singular value of 0, too
			sum = nx.Where(compareIndices(rows(p), rows(p), nx.Equal[nx.Tensor, nx.Tensor]), 1, sum)
		}
		d := nx.Dot(nx.Dot(u, nx.Div(skew, sum)), vt)
		switch inverse := nx.Div(1, s); {
		case rows(a) > columns(a):
			d = nx.Add(d, nx.Dot(scaleColumns(nx.Sub(right, nx.Dot(u, p)), inverse), vt))
		case rows(a) < columns(a):
			d = nx.Add(d, nx.Dot(u, scaleRows(nx.Sub(left, nx.Dot(p, vt)), inverse)))
		}
		return d
	})(a)
}

// Cond returns the condition numbers of matrices: the largest singular value divided by the smallest, or
// ‖a‖·‖a⁻¹‖ for a norm other than [Spectral]. That of a singular matrix is Inf.
//
// Shapes: [..., m, n] → [...]; square for other norms.
// DTypes: real; narrower floats are computed in f32, integers become f32.
// Gradient: that of the formula; infinite or NaN for a singular matrix.
// Accuracy: relative to the condition number itself.
// Errors: [nx.ErrShape] for operands that are not matrices, or matrices that must be square and are not.
// Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §2.6.
func Cond(a nx.Tensor, order ...MatrixOrder) nx.Tensor {
	present("Cond", a)
	o := choice("Cond", order, Spectral, MinRowSum)
	d := realType(result(a.DType()))
	if o == Spectral || o == MinSingular {
		s := svdvalsBlock(matrices("Cond", a))
		k := s.Shape()[s.Rank()-1]
		if k == 0 {
			fail("Cond", nx.ErrShape, "", []nx.Tensor{a}, "an empty matrix has no condition number")
		}
		most, least := s.At(nx.Ellipsis, 0), s.At(nx.Ellipsis, k-1)
		// The slope of 1/least, which is infinite at 0, stays in the derivative.
		c := nx.Div(nx.Where(nx.Equal(least, 0), 1, most), least)
		if o == MinSingular {
			c = nx.Div(1, c)
		}
		return nameLike(nx.Cast(c, d), a)
	}
	x := square("Cond", a)
	c := nx.Mul(matrixNorm(x, o), matrixNorm(solveBlock(x, identity(x, rows(x))), o))
	lost := nx.LogicalAnd(nx.IsNaN(c), nx.LogicalNot(nx.Any(nx.IsNaN(nx.Abs(x)), nx.Axis(-1, -2))))
	return nameLike(nx.Cast(nx.Where(lost, math.Inf(1), c), d), a)
}
