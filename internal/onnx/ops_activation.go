package onnx

import (
	"github.com/go-nx/nx/internal/core"
)

// activationRows are the functions between the layers of networks.
func activationRows() []row {
	return append(withdrawnRows(),
		unary("Relu", core.Relu), function("Sigmoid", core.Sigmoid), function("Softplus", core.Softplus),
		function("Softsign", func(x core.Tensor) core.Tensor { return core.Div(x, core.Add(core.Abs(x), 1)) }),
		function("HardSwish", func(x core.Tensor) core.Tensor { return core.Mul(x, hardSigmoid(x, 1.0/6, 0.5)) }),
		function("Mish", func(x core.Tensor) core.Tensor { return core.Mul(x, core.Tanh(core.Softplus(x))) }),
		activation("HardSigmoid", func(n *node, x core.Tensor) core.Tensor {
			return hardSigmoid(x, n.attrFloat("alpha", 0.2), n.attrFloat("beta", 0.5))
		}),
		activation("Elu", func(n *node, x core.Tensor) core.Tensor { return elu(x, n.attrFloat("alpha", 1), 1) }),
		activation("Selu", selu).from(6),
		activation("Selu", func(n *node, x core.Tensor) core.Tensor {
			return core.Mul(elu(x, n.attrFloat("alpha", 1.6732), 1), n.attrFloat("gamma", 1.0507))
		}),
		activation("Celu", func(n *node, x core.Tensor) core.Tensor {
			alpha := n.attrFloat("alpha", 1)
			return elu(x, alpha, alpha)
		}),
		activation("LeakyRelu", func(n *node, x core.Tensor) core.Tensor {
			return core.Where(core.Less(x, 0), core.Mul(x, n.attrFloat("alpha", 0.01)), x)
		}),
		activation("ThresholdedRelu", func(n *node, x core.Tensor) core.Tensor {
			return core.Where(core.Greater(x, n.attrFloat("alpha", 1)), x, 0)
		}),
		activation("Shrink", shrink),
		activation("Gelu", gelu),
		activation("Swish", func(n *node, x core.Tensor) core.Tensor { return swish(x, n.attrFloat("alpha", 1)) }),
		single("SwiGLU", swiGLU),
		single("PRelu", prelu),
		single("Clip", clip),
		row{op: "Dropout", run: dropout, traced: true},
	)
}

// activation is the row of a function of floats with attributes.
func activation(op string, f func(n *node, x core.Tensor) core.Tensor) row {
	return single(op, func(n *node) core.Tensor {
		return inWide(n.in(0), func(x core.Tensor) core.Tensor { return f(n, x) })
	})
}

// hardSigmoid is max(0, min(1, alpha·x + beta)).
func hardSigmoid(x core.Tensor, alpha, beta float64) core.Tensor {
	return core.Minimum(core.Maximum(core.Add(core.Mul(x, alpha), beta), 0), 1)
}

// elu is x above 0 and alpha·(exp(x/width) - 1) below.
func elu(x core.Tensor, alpha, width float64) core.Tensor {
	low := core.Minimum(x, 0) // so that nothing overflows, also in the gradient
	if width != 1 {
		low = core.Div(low, width)
	}
	return core.Where(core.Greater(x, 0), x, core.Mul(core.Expm1(low), alpha))
}

// selu is Selu from version 6 on, which has more digits in its defaults.
func selu(n *node, x core.Tensor) core.Tensor {
	alpha := n.attrFloat("alpha", 1.67326319217681884765625)
	return core.Mul(elu(x, alpha, 1), n.attrFloat("gamma", 1.05070102214813232421875))
}

// shrink is Shrink: numbers between -lambd and lambd become 0, others come nearer to it by bias.
func shrink(n *node, x core.Tensor) core.Tensor {
	bias, lambd := n.attrFloat("bias", 0), n.attrFloat("lambd", 0.5)
	return core.Where(core.Less(x, -lambd), core.Add(x, bias),
		core.Where(core.Greater(x, lambd), core.Sub(x, bias), 0))
}

// gelu is Gelu: x·Φ(x), or the formula with tanh.
func gelu(n *node, x core.Tensor) core.Tensor {
	switch a := n.attrString("approximate", "none"); a {
	case "tanh":
		return core.GeluTanh(x)
	case "none":
		return core.Gelu(x)
	default:
		n.fail("approximate is %q, neither none nor tanh", a)
	}
	return core.Tensor{}
}

// swish is x·sigmoid(alpha·x).
func swish(x core.Tensor, alpha float64) core.Tensor {
	if alpha == 1 {
		return core.Silu(x)
	}
	return core.Mul(x, core.Sigmoid(core.Mul(x, alpha)))
}

// swiGLU is SwiGLU: swish(a)·b, of one shape.
func swiGLU(n *node) core.Tensor {
	a, b := n.in(0), n.in(1)
	n.sameTypes(a, b)
	y := core.Mul(swish(widened(a), n.attrFloat("alpha", 1)), widened(b))
	return sameType(y, a.DType())
}

// prelu is PRelu: slope·x below 0. Before version 7 a vector of slopes belongs to axis 1.
func prelu(n *node) core.Tensor {
	x, slope := n.in(0), n.in(1)
	n.sameTypes(x, slope)
	if n.version < 7 && slope.Rank() == 1 && x.Rank() > 2 && slope.Size() > 1 {
		shape := []int{slope.Size()}
		for range x.Rank() - 2 {
			shape = append(shape, 1)
		}
		slope = core.Reshape(slope, shape...)
	}
	return core.Where(core.Less(x, 0), core.Mul(x, slope), x)
}

// clip is Clip: limits are operands from version 11 on, and none where they are missing. NaN stays.
func clip(n *node) core.Tensor {
	x := n.in(0)
	limit := func(i int, attr string, f func(a, b core.Tensor) core.Tensor) {
		switch {
		case n.version >= 11 && n.has(i):
			t := n.in(i)
			n.sameTypes(x, t)
			x = f(x, core.Reshape(t))
		case n.version < 11 && n.attr(attr) != nil:
			v := n.attrFloat(attr, 0)
			x = sameType(f(widened(x), core.Scalar(v, widened(x))), x.DType())
		}
	}
	limit(1, "min", core.Maximum[core.Tensor, core.Tensor])
	limit(2, "max", core.Minimum[core.Tensor, core.Tensor])
	return x
}
