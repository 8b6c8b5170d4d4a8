package random

import (
	"math"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// Maxwell returns floats of type d with the Maxwell distribution: the lengths of normal vectors
// in space.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 8 ulp
// of the numbers that JAX draws for the same key. Errors: [nx.ErrShape], [nx.ErrDType]. Source: three normal
// variables.
func Maxwell(key nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Maxwell")
	return nx.Cast(maxwell("Maxwell", key, shape, d), d)
}

func maxwell(op string, key nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor {
	checkWide(op, key, shape, d)
	z := Normal(key, 0, 1, append(slices.Clone(shape), 3), workType(d))
	return nx.Sqrt(nx.Sum(nx.Square(z), nx.Axis(-1)))
}

// DoubleSidedMaxwell returns floats of type d with the Maxwell distribution on both sides of a
// location, times a scale. The two are numbers that broadcast to the shape.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 8 ulp
// of the numbers that JAX draws for the same key, beside the rounding of the sum. Errors: [nx.ErrShape],
// [nx.ErrDType]. Source: a [Maxwell] variable with a random sign.
func DoubleSidedMaxwell[L, S nx.Operand](key nx.Tensor, location L, scale S, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("DoubleSidedMaxwell")
	const op = "DoubleSidedMaxwell"
	l, s := parameter(op, key, location, shape, d), parameter(op, key, scale, shape, d)
	keys := Split(key, 2)
	x := nx.Mul(Rademacher(keys.At(1), shape, workType(d)), maxwell(op, keys.At(0), shape, workType(d)))
	return nx.Cast(nx.Add(nx.Mul(x, s), l), d)
}

// Wald returns floats of type d with the Wald distribution of a mean, positive numbers that
// broadcast to the shape: the time until a drifting walk first reaches a distance. That of an
// infinite mean has the Lévy distribution.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 16 ulp of
// the root of an equation, in which JAX subtracts: for large means that gives negative numbers.
// Errors: [nx.ErrShape], [nx.ErrDType]; NaN where the mean is not positive. Source: J. Michael,
// W. Schucany, R. Haas, "Generating random variates using transformations with multiple roots",
// 1976, doi:10.1080/00031305.1976.10479147.
func Wald[M nx.Operand](key nx.Tensor, mean M, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Wald")
	m := parameter("Wald", key, mean, shape, d)
	keys := Split(key, 2)
	y := nx.Square(Normal(keys.At(0), 0, 1, shape, workType(d)))
	z := Uniform(keys.At(1), 0, 1, shape, workType(d))
	// The roots are 1/q and m²·q, with q = 1/m + y/2 + √(y/m + y²/4).
	inverse := nx.Div(1, m)
	q := nx.Add(nx.Add(inverse, nx.Div(y, 2)), nx.Sqrt(nx.Mul(y, nx.Add(inverse, nx.Div(y, 4)))))
	small, large := nx.Div(1, q), nx.Mul(nx.Mul(m, q), m)
	x := nx.Where(nx.LessEqual(z, nx.Div(1, nx.Add(nx.Mul(small, inverse), 1))), small, large)
	return nx.Cast(nx.Where(nx.Greater(m, 0), x, math.NaN()), d)
}

// GeneralizedNormal returns floats of type d whose density is that of exp(-|x|^p), for powers p,
// positive numbers that broadcast to the shape: 1 is that of [Laplace], 2 a normal one.
//
// Shapes: shape. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 32 ulp
// of the numbers that JAX draws for the same key. Errors: those of [Gamma]; NaN where p is 0 or infinite.
// Source: a root of a gamma variable with a random sign, in logarithms.
func GeneralizedNormal[P nx.Operand](key nx.Tensor, p P, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("GeneralizedNormal")
	const op = "GeneralizedNormal"
	return nx.Cast(generalizedNormal(op, key, parameter(op, key, p, shape, d), shape, workType(d)), d)
}

func generalizedNormal(op string, key, p nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor {
	keys, inverse := Split(key, 2), nx.Div(1, p)
	log := gamma(op, keys.At(0), inverse, shape, d, true) // for large powers no variable is in the type
	x := nx.Mul(Rademacher(keys.At(1), shape, d), nx.Exp(nx.Mul(log, inverse)))
	return nx.Where(nx.Greater(p, 0), x, math.NaN())
}

// Ball returns vectors of n floats of type d, uniform in the ball of radius 1 of the norm Σ|xᵢ|^p,
// to the power of 1/p, which of an infinite p is the largest |xᵢ|.
//
// Shapes: shape + [n]. DTypes: f32 and f64; f16 and bf16 by f32. Gradient: none. Accuracy: ≤ 32
// ulp of the numbers that JAX draws for the same key. Errors: those of [Gamma], [nx.ErrValue] where p is not
// positive. Source: F. Barthe et al., "A probabilistic approach to the geometry of the ℓp-ball",
// 2005, doi:10.1214/009117904000000874.
func Ball(key nx.Tensor, n int, p float64, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Ball")
	const op = "Ball"
	all := append(slices.Clone(shape), n)
	power := parameter(op, key, p, all, d)
	if !(p > 0) {
		fail(op, nx.ErrValue, "", "the power of the norm must be positive, got %v", p)
	}
	keys := Split(key, 2)
	if math.IsInf(p, 1) {
		return nx.Cast(Uniform(keys.At(0), -1, 1, all, workType(d)), d)
	}
	g := generalizedNormal(op, keys.At(0), power, all, workType(d))
	sum := nx.Add(nx.Sum(nx.Pow(nx.Abs(g), p), nx.Axis(-1)), Exponential(keys.At(1), shape, workType(d)))
	return nx.Cast(nx.Div(g, nx.ExpandAxis(nx.Pow(sum, 1/p), nx.Axis(-1))), d)
}

// Orthogonal returns matrices of type d with orthonormal columns, or rows where there are fewer of
// them, uniform among all such: orthogonal ones, and unitary ones of complex numbers.
//
// Shapes: shape + [rows, cols]. DTypes: f32, f64, c64 and c128; f16 and bf16 by f32. Gradient: none.
// Accuracy: that of [linalg.QR]. Errors: [nx.ErrShape], [nx.ErrDType]. Source: F. Mezzadri, "How to
// generate random matrices from the classical compact groups", 2007, arXiv:math-ph/0609050.
func Orthogonal(key nx.Tensor, rows, cols int, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Orthogonal")
	tall := append(slices.Clone(shape), max(rows, cols), min(rows, cols))
	checkWide("Orthogonal", key, tall, d.Real())
	q, r := linalg.QR(normalParts(key, tall, workType(d)))
	q = nx.Mul(q, nx.ExpandAxis(nx.Sign(nx.Diagonal(r, 0)), nx.Axis(-2)))
	if rows < cols {
		q = nx.Conj(linalg.Adjoint(q)) // the transpose, as in JAX
	}
	return nx.Cast(q, d)
}

// normalParts returns normal numbers; the parts of complex ones have separate keys, as in JAX.
func normalParts(key nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor {
	if !d.IsComplex() {
		return Normal(key, 0, 1, shape, d)
	}
	keys := Split(key, 2)
	return nx.Complex(Normal(keys.At(0), 0, 1, shape, d.Real()), Normal(keys.At(1), 0, 1, shape, d.Real()))
}

// checkWide refuses types with too few numbers to compute with.
func checkWide(op string, key nx.Tensor, shape nx.Shape, d nx.DType) {
	check(op, key, shape)
	if checkFloat(op, d); d.Bits() == 8 {
		fail(op, nx.ErrDType, "draw f32 and convert with nx.Cast", "the type %s has too few numbers", d)
	}
}
