package nn

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// The activations that package nx has are not repeated here: nx.Relu, nx.Gelu, nx.GeluTanh, nx.Silu, nx.Sigmoid,
// nx.Tanh, nx.Softplus, nx.Softmax.

// Relu6 is min(max(x, 0), 6).
//
// Shapes: that of x. DTypes: real. Gradient: 1 in (0, 6), else 0. Accuracy: exact.
func Relu6(x nx.Tensor) nx.Tensor { return HardTanh(x, 0, 6) }

// HardTanh is min(max(x, lo), hi).
//
// Shapes: that of x. DTypes: real. Gradient: 1 in (lo, hi), else 0. Accuracy: exact.
func HardTanh(x nx.Tensor, lo, hi float64) nx.Tensor {
	x = floats(x)
	inside := nx.LogicalAnd(nx.Greater(x, lo), nx.Less(x, hi))
	return nx.Where(inside, x, nx.StopGradient(nx.Clip(x, lo, hi)))
}

// LeakyRelu is x, and slope·x below 0; 0.01 is common.
//
// Shapes: that of x. DTypes: floats, integers become f32. Gradient: 1, or slope at and below 0. Accuracy: ≤ 0.5 ulp.
func LeakyRelu(x nx.Tensor, slope float64) nx.Tensor {
	x = floats(x)
	return nx.Where(nx.Greater(x, 0), x, nx.Mul(x, slope))
}

// Elu is x, and α(exp x - 1) below 0.
//
// Shapes: that of x. DTypes: floats, integers become f32. Gradient: 1, or α·exp x. Accuracy: ≤ 3 ulp.
//
// Source: D.-A. Clevert, T. Unterthiner, S. Hochreiter, 2015, arXiv:1511.07289.
func Elu(x nx.Tensor, alpha float64) nx.Tensor { return elu(floats(x), alpha, 1, 1) }

// Celu is x, and α(exp(x/α) - 1) below 0.
//
// Shapes: that of x. DTypes: floats, integers become f32. Gradient: 1, or exp(x/α). Accuracy: ≤ 3 ulp.
//
// Source: J. Barron, 2017, arXiv:1704.07483.
func Celu(x nx.Tensor, alpha float64) nx.Tensor { return elu(floats(x), alpha, 1, alpha) }

// The constants of [Selu], for which a layer keeps mean 0 and variance 1.
const (
	seluAlpha = 1.6732632423543772848170429916717
	seluScale = 1.0507009873554804934193349852946
)

// Selu is [Elu] scaled so that the activations of a layer keep mean 0 and variance 1.
//
// Shapes: that of x. DTypes: floats, integers become f32. Gradient: λ, or λα·exp x. Accuracy: ≤ 4 ulp.
//
// Source: G. Klambauer et al., "Self-normalizing neural networks", 2017, arXiv:1706.02515.
func Selu(x nx.Tensor) nx.Tensor { return elu(floats(x), seluAlpha, seluScale, 1) }

// elu is scale·x, and scale·alpha·(exp(x/width) - 1) below 0. The exponential does not see positive numbers, which
// would be infinite in the gradient.
func elu(x nx.Tensor, alpha, scale, width float64) nx.Tensor {
	below := nx.Minimum(x, 0)
	if width != 1 {
		below = nx.Div(below, width)
	}
	return nx.Where(nx.Greater(x, 0), nx.Mul(x, scale), nx.Mul(nx.Expm1(below), alpha*scale))
}

// HardSigmoid is min(max(x/6 + 1/2, 0), 1), as in PyTorch and Keras.
//
// Shapes: that of x. DTypes: floats, integers become f32. Gradient: 1/6 in (-3, 3), else 0. Accuracy: ≤ 1 ulp.
func HardSigmoid(x nx.Tensor) nx.Tensor {
	return nx.Div(HardTanh(nx.Add(floats(x), 3), 0, 6), 6)
}

// HardSwish is x·[HardSigmoid](x).
//
// Shapes: that of x. DTypes: floats, integers become f32. Gradient: (2x + 3)/6 in (-3, 3), else 0 or 1. Accuracy: ≤ 2
// ulp.
//
// Source: A. Howard et al., "Searching for MobileNetV3", 2019, arXiv:1905.02244.
func HardSwish(x nx.Tensor) nx.Tensor {
	x = floats(x)
	middle := nx.Div(nx.Mul(x, nx.Add(x, 3)), 6)
	return nx.Where(nx.LessEqual(x, -3), nx.ZerosLike(x), nx.Where(nx.GreaterEqual(x, 3), x, middle))
}

