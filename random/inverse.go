package random

import (
	"math"

	"github.com/go-nx/nx"
)

// Pareto returns floats of type d, at least 1, with the Pareto distribution of an exponent,
// positive numbers that broadcast to the shape.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 4 ulp
// of the logarithm. Errors: [nx.ErrShape], [nx.ErrDType]. Source: the exponential of an
// exponential variable.
func Pareto[B nx.Operand](key nx.Tensor, exponent B, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Pareto")
	b := parameter("Pareto", key, exponent, shape, d)
	return nx.Cast(nx.Exp(nx.Div(Exponential(key, shape, workType(d)), b)), d)
}

// Rayleigh returns floats of type d with the Rayleigh distribution of a scale, positive numbers
// that broadcast to the shape: the lengths of normal vectors in the plane.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 4 ulp.
// Errors: [nx.ErrShape], [nx.ErrDType]. Source: the inverse of the distribution function.
func Rayleigh[S nx.Operand](key nx.Tensor, scale S, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Rayleigh")
	s, work := parameter("Rayleigh", key, scale, shape, d), workType(d)
	u := nx.Maximum(Uniform(key, 0, 1, shape, work), work.SmallestNormal()) // a logarithm is finite
	return nx.Cast(nx.Mul(s, nx.Sqrt(nx.Mul(nx.Log(u), -2))), d)
}

// Triangular returns floats of type d between left and right whose density rises linearly up to
// mode and falls behind it. The three are numbers that broadcast to the shape.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: the
// rounding of sums and a root. Errors: [nx.ErrShape], [nx.ErrDType]; NaN where left ≤ mode ≤
// right does not hold. Source: the inverse of the distribution function.
func Triangular[L, M, R nx.Operand](key nx.Tensor, left L, mode M, right R, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Triangular")
	const op = "Triangular"
	l, m := parameter(op, key, left, shape, d), parameter(op, key, mode, shape, d)
	r := parameter(op, key, right, shape, d)
	width := nx.Sub(r, l)
	u := Uniform(key, 0, 1, shape, workType(d))
	rising := nx.Add(l, nx.Sqrt(nx.Mul(nx.Mul(u, width), nx.Sub(m, l))))
	falling := nx.Sub(r, nx.Sqrt(nx.Mul(nx.Mul(nx.Sub(1, u), width), nx.Sub(r, m))))
	x := nx.Where(nx.Less(u, nx.Div(nx.Sub(m, l), width)), rising, falling)
	ordered := nx.LogicalAnd(nx.LessEqual(l, m), nx.LessEqual(m, r))
	return nx.Cast(nx.Where(ordered, x, math.NaN()), d)
}

// WeibullMin returns floats of type d with the Weibull distribution of a scale and a
// concentration, positive numbers that broadcast to the shape: the smallest of many.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 8 ulp.
// Errors: [nx.ErrShape], [nx.ErrDType]. Source: the inverse of the distribution function.
func WeibullMin[S, C nx.Operand](key nx.Tensor, scale S, concentration C, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("WeibullMin")
	const op = "WeibullMin"
	s, c := parameter(op, key, scale, shape, d), parameter(op, key, concentration, shape, d)
	e := nx.Neg(nx.Log1p(nx.Neg(Uniform(key, 0, 1, shape, workType(d)))))
	return nx.Cast(nx.Mul(nx.Pow(e, nx.Div(1, c)), s), d)
}
