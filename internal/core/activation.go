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
		exact := Mul(converted(x, F64), factor)
		product = converted(exact, F32)
		return product, converted(Sub(exact, product), F32)
	}
	// Products of 24 bits are exact (T. J. Dekker, doi:10.1007/BF01397083).
	const high = -0x1.6a09e6p-1
	const low = factor - high // exact before it is rounded: a float64 differs from 1/√2 by 2^-56
	product = Mul(x, factor)
	head := converted(converted(x, F32), F64)
	tail := Sub(x, head)
	rest = Add(Sub(Mul(head, high), product), Add(Mul(head, low), Mul(tail, factor)))
	return product, rest
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
