package random

import (
	"math"
	"slices"

	"github.com/go-nx/nx"
)

// Gamma returns floats of type d with the gamma distribution of shape alpha, positive
// numbers that broadcast to the shape, and scale 1: 0 where alpha is 0, +Inf where it is infinite.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 16
// ulp of the numbers that JAX draws for the same key. Errors: [nx.ErrShape], [nx.ErrDType]; NaN where
// alpha is negative or NaN. Source: Marsaglia and Tsang, "A simple method for generating gamma
// variables", 2000, doi:10.1145/358407.358414.
func Gamma[A nx.Operand](key nx.Tensor, alpha A, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Gamma")
	return gamma("Gamma", key, parameter("Gamma", key, alpha, shape, d), shape, d, false)
}

// LogGamma returns the logarithms of what [Gamma] draws, which are finite where that is too
// small for the type: -Inf where alpha is 0.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 16
// ulp of the numbers that JAX draws for the same key, or 1e-6 near 0. Errors: those of [Gamma]. Source:
// Marsaglia and Tsang, doi:10.1145/358407.358414.
func LogGamma[A nx.Operand](key nx.Tensor, alpha A, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("LogGamma")
	return gamma("LogGamma", key, parameter("LogGamma", key, alpha, shape, d), shape, d, true)
}

// Beta returns floats of type d in [0, 1] with the beta distribution of a and b, positive
// numbers that broadcast to the shape.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 32
// ulp of the numbers that JAX draws for the same key. Errors: those of [Gamma]; NaN where both parameters are 0
// or one is infinite. Source: two gamma variables, in logarithms.
func Beta[A, B nx.Operand](key nx.Tensor, a A, b B, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Beta")
	const op = "Beta"
	x, y := parameter(op, key, a, shape, d), parameter(op, key, b, shape, d)
	keys := Split(key, 2)
	work := workType(d)
	x, y = gamma(op, keys.At(0), x, shape, work, true), gamma(op, keys.At(1), y, shape, work, true)
	top := nx.Maximum(x, y)
	x, y = nx.Exp(nx.Sub(x, top)), nx.Exp(nx.Sub(y, top))
	return nx.Cast(nx.Div(x, nx.Add(x, y)), d)
}

// Dirichlet returns vectors of floats of type d that are not negative and sum to 1, with the
// Dirichlet distribution of alpha, positive numbers, the last axis of which is that of the
// vectors. Other axes broadcast to the shape.
//
// Shapes: alpha [..., n] → shape + [n]. DTypes: f32 and f64; f16 and bf16 by f32. Gradient:
// none. Accuracy: ≤ 32 ulp of the numbers that JAX draws for the same key. Errors: those of [Gamma]; NaN where
// all parameters are 0 or one is infinite. Source: gamma variables divided by their sum, in
// logarithms.
func Dirichlet(key, alpha nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Dirichlet")
	const op = "Dirichlet"
	check(op, key, shape)
	if alpha.Rank() == 0 {
		fail(op, nx.ErrShape, "give a parameter for each element of the vectors", "the parameters must not be a scalar")
	}
	all := append(slices.Clone(shape), nx.AxisSize(alpha, -1))
	return nx.Cast(nx.Softmax(gamma(op, key, parameter(op, key, alpha, all, d), all, workType(d), true)), d)
}

// ChiSquare returns floats of type d with the chi-square distribution of the given degrees of
// freedom, positive numbers that broadcast to the shape.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 32
// ulp of the numbers that JAX draws for the same key. Errors: those of [Gamma]. Source: a gamma variable.
func ChiSquare[N nx.Operand](key nx.Tensor, degrees N, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("ChiSquare")
	const op = "ChiSquare"
	half := nx.Div(parameter(op, key, degrees, shape, d), 2)
	return nx.Cast(nx.Mul(nx.Exp(gamma(op, key, half, shape, workType(d), true)), 2), d)
}

// StudentT returns floats of type d with Student's t distribution of the given degrees of
// freedom, positive numbers that broadcast to the shape: with infinitely many a normal one.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 32
// ulp of the numbers that JAX draws for the same key. Errors: those of [Gamma]; NaN where there are 0 degrees of
// freedom. Source: a normal variable over the root of a gamma variable.
func StudentT[N nx.Operand](key nx.Tensor, degrees N, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("StudentT")
	const op = "StudentT"
	half := nx.Div(parameter(op, key, degrees, shape, d), 2)
	keys := Split(key, 2)
	n := Normal(keys.At(0), 0, 1, shape, workType(d))
	g := gamma(op, keys.At(1), half, shape, workType(d), false)
	return nx.Cast(nx.Mul(n, nx.Sqrt(nx.Where(nx.IsInf(g), 1, nx.Div(half, g)))), d)
}

// FisherF returns floats of type d with the F distribution of degrees of freedom of a numerator and
// of a denominator, positive numbers that broadcast to the shape.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 64
// ulp of the numbers that JAX draws for the same key. Errors: those of [Gamma]; NaN where one is 0 or infinite.
// Source: the ratio of two [ChiSquare] variables over their degrees, in logarithms.
func FisherF[N, M nx.Operand](key nx.Tensor, numerator N, denominator M, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("FisherF")
	const op = "FisherF"
	n, m := parameter(op, key, numerator, shape, d), parameter(op, key, denominator, shape, d)
	keys := Split(key, 2)
	log := func(key, degrees nx.Tensor) nx.Tensor {
		return gamma(op, key, nx.Div(degrees, 2), shape, workType(d), true)
	}
	ratio := nx.Exp(nx.Sub(log(keys.At(1), n), log(keys.At(0), m)))
	return nx.Cast(nx.Mul(ratio, nx.Div(m, n)), d)
}

