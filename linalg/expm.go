package linalg

import (
	"math"
	"sync"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
)

// Expm returns the exponentials of matrices: Σ aⁿ/n!.
//
// Shapes: [..., n, n] → the same.
// DTypes: f32, f64, c64, c128; narrower floats are computed in f32, integers become f32.
// Gradient: the Fréchet derivative, computed by the same algorithm; of any order.
// Accuracy: exact for a matrix that differs from a by at most 20·n·ε·‖a‖, for norms up to a few hundred. The
// number of halvings follows from the norms of the powers of the matrix, not from its own norm, so matrices
// that are far from normal lose no accuracy. Of triangular matrices the diagonal and the adjacent one are
// exact to a few ε.
// Errors: [nx.ErrShape] for matrices that are not square.
// Source: A. Al-Mohy, N. Higham, A new scaling and squaring algorithm for the matrix exponential, SIAM J.
// Matrix Anal. Appl. 31 (2009), doi:10.1137/09074721X. Always of degree 13: lower degrees save
// multiplications, and are not more accurate.
func Expm(a nx.Tensor) nx.Tensor { return exponentials().of("Expm", a) }

var exponentials = sync.OnceValue(func() *matrixFunction {
	return newMatrixFunction(func(a nx.Tensor) nx.Tensor { r, _ := exponential(a, nx.Tensor{}); return r },
		func(p direction) nx.Tensor { _, r := exponential(p.A, p.E); return r }, false)
})

// exponential returns exp(x) and, unless dx is absent, its derivative in that direction.
func exponential(x, dx nx.Tensor) (r, dr nx.Tensor) {
	type state struct{ R, D nx.Tensor }
	isUpper := isZero(nx.Tril(x, -1))
	isLower := nx.LogicalAnd(isZero(nx.Triu(x, 1)), nx.LogicalNot(isUpper))
	turn := func(t nx.Tensor) nx.Tensor {
		if t.IsZero() {
			return t
		}
		return nx.Where(scalars(isLower), swap(t), t)
	}
	x, dx = turn(x), turn(dx)
	triangular := nx.LogicalOr(isUpper, isLower)
	powers := powersOf(x)
	times := halvings(x, powers)
	scale := func(t, k nx.Tensor) nx.Tensor { return nx.Mul(t, scalars(powerOfTwo(k, x.DType()))) }
	half := nx.Neg(times)
	s := state{}
	small := scale(x, half)
	if dx.IsZero() {
		s.R = approximant(small, func(k int) nx.Tensor {
			p := powers[k]
			return scale(p.m, nx.Add(p.exponent, nx.Mul(half, k)))
		})
	} else {
		s.R, s.D = nx.JVP(func(x nx.Tensor) nx.Tensor {
			x2 := nx.Dot(x, x)
			x4 := nx.Dot(x2, x2)
			all := map[int]nx.Tensor{2: x2, 4: x4, 6: nx.Dot(x4, x2)}
			return approximant(x, func(k int) nx.Tensor { return all[k] })
		}, small, scale(dx, half))
	}
	s.R = exactDiagonals(s.R, small, triangular)
	s = nx.Fori(nx.Cast(nx.Max(times), nx.S32), s, func(i nx.Tensor, s state) state {
		goesOn := scalars(nx.Less(i, times))
		var next state
		if !dx.IsZero() {
			next.D = nx.Where(goesOn, nx.Add(nx.Dot(s.R, s.D), nx.Dot(s.D, s.R)), s.D)
		}
		squared := exactDiagonals(nx.Dot(s.R, s.R), scale(x, nx.Sub(nx.Add(i, 1), times)), triangular)
		next.R = nx.Where(goesOn, squared, s.R)
		return next
	})
	return turn(s.R), turn(s.D)
}

// isZero reports of matrices whether all elements are zero.
func isZero(t nx.Tensor) nx.Tensor { return nx.All(nx.Equal(t, 0), nx.Axis(-1, -2)) }

// pade are the coefficients of the diagonal Padé approximant of degree 13 of exp, divided by
// the first: else they overflow in f32 times large matrices.
var pade = func() (c [14]float64) {
	for k, b := range [14]float64{64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800,
		129060195264000, 10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1} {
		c[k] = b / 64764752532480000
	}
	return c
}()

// approximant is exp(x) for small x; even returns x², x⁴ and x⁶.
func approximant(x nx.Tensor, even func(int) nx.Tensor) nx.Tensor {
	one, x2, x4, x6 := identity(x, rows(x)), even(2), even(4), even(6)
	combine := func(k int) nx.Tensor { // of the coefficients k, k+2, k+4, k+6
		return nx.Add(nx.Add(nx.Mul(one, pade[k]), nx.Mul(x2, pade[k+2])),
			nx.Add(nx.Mul(x4, pade[k+4]), nx.Mul(x6, pade[k+6])))
	}
	high := func(k int) nx.Tensor {
		return nx.Dot(x6, nx.Add(nx.Add(nx.Mul(x2, pade[k]), nx.Mul(x4, pade[k+2])), nx.Mul(x6, pade[k+4])))
	}
	u := nx.Dot(x, nx.Add(high(9), combine(1)))
	v := nx.Add(high(8), combine(0))
	return nx.Add(one, nx.Mul(solveBlock(nx.Sub(v, u), u), 2)) // (v-u)⁻¹·(v+u), which keeps small entries next to 1
}

// scaled are matrices m·2^exponent whose norms, the largest column sums of |m|, are at most 1, so that
// products of them do not overflow.
type scaled struct{ m, exponent nx.Tensor }

