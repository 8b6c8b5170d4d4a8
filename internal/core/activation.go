package core

import "math"

// Log2 implements nx.Log2.
func Log2(t Tensor) Tensor { return logarithm("Log2", t, math.Ln2) }

// Log10 implements nx.Log10.
func Log10(t Tensor) Tensor { return logarithm("Log10", t, math.Ln10) }

func logarithm(op string, t Tensor, base float64) Tensor {
	s := t.must(op)
	d := floating(s.DType, s.weak)
	if d.IsComplex() {
		z := Log(t) // whose parts may be infinite: a complex quotient would make them NaN
		return Complex(Div(Real(z), base), Div(Imag(z), base))
	}
	return converted(Div(Log(converted(t, F64)), base), d) // a quotient in f64 rounds once to narrower floats
}

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

// timesRootHalf returns -x/√2 as a rounded product and what that lacks, for floats of
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
	const low = factor - high // exact before it is rounded: a float64 lacks 2^-56 of 1/√2
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

// NonZero implements nx.NonZero.
func NonZero(t Tensor, n int) (positions, count Tensor) {
	const op = "NonZero"
	s := t.must(op)
	if n < 0 || n > math.MaxInt32 {
		failOn(ErrArgument, op, []Tensor{t}, "", "cannot find %d elements", n)
	}
	defer calledAs(op, t)
	size := s.Shape.Size()
	if size > math.MaxInt32 {
		failOn(ErrShape, op, []Tensor{t}, "cut the tensor (Tensor.At)", "positions are s32, and there are %d elements", size)
	}
	truths := cast(NotEqual(Rename(Flatten(t)), 0), S32)
	count = Sum(truths)
	if len(s.Shape) == 0 || n == 0 || size == 0 {
		return BroadcastVectors(Zeros(Shape{n, len(s.Shape)}, S32), count)[0], count
	}
	rank := CumSum(truths)
	// The place of the k-th element is where the count first gets to k; the rest is dropped.
	to := Where(Greater(truths, 0), Sub(rank, 1), n)
	flat := SetGather(Zeros(Shape{n}, S32), ExpandAxis(Where(GreaterEqual(to, n), n, to), Axis(-1)),
		Iota(Shape{size}, S32))
	parts := make([]Tensor, len(s.Shape))
	stride := 1
	for i := len(parts) - 1; i >= 0; i-- {
		parts[i] = Remainder(Quotient(flat, stride), s.Shape[i])
		stride *= s.Shape[i]
	}
	return Stack(parts, Axis(-1)), count
}

// EulerGamma is the Euler-Mascheroni constant, the limit of the harmonic numbers less
// their logarithms. π, e and others are in package math.
const EulerGamma = 0.57721566490153286060651209008240243104215933593992
