package core

import (
	"math"
)

// Softplus implements nx.Softplus.
func Softplus(t Tensor) Tensor {
	refuseComplex("Softplus", t)
	x := converted(t, floating(t.p.spec.DType, t.p.spec.weak))
	return Add(Maximum(x, 0), Log1p(Exp(Neg(Abs(x))))) // differentiated as a whole: internal/autodiff knows the form
}

// Silu implements nx.Silu.
func Silu(t Tensor) Tensor {
	s := t.must("Silu")
	d := floating(s.DType, s.weak)
	if d.IsComplex() {
		return Mul(t, Sigmoid(t))
	}
	x := t
	if d != F64 {
		x = converted(t, F32)
	}
	// -Inf·0 is NaN, the limit 0; so is +Inf times the derivative of the sigmoid.
	y := Mul(Maximum(x, -math.MaxFloat32), Sigmoid(x))
	return converted(Where(Greater(x, 1e4), x, y), d)
}

// Gelu implements nx.Gelu.
func Gelu(t Tensor) Tensor {
	refuseComplex("Gelu", t)
	d := floating(t.p.spec.DType, t.p.spec.weak)
	x := converted(t, d)
	if d != F64 {
		x = converted(t, F32)
	}
	// For x far below 0, erfc changes by more than one unit with one of its argument, so it is
	// taken at a rounded one, z, with the first term of its series at z for the rest.
	near := Minimum(Maximum(x, -50), 50)
	z, rest := timesRootHalf(near)
	e := Erfc(z)
	correction := Mul(Mul(Exp(Neg(Square(z))), StopGradient(rest)), 2/math.SqrtPi)
	q := Sub(e, correction)
	lost := StopGradient(Sub(Sub(e, q), correction)) // by rounding: the product would double it
	half := Mul(Maximum(x, -math.MaxFloat32), 0.5)
	y := Add(Mul(half, q), Mul(Mul(near, 0.5), lost))
	return converted(Where(Greater(x, 50), x, y), d) // +Inf times the derivative of Φ is NaN
}

// timesRootHalf returns -x/√2 as a rounded product and its rounding error, for floats of
// moderate size.
func timesRootHalf(x Tensor) (product, rest Tensor) {
	const factor = -math.Sqrt2 / 2
	if x.p.spec.DType == F32 {
		return inTwoParts(Mul(converted(x, F64), factor))
	}
	const high = -0x1.6a09e6p-1
	return exactTimes(x, high, factor-high) // a float64 differs from 1/√2 by 2^-56
}

// inTwoParts returns numbers of type f64 as rounded ones of type f32 and the rounding errors.
func inTwoParts(exact Tensor) (rounded, rest Tensor) {
	rounded = converted(exact, F32)
	return rounded, converted(Sub(exact, rounded), F32)
}

// exactTimes returns the product of x and a factor, whose high part has 24 bits, as a rounded product and its rounding
// error, of numbers of type f64 and moderate size.
func exactTimes(x Tensor, high, low float64) (product, rest Tensor) {
	product = Mul(x, high+low)
	head, tail := halves(x)
	return product, Add(Sub(Mul(head, high), product), Add(Mul(head, low), Mul(tail, high+low)))
}

// exactProduct is exactTimes of two tensors.
func exactProduct(x, y Tensor) (product, rest Tensor) {
	product = Mul(x, y)
	xh, xl := halves(x)
	yh, yl := halves(y)
	return product, Add(Sub(Mul(xh, yh), product), Add(Mul(xh, yl), Mul(xl, y)))
}

// halves splits numbers of type f64 in two: products of 24 bits are exact (T. J. Dekker, doi:10.1007/BF01397083).
func halves(x Tensor) (head, tail Tensor) {
	head = converted(converted(x, F32), F64)
	return head, Sub(x, head)
}

// GeluTanh implements nx.GeluTanh.
func GeluTanh(t Tensor) Tensor {
	refuseComplex("GeluTanh", t)
	d := floating(t.p.spec.DType, t.p.spec.weak)
	x := converted(t, d)
	if d != F64 {
		x = converted(t, F32)
	}
	// It is x·Sigmoid(u). For x far below 0 the sigmoid changes by more than one unit with one of its argument, so it
	// is taken at a rounded one, z, with the first term of its series at z for the rest.
	near := Minimum(Maximum(x, -50), 50)
	z, rest := twiceTanhArgument(near)
	s := Sigmoid(z)
	correction := Mul(Mul(s, Sub(1, s)), StopGradient(rest))
	q := Add(s, correction)
	lost := StopGradient(Sub(correction, Sub(q, s))) // by rounding: the product would double it
	y := Add(Mul(Maximum(x, -math.MaxFloat32), q), Mul(near, lost))
	return converted(Where(Greater(x, 50), x, y), d) // +Inf times the derivative of the sigmoid is NaN
}

// twiceTanhArgument returns 2·√(2/π)·(x + 0.044715·x³) as a rounded number and its rounding error, for |x| ≤ 50.
func twiceTanhArgument(x Tensor) (u, rest Tensor) {
	const (
		linear        = 2 * math.Sqrt2 / math.SqrtPi
		linearRounded = 0x1.9884533d43651p+0
		cubic         = linear * 0.044715
		cubicHigh     = 0x1.2444f2p-4
	)
	if x.p.spec.DType == F32 {
		wide := converted(x, F64)
		return inTwoParts(Mul(wide, Add(linear, Mul(cubic, Square(wide)))))
	}
	// u = x·(linear + cubic·x²); the terms are positive, and each step keeps its rounding error.
	square, squareRest := exactProduct(x, x)
	term, termRest := exactTimes(square, cubicHigh, cubic-cubicHigh)
	sum := Add(linearRounded, term)
	added := Sub(sum, linearRounded)
	sumRest := Add(Sub(linearRounded, Sub(sum, added)), Sub(term, added))
	sumRest = Add(sumRest, Add(termRest, Add(Mul(squareRest, cubic), linear-linearRounded)))
	u, rest = exactProduct(x, sum)
	return u, Add(rest, Mul(x, sumRest))
}

// LayerNorm implements nx.LayerNorm.
func LayerNorm(t Tensor, epsilon float64, opts ...AxisOption) Tensor {
	const op = "LayerNorm"
	refuseComplex(op, t)
	s := t.p.spec
	axes, given := readAxes(op, t, opts)
	if !given {
		axes = []int{axisIndex(op, t, axisRef{i: -1})}
	}
	d := floating(s.DType, s.weak)
	x := converted(t, wide(d))
	over := Axis(axes...)
	c := Sub(x, Mean(x, over, KeepAxes))
	return converted(Mul(c, Rsqrt(Add(Mean(Square(c), over, KeepAxes), epsilon))), d)
}

// EulerGamma is nx.EulerGamma.
const EulerGamma = 0.57721566490153286060651209008240243104215933593992

// Relu implements nx.Relu.
func Relu(t Tensor) Tensor {
	refuseComplex("Relu", t)
	return Maximum(t, 0)
}
