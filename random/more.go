package random

import (
	"math"

	"github.com/go-nx/nx"
)

// Laplace returns floats of type d with the standard Laplace distribution: two exponential
// ones, back to back.
//
// Shapes: shape. DTypes: f32, f64, bf16 and f16. Gradient: none. Accuracy: ≤ 2 ulp. Errors:
// [nx.ErrDType]. Source: the inverse of the distribution function.
func Laplace(key nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Laplace")
	checkFloat("Laplace", d)
	u := Uniform(key, -1+math.Ldexp(1, -mantissas[d]-1), 1, shape, d)
	return nx.Mul(nx.Sign(u), nx.Log1p(nx.Neg(nx.Abs(u))))
}

// Logistic returns floats of type d with the standard logistic distribution. A uniform number 0 represents the
// interval up to the next one, where JAX uses the smallest number of the type, which is far too unlikely.
//
// Shapes: shape. DTypes: f32, f64, bf16 and f16. Gradient: none. Accuracy: ≤ 4 ulp, or the
// spacing at 1 near 0. Errors: [nx.ErrDType]. Source: the inverse of the distribution
// function.
func Logistic(key nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Logistic")
	checkFloat("Logistic", d)
	u := inner(key, shape, d)
	return nx.Sub(nx.Log(u), nx.Log1p(nx.Neg(u)))
}

// Cauchy returns floats of type d with the standard Cauchy distribution, which has no mean.
//
// Shapes: shape. DTypes: f32, f64, bf16 and f16. Gradient: none. Accuracy: ≤ 4 ulp beside
// the rounding of the angle. Errors: [nx.ErrDType]. Source: the inverse of the distribution
// function.
func Cauchy(key nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Cauchy")
	checkFloat("Cauchy", d)
	u := Uniform(key, d.Epsilon(), 1, shape, d)
	return nx.Tan(nx.Mul(nx.Sub(u, 0.5), math.Pi))
}

// LogNormal returns floats of type d whose logarithm is normal with mean 0 and the given
// deviation.
//
// Shapes: shape. DTypes: f32, f64, bf16 and f16. Gradient: none. Accuracy: ≤ 4 ulp of the
// logarithm. Errors: [nx.ErrDType]. Source: the exponential of a normal variable.
func LogNormal(key nx.Tensor, deviation float64, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("LogNormal")
	checkFloat("LogNormal", d)
	return nx.Exp(nx.Mul(Normal(key, 0, 1, shape, d), deviation))
}

// Rademacher returns numbers of type d that are -1 or 1 with equal probability.
//
// Shapes: shape. DTypes: signed integers, floats and complex numbers. Gradient: none.
// Accuracy: exact. Errors: [nx.ErrDType] for other types. Source: the sign of a fair coin.
func Rademacher(key nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Rademacher")
	if !d.IsSigned() && !d.IsFloat() && !d.IsComplex() {
		fail("Rademacher", nx.ErrDType, "", "the type must have negative numbers, got %s", d)
	}
	return nx.Cast(nx.Sub(nx.Mul(nx.Cast(Bernoulli(key, 0.5, shape), nx.S8), 2), 1), d)
}

// Geometric returns integers of type d with the geometric distribution of a probability, a
// number in (0, 1] or a tensor that broadcasts to the shape: the number of trials up to the
// first success. Numbers beyond the type become its largest, as they do where the probability is 0.
//
// Shapes: shape. DTypes: integers; the probability counts as f32. Gradient: none. Accuracy:
// the rounding of a logarithm in f32, and integers above 2^24 are rounded. Errors: [nx.ErrShape],
// [nx.ErrDType]; -1, in unsigned types 0, where the probability is not in [0, 1]. Source: the
// inverse of the distribution function.
func Geometric[P nx.Operand](key nx.Tensor, p P, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Geometric")
	const op = "Geometric"
	q := parameter(op, key, p, shape, nx.F32)
	if !d.IsInteger() {
		fail(op, nx.ErrDType, "", "counts must be integers, got %s", d)
	}
	u := Uniform(key, 0, 1, shape, nx.F32)
	u = nx.Where(nx.Equal(u, 0), 1, u)
	failure := nx.Log1p(nx.Neg(q))
	k := nx.Add(nx.Floor(nx.Div(nx.Log(u), failure)), 1)
	k = nx.Where(nx.Equal(failure, 0), math.Inf(1), k)
	return counts(nx.Where(between(q, 0, 1), k, -1), d)
}
