package nx

import "github.com/go-nx/nx/internal/core"

// Log2 returns the logarithm to base 2: -Inf at 0, NaN below.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/(t·log 2). Accuracy: ≤ 1 ulp, in f64
// ≤ 2.
func Log2(t Tensor) Tensor {
	return Tensor(core.Log2(core.Tensor(t)))
}

// Log10 returns the logarithm to base 10: -Inf at 0, NaN below.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: 1/(t·log 10). Accuracy: ≤ 1 ulp, in f64
// ≤ 2.
func Log10(t Tensor) Tensor {
	return Tensor(core.Log10(core.Tensor(t)))
}

// Softplus returns log(1 + exp(t)) without overflow.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: Sigmoid(t). Accuracy: ≤ 2 ulp.
// Errors: [ErrDType] for complex numbers.
func Softplus(t Tensor) Tensor {
	return Tensor(core.Softplus(core.Tensor(t)))
}

// Silu returns t·Sigmoid(t), also known as swish.
//
// Shapes: that of t. DTypes: integers become f32. Gradient: s + t·s·(1-s) with s = Sigmoid(t).
// Accuracy: ≤ 2 ulp. Source: Elfwing, Uchibe, Doya, arXiv:1702.03118.
func Silu(t Tensor) Tensor {
	return Tensor(core.Silu(core.Tensor(t)))
}

// Gelu returns t·Φ(t) with the cumulative normal distribution Φ, by the error function.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: Φ(t) + t·φ(t). Accuracy: ≤ 2 ulp.
// Errors: [ErrDType] for complex numbers. Source: Hendrycks, Gimpel, arXiv:1606.08415.
func Gelu(t Tensor) Tensor {
	return Tensor(core.Gelu(core.Tensor(t)))
}

// GeluTanh returns t·(1 + tanh(√(2/π)·(t + 0.044715·t³)))/2, which is within 0.0005 of [Gelu]: the form of GPT-2 and
// BERT, and the default of jax.nn.gelu.
//
// Shapes: that of t. DTypes: real, integers become f32. Gradient: s + t·s·(1-s)·u'(t) with the argument u of
// tanh, doubled, and s = Sigmoid(u). Accuracy: ≤ 3 ulp, in f64 ≤ 2. Errors: [ErrDType] for complex numbers. Source:
// Hendrycks, Gimpel, arXiv:1606.08415.
func GeluTanh(t Tensor) Tensor {
	return Tensor(core.GeluTanh(core.Tensor(t)))
}

// LayerNorm returns (t - mean)/√(variance + epsilon) along the last axis, or those given.
// Scale and shift it with [Mul] and [Add].
//
// Shapes: that of t. DTypes: integers become f32; floats narrower than f32 are computed in
// f32. Gradient: of the composition. Accuracy: that of [Var]. Errors: [ErrAxis],
// [ErrDType] for complex numbers. Source: Ba, Kiros, Hinton, arXiv:1607.06450.
func LayerNorm(t Tensor, epsilon float64, opts ...AxisOption) Tensor {
	return Tensor(core.LayerNorm(core.Tensor(t), epsilon, opts...))
}

// NonZero returns the positions of the first n elements that are not zero, in row-major
// order, and how many there are in all: positions beyond that number are 0. The number n
// is part of the shape, so that it works in compiled functions too.
//
// Shapes: t [d…] of rank r → positions [n, r], count scalar. DTypes: any; the results are s32.
// Gradient: none. Accuracy: exact. Errors: [ErrArgument] for a negative n, [ErrShape]
// for 2³¹ elements or more.
func NonZero(t Tensor, n int) (positions, count Tensor) {
	r0, r1 := core.NonZero(core.Tensor(t), n)
	return Tensor(r0), Tensor(r1)
}

// EulerGamma is the Euler-Mascheroni constant, the limit of the harmonic numbers less
// their logarithms. π, e and others are in package math.
const EulerGamma = core.EulerGamma