// workType returns the type that a distribution of floats of type d is computed in.
func workType(d nx.DType) nx.DType {
	if d.Bits() < 32 {
		return nx.F32
	}
	return d
}

// parameter returns a parameter of a distribution as floats of the shape.
func parameter[P nx.Operand](op string, key nx.Tensor, p P, shape nx.Shape, d nx.DType) nx.Tensor {
	check(op, key, shape)
	if checkFloat(op, d); d.Bits() == 8 {
		fail(op, nx.ErrDType, "draw f32 and convert with nx.Cast", "the type %s has too few numbers", d)
	}
	t, ok := any(p).(nx.Tensor)
	if !ok {
		t = nx.New(any(p))
	}
	if t.DType().IsComplex() {
		fail(op, nx.ErrDType, "", "a parameter must be real, got %s", t.DType())
	}
	return nx.StopGradient(nx.BroadcastTo(nx.Rename(nx.Cast(t, workType(d))), shape...))
}

// between returns where lo ≤ x ≤ hi.
func between(x nx.Tensor, lo, hi float64) nx.Tensor {
	return nx.LogicalAnd(nx.GreaterEqual(x, lo), nx.LessEqual(x, hi))
}

func gamma(op string, key, alpha nx.Tensor, shape nx.Shape, d nx.DType, log bool) nx.Tensor {
	n := shape.Size()
	if n == 0 {
		return nx.Zeros(shape, d)
	}
	alpha = nx.Reshape(nx.Where(nx.Equal(alpha, 0), 0, alpha), n) // -0 is 0
	x := gammas.call(gammaDraw{Keys: Split(key, n), Alpha: alpha, Log: log})
	x = nx.Where(nx.GreaterEqual(alpha, 0), x, math.NaN())
	return nx.Cast(nx.Reshape(x, shape...), d)
}

// gammaDraw holds the parameters of gamma variables, with a key for each.
type gammaDraw struct {
	Keys, Alpha nx.Tensor
	Log         bool
}

var gammas = compiled[gammaDraw]{f: func(r gammaDraw) nx.Tensor {
	return nx.Vmap(func(key, alpha nx.Tensor) nx.Tensor { return gammaOne(key, alpha, r.Log) })(r.Keys, r.Alpha)
}}

// trial is a candidate: X is the square of a normal number, V the cube of a linear function
// of it, U uniform.
type trial struct{ Key, X, V, U nx.Tensor }

// trialNormal looks for a normal number whose V is positive.
type trialNormal struct{ Key, X, V nx.Tensor }

// gammaOne returns one gamma variable, or its logarithm. Below 1, alpha is raised by 1, and
// the variable multiplied by u^(1/alpha).
func gammaOne(key, alpha nx.Tensor, log bool) nx.Tensor {
	t := alpha.DType()
	number := func(v float64) nx.Tensor { return nx.Full(nx.Shape{}, v, t) }
	large := nx.GreaterEqual(alpha, 1)
	raised := nx.Where(large, alpha, nx.Add(alpha, 1))
	d := nx.Sub(raised, 1.0/3)
	c := nx.Div(1.0/3, nx.Sqrt(d))
	keys := Split(key, 2)
	key, last := keys.At(0), keys.At(1)
	s := nx.While(trial{key, number(0), number(1), number(2)},
		func(s trial) nx.Tensor {
			squeezed := nx.GreaterEqual(s.U, nx.Sub(1, nx.Mul(nx.Mul(s.X, s.X), 0.0331)))
			bound := nx.Add(nx.Mul(s.X, 0.5), nx.Mul(d, nx.Add(nx.Sub(1, s.V), nx.Log(s.V))))
			return nx.LogicalAnd(squeezed, nx.GreaterEqual(nx.Log(s.U), bound))
		},
		func(s trial) trial {
			keys := Split(s.Key, 3)
			n := nx.While(trialNormal{keys.At(1), number(0), number(-1)},
				func(n trialNormal) nx.Tensor { return nx.LessEqual(n.V, 0) },
				func(n trialNormal) trialNormal {
					keys := Split(n.Key, 2)
					x := Normal(keys.At(1), 0, 1, nx.Shape{}, t)
					return trialNormal{keys.At(0), x, nx.Add(nx.Mul(x, c), 1)}
				})
			return trial{keys.At(0), nx.Mul(n.X, n.X), nx.Mul(nx.Mul(n.V, n.V), n.V),
				Uniform(keys.At(2), 0, 1, nx.Shape{}, t)}
		})
	if log { // a uniform number 0 stands for those below the next one
		u := nx.Minimum(nx.Neg(Exponential(last, nx.Shape{}, t)), -halfStep(t))
		boost := nx.Where(large, 0, nx.Mul(u, nx.Div(1, alpha)))
		return nx.Add(nx.Add(nx.Log(d), nx.Log(s.V)), boost)
	}
	u := nx.Minimum(nx.Sub(1, Uniform(last, 0, 1, nx.Shape{}, t)), 1-halfStep(t))
	return nx.Mul(nx.Mul(d, s.V), nx.Where(large, 1, nx.Pow(u, nx.Div(1, alpha))))
}