// Mish is x·tanh(softplus x).
//
// Shapes: that of x. DTypes: floats, integers become f32. Gradient: of the composition. Accuracy: ≤ 4 ulp.
//
// Source: D. Misra, 2019, arXiv:1908.08681.
func Mish(x nx.Tensor) nx.Tensor { return nx.Mul(floats(x), nx.Tanh(nx.Softplus(x))) }

// SoftSign is x/(1 + |x|).
//
// Shapes: that of x. DTypes: floats, integers become f32. Gradient: 1/(1 + |x|)². Accuracy: ≤ 1 ulp.
func SoftSign(x nx.Tensor) nx.Tensor { return nx.Div(x, nx.Add(nx.Abs(x), 1)) }

// LogSigmoid is log(1/(1 + exp(-x))).
//
// Shapes: that of x. DTypes: floats, integers become f32. Gradient: 1 - sigmoid x. Accuracy: ≤ 2 ulp.
func LogSigmoid(x nx.Tensor) nx.Tensor { return nx.Neg(nx.Softplus(nx.Neg(x))) }

// QuickGelu is x·sigmoid(1.702x), the approximation of the GELU in the models of CLIP.
//
// Shapes: that of x. DTypes: floats, integers become f32. Gradient: of the composition. Accuracy: ≤ 3 ulp.
func QuickGelu(x nx.Tensor) nx.Tensor { return nx.Mul(x, nx.Sigmoid(nx.Mul(x, 1.702))) }

// TanhShrink is x - tanh x.
//
// Shapes: that of x. DTypes: floats, integers become f32. Gradient: tanh² x. Accuracy: that of the difference.
func TanhShrink(x nx.Tensor) nx.Tensor { return nx.Sub(x, nx.Tanh(x)) }

// HardShrink is x, and 0 in [-λ, λ].
//
// Shapes: that of x. DTypes: floats, integers become f32. Gradient: 1, or 0 in [-λ, λ]. Accuracy: exact.
func HardShrink(x nx.Tensor, lambda float64) nx.Tensor {
	x = floats(x)
	return nx.Where(nx.LessEqual(nx.Abs(x), lambda), nx.ZerosLike(x), x)
}

// SoftShrink moves x towards 0 by λ, and to 0 in [-λ, λ].
//
// Shapes: that of x. DTypes: floats, integers become f32. Gradient: 1, or 0 in [-λ, λ]. Accuracy: ≤ 0.5 ulp.
func SoftShrink(x nx.Tensor, lambda float64) nx.Tensor {
	x = floats(x)
	return nx.Where(nx.Greater(x, lambda), nx.Sub(x, lambda),
		nx.Where(nx.Less(x, -lambda), nx.Add(x, lambda), nx.Mul(x, 0)))
}

// Threshold is x above a threshold, else value.
//
// Shapes: that of x. DTypes: floats, integers become f32. Gradient: 1 above the threshold, else 0. Accuracy: exact.
func Threshold(x nx.Tensor, threshold, value float64) nx.Tensor {
	x = floats(x)
	return nx.Where(nx.LessEqual(x, threshold), nx.FullLike(x, value), x)
}

// Softmin is softmax(-x) along the last axis, or that of an option.
//
// Shapes: that of x. DTypes, gradient, accuracy: those of [nx.Softmax].
func Softmin(x nx.Tensor, opts ...nx.AxisOption) nx.Tensor { return nx.Softmax(nx.Neg(x), opts...) }

// Sparsemax is the point of the probability simplex that is nearest to x, along the last axis: like softmax, but many
// numbers are 0.
//
// Shapes: that of x. DTypes: floats, integers become f32. Gradient: within the support, less its mean.
//
// Source: A. Martins, R. Astudillo, 2016, arXiv:1602.02068.
func Sparsemax(x nx.Tensor) nx.Tensor {
	x = floats(x)
	fixed := nx.StopGradient(x)
	sorted := nx.Sort(fixed, nx.Axis(-1), nx.Descending)
	n := x.Shape()[x.Rank()-1]
	k := nx.Cast(nx.Add(nx.Iota(nx.Shape{n}, nx.S32), 1), x.DType())
	sums := nx.CumSum(sorted, nx.Axis(-1))
	size := nx.Sum(nx.Cast(nx.Greater(nx.Add(nx.Mul(k, sorted), 1), sums), x.DType()), nx.Axis(-1), nx.KeepAxes)
	// The threshold is a function of the elements of the support, so that its gradient is theirs.
	last := nx.TakeAlong(sums, nx.Cast(nx.Sub(size, 1), nx.S32), nx.Axis(-1))
	limit := nx.Div(nx.Sub(last, 1), size)
	support := nx.Cast(nx.Greater(fixed, limit), x.DType())
	tau := nx.Div(nx.Sub(nx.Sum(nx.Mul(x, support), nx.Axis(-1), nx.KeepAxes), 1), size)
	return nx.Mul(nx.Sub(x, tau), support)
}