// normalised divides each matrix by a power of two.
func normalised(m, exponent nx.Tensor) scaled {
	own := exponentOf(columnNorm(m))
	return scaled{nx.Mul(m, scalars(powerOfTwo(nx.Neg(own), m.DType()))), nx.Add(exponent, own)}
}

func columnNorm(m nx.Tensor) nx.Tensor { return matrixNorm(m, MaxColumnSum) }

// logNorm is the binary logarithm of the norm, -Inf of zero.
func (s scaled) logNorm() nx.Tensor { return nx.Add(nx.Log2(columnNorm(s.m)), s.exponent) }

func (s scaled) times(o scaled) scaled {
	return normalised(nx.Dot(s.m, o.m), nx.Add(s.exponent, o.exponent))
}

// powersOf returns powers of x, the first and the even ones up to the tenth.
func powersOf(x nx.Tensor) map[int]scaled {
	x = nx.StopGradient(x)
	p := map[int]scaled{1: normalised(x, nx.Zeros(batch(x, 2), realType(x.DType())))}
	p[2] = p[1].times(p[1])
	p[4] = p[2].times(p[2])
	p[6] = p[4].times(p[2])
	p[8] = p[4].times(p[4])
	p[10] = p[4].times(p[6])
	return p
}

// halvings returns how often matrices are halved before the approximant of degree 13 has
// all digits: section 3 of Al-Mohy and Higham.
func halvings(x nx.Tensor, powers map[int]scaled) nx.Tensor {
	const bound = 4.25 // θ₁₃
	root := func(k int) nx.Tensor { return nx.Div(powers[k].logNorm(), k) }
	six, eight, ten := root(6), root(8), root(10)
	size := nx.Minimum(nx.Maximum(six, eight), nx.Maximum(eight, ten))
	times := nx.Maximum(nx.Ceil(nx.Sub(size, math.Log2(bound))), 0)
	times = nx.Where(nx.IsFinite(times), times, 0)
	// More where |x|²⁷, whose coefficient in the series of the backward error is the first that
	// is not 0, is so much larger than x²⁷ that its rounding shows.
	const first = 113250775606021113483283660800000000 // its inverse
	unit := 53.0
	if realType(x.DType()) == nx.F32 {
		unit = 24
	}
	base := scaled{nx.Abs(powers[1].m), powers[1].exponent}
	sums := scaled{nx.Ones(with(batch(x, 2), 1, rows(x)), base.m.DType()), tree.ZerosLike(base.exponent)}
	type state struct{ M, Exponent nx.Tensor }
	last := nx.Fori(27, state{sums.m, sums.exponent}, func(_ nx.Tensor, s state) state {
		r := scaled{s.M, s.Exponent}.times(base)
		return state{r.m, r.exponent}
	})
	excess := nx.Sub(scaled{last.M, last.Exponent}.logNorm(), base.logNorm())
	excess = nx.Sub(nx.Add(nx.Sub(excess, math.Log2(first)), unit), nx.Mul(times, 26))
	more := nx.Maximum(nx.Ceil(nx.Div(excess, 26)), 0)
	return nx.Add(times, nx.Where(nx.IsFinite(more), more, 0))
}

// exactDiagonals puts into the exponentials r of upper triangular matrices x what rounding
// in squarings spoils: the diagonal, e^x[i,i], and the one above, x[i,i+1] times the divided
// difference of e^z. Code fragment 2.1 of Al-Mohy and Higham. Others stay as they are.
func exactDiagonals(r, x, triangular nx.Tensor) nx.Tensor {
	z := nx.Diagonal(x, 0)
	exact := nx.SetDiagonal(r, nx.Exp(z), 0)
	if n := rows(x); n > 1 {
		low, high := z.At(nx.Ellipsis, nx.To(n-1)), z.At(nx.Ellipsis, nx.From(1))
		swapped := nx.Less(nx.Real(high), nx.Real(low))
		low, high = nx.Where(swapped, high, low), nx.Where(swapped, low, high)
		d := nx.Sub(low, high) // of a real part ≤ 0, so that nothing overflows but the result
		equal := nx.Equal(d, 0)
		slope := nx.Where(equal, 1, nx.Div(nx.Expm1(d), nx.Where(equal, 1, d)))
		exact = nx.SetDiagonal(exact, nx.Mul(nx.Diagonal(x, 1), nx.Mul(nx.Exp(high), slope)), 1)
	}
	return nx.Where(scalars(triangular), exact, r)
}

// format is the layout of floats of type d: integers of the same width, the bits of the fraction, and the bias
// of the exponent.
func format(d nx.DType) (bits nx.DType, fraction, bias int) {
	if realType(d) == nx.F32 {
		return nx.S32, 23, 127
	}
	return nx.S64, 52, 1023
}

// powerOfTwo returns 2^k in the real type of d, exactly, for integers k in floats; at most
// the largest power and at least the smallest normal one.
func powerOfTwo(k nx.Tensor, d nx.DType) nx.Tensor {
	bits, fraction, bias := format(d)
	e := nx.Cast(nx.Clip(k, float64(1-bias), float64(bias)), bits)
	return nx.Bitcast(nx.LeftShift(nx.Add(e, bias), fraction), realType(d))
}

// exponentOf returns the least k with 2^k > x for normal positive x; of zero and subnormal
// numbers that of the smallest normal one.
func exponentOf(x nx.Tensor) nx.Tensor {
	bits, fraction, bias := format(x.DType())
	e := nx.RightShift(nx.Bitcast(x, bits), fraction)
	return nx.Cast(nx.Maximum(nx.Sub(e, bias-1), 2-bias), x.DType())
}
