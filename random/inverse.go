package random

import (
	"math"

	"github.com/go-nx/nx"
)

// Pareto returns floats of type d, at least 1, with the Pareto distribution of an exponent,
// positive numbers that broadcast to the shape.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 4 ulp
// of the logarithm. Errors: [nx.ErrShape], [nx.ErrDType]; NaN where the exponent is not positive.
// Source: the exponential of an exponential variable.
func Pareto[B nx.Operand](key nx.Tensor, exponent B, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Pareto")
	b := parameter("Pareto", key, exponent, shape, d)
	x := nx.Exp(nx.Div(Exponential(key, shape, workType(d)), b))
	return nx.Cast(nx.Where(nx.Greater(b, 0), x, math.NaN()), d)
}

// Rayleigh returns floats of type d with the Rayleigh distribution of a scale, positive numbers
// that broadcast to the shape: the lengths of normal vectors in the plane. A uniform number 0
// represents the interval up to the next one, where JAX uses the smallest number of the type, which
// is far too unlikely.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 4 ulp.
// Errors: [nx.ErrShape], [nx.ErrDType]; NaN where the scale is negative or NaN. Source: the inverse
// of the distribution function.
func Rayleigh[S nx.Operand](key nx.Tensor, scale S, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Rayleigh")
	s, work := parameter("Rayleigh", key, scale, shape, d), workType(d)
	u := nx.Maximum(Uniform(key, 0, 1, shape, work), halfStep(work))
	x := nx.Mul(s, nx.Sqrt(nx.Mul(nx.Log(u), -2)))
	return nx.Cast(nx.Where(nx.GreaterEqual(s, 0), x, math.NaN()), d)
}

// Triangular returns floats of type d between left and right whose density rises linearly up to
// mode and falls behind it. The three are numbers that broadcast to the shape.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: the
// rounding of sums and a root. Errors: [nx.ErrShape], [nx.ErrDType]; NaN where left ≤ mode ≤
// right does not hold or right - left is not a finite number of the type. Source: the inverse of the
// distribution function.
func Triangular[L, M, R nx.Operand](key nx.Tensor, left L, mode M, right R, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Triangular")
	const op = "Triangular"
	l, m := parameter(op, key, left, shape, d), parameter(op, key, mode, shape, d)
	r := parameter(op, key, right, shape, d)
	width := nx.Sub(r, l)
	u := Uniform(key, 0, 1, shape, workType(d))
	part := nx.Div(nx.Sub(m, l), width)
	rising := nx.Add(l, nx.Mul(width, nx.Sqrt(nx.Mul(u, part)))) // the square of the width may be beyond the type
	falling := nx.Sub(r, nx.Mul(width, nx.Sqrt(nx.Mul(nx.Sub(1, u), nx.Div(nx.Sub(r, m), width)))))
	x := nx.Clip(nx.Where(nx.Less(u, part), rising, falling), l, r)
	ordered := nx.LogicalAnd(nx.LessEqual(l, m), nx.LessEqual(m, r))
	return nx.Cast(nx.Where(ordered, nx.Where(nx.Equal(width, 0), l, x), math.NaN()), d)
}

// WeibullMin returns floats of type d with the Weibull distribution of a scale and a
// concentration, positive numbers that broadcast to the shape: the smallest of many.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 8 ulp.
// Errors: [nx.ErrShape], [nx.ErrDType]; NaN where the scale is not finite and at least 0, or the
// concentration not positive. Source: the inverse of the distribution function.
func WeibullMin[S, C nx.Operand](key nx.Tensor, scale S, concentration C, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("WeibullMin")
	const op = "WeibullMin"
	s, c := parameter(op, key, scale, shape, d), parameter(op, key, concentration, shape, d)
	e := nx.Neg(nx.Log1p(nx.Neg(Uniform(key, 0, 1, shape, workType(d)))))
	valid := nx.LogicalAnd(nx.LogicalAnd(nx.GreaterEqual(s, 0), nx.IsFinite(s)), nx.Greater(c, 0))
	return nx.Cast(nx.Where(valid, nx.Mul(nx.Pow(e, nx.Div(1, c)), s), math.NaN()), d)
}