// PRelu is [LeakyRelu] with slopes that are trained: one, or one per channel of axis 1.
type PRelu struct {
	Weight nx.Tensor // [n]
}

// NewPRelu returns a layer with n slopes of 0.25.
func NewPRelu(n int) *PRelu {
	positive("NewPRelu", "n", n)
	return &PRelu{nx.Full(nx.Shape{n}, 0.25, nx.F32)}
}

// Apply multiplies the numbers below 0.
//
// Shapes: x [batch, n, …], or any with one slope; the result is like x.
func (l *PRelu) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	defer c.named(l)
	return nx.Where(nx.Greater(x, 0), x, nx.Mul(x, perChannel("PRelu", l.Weight, x)))
}

// perChannel reshapes a parameter [n] so that it goes along axis 1 of x; a single number goes with any x.
func perChannel(op string, p, x nx.Tensor) nx.Tensor {
	n := p.Shape()[0]
	if n == 1 {
		return nx.Reshape(p)
	}
	if x.Rank() < 2 || x.Shape()[1] != n {
		panic(diag.New(nx.ErrShape, op, "channels are axis 1", "the layer has %d channels, the argument is %v", n,
			x.Shape()))
	}
	shape := nx.Shape{n}
	for range x.Rank() - 2 {
		shape = append(shape, 1)
	}
	return nx.Reshape(p, shape...)
}

// Glu is a·sigmoid(b) of the halves a, b of x along an axis.
//
// Shapes: […, 2n, …] → […, n, …]. DTypes: floats. Gradient: of the composition. Errors: [nx.ErrShape] for an odd size.
//
// Source: Y. Dauphin et al., 2016, arXiv:1612.08083.
func Glu(x nx.Tensor, axis int) nx.Tensor {
	a, b := halves("Glu", x, axis)
	return nx.Mul(a, nx.Sigmoid(b))
}

// SwiGlu is silu(a)·b of the halves a, b of x along an axis. Source: N. Shazeer, 2020, arXiv:2002.05202.
//
// Shapes: […, 2n, …] → […, n, …]. DTypes: floats. Gradient: of the composition. Errors: [nx.ErrShape] for an odd size.
func SwiGlu(x nx.Tensor, axis int) nx.Tensor {
	a, b := halves("SwiGlu", x, axis)
	return nx.Mul(nx.Silu(a), b)
}

// GeGlu is gelu(a)·b of the halves a, b of x along an axis. Source: N. Shazeer, 2020, arXiv:2002.05202.
//
// Shapes: […, 2n, …] → […, n, …]. DTypes: floats. Gradient: of the composition. Errors: [nx.ErrShape] for an odd size.
func GeGlu(x nx.Tensor, axis int) nx.Tensor {
	a, b := halves("GeGlu", x, axis)
	return nx.Mul(nx.Gelu(a), b)
}

func halves(op string, x nx.Tensor, axis int) (a, b nx.Tensor) {
	i := axis
	if i < 0 {
		i += x.Rank()
	}
	if i < 0 || i >= x.Rank() || x.Shape()[i]%2 != 0 {
		panic(diag.New(nx.ErrShape, op, "", "axis %d of %v cannot be halved", axis, x.Shape()))
	}
	n := x.Shape()[i] / 2
	parts := nx.Split(x, []int{n, n}, nx.Axis(i))
	return parts[0], parts[1]
}

// floats is x, or its numbers as f32 where it has integers.
func floats(x nx.Tensor) nx.Tensor {
	if x.DType().IsFloat() {
		return x
	}
	return nx.Cast(x, nx.F32)
}

// Gain is the factor by which initial weights are scaled so that the variance of a layer's results is that of its
// argument, for the name of the function that follows: linear, conv, sigmoid, tanh, relu, selu, and leaky_relu, whose
// slope is given.
//
// Source: torch.nn.init.calculate_gain, whose table this is.
func Gain(function string, slope float64) float64 {
	switch function {
	case "linear", "conv", "sigmoid":
		return 1
	case "tanh":
		return 5.0 / 3
	case "relu":
		return math.Sqrt2
	case "leaky_relu":
		return math.Sqrt(2 / (1 + slope*slope))
	case "selu":
		return 0.75
	}
	panic(diag.New(nx.ErrArgument, "Gain", "linear, conv, sigmoid, tanh, relu, leaky_relu and selu have one",
		"the function %q has no gain", function))
}
