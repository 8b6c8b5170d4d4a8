package bench

import (
	"math"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
)

// gelu is the tanh form of the Gaussian error linear unit.
func gelu(x nx.Tensor) nx.Tensor {
	inner := nx.Mul(math.Sqrt(2/math.Pi), nx.Add(x, nx.Mul(0.044715, nx.Mul(x, nx.Mul(x, x)))))
	return nx.Mul(nx.Mul(0.5, x), nx.Add(1, nx.Tanh(inner)))
}

// layerNorm normalises the last axis.
func layerNorm(x, g, b nx.Tensor) nx.Tensor {
	last := nx.Axis(-1)
	c := nx.Sub(x, nx.Mean(x, last, nx.KeepAxes))
	v := nx.Mean(nx.Mul(c, c), last, nx.KeepAxes)
	return nx.Add(nx.Mul(nx.Mul(c, nx.Rsqrt(nx.Add(v, 1e-5))), g), b)
}

// swapLast swaps the last two axes.
func swapLast(x nx.Tensor) nx.Tensor {
	axes := make([]int, x.Rank())
	for i := range axes {
		axes[i] = i
	}
	n := len(axes)
	axes[n-1], axes[n-2] = axes[n-2], axes[n-1]
	return nx.Transpose(x, nx.Axis(axes...))
}

// mlp is a network of one hidden layer.
type mlp struct{ W1, B1, W2, B2 nx.Tensor }

func mlpInputs() (mlp, nx.Tensor, nx.Tensor) {
	const b, i, h, o = 128, 784, 512, 10
	p := mlp{scaled(.05, nx.F32, i, h), scaled(.05, nx.F32, h), scaled(.05, nx.F32, h, o), scaled(.05, nx.F32, o)}
	return p, input(nx.F32, b, i), classes(b, o)
}

func (p mlp) loss(x, y nx.Tensor) nx.Tensor {
	h := nx.Relu(nx.Add(nx.Dot(x, p.W1), p.B1))
	l := nx.LogSoftmax(nx.Add(nx.Dot(h, p.W2), p.B2))
	return nx.Neg(nx.Mean(nx.Sum(nx.Mul(l, y), nx.Axis(-1))))
}

func mlpStep(p mlp, x, y nx.Tensor) (mlp, nx.Tensor) {
	l, g := nx.ValueAndGrad(func(p mlp) nx.Tensor { return p.loss(x, y) })(p)
	return descend(p, g), l
}

// descend takes a step of gradient descent.
func descend[P any](p, g P) P {
	return tree.Map2(func(w, g nx.Tensor) nx.Tensor { return nx.Sub(w, nx.Mul(.01, g)) }, p, g)
}

// cnn is a network of two convolutions and a layer.
type cnn struct{ K1, K2, W nx.Tensor }

func cnnInputs() (cnn, nx.Tensor, nx.Tensor) {
	const b, size, c1, c2, o = 64, 28, 16, 32, 10
	p := cnn{scaled(.1, nx.F32, 3, 3, 1, c1), scaled(.1, nx.F32, 3, 3, c1, c2),
		scaled(.1, nx.F32, size*size/16*c2, o)}
	return p, input(nx.F32, b, size, size, 1), classes(b, o)
}

func (p cnn) loss(x, y nx.Tensor) nx.Tensor {
	for _, k := range []nx.Tensor{p.K1, p.K2} {
		x = nx.Relu(nx.Conv(x, k, nx.Same(), nx.ChannelsLast()))
		x = nx.WindowMax(x, []int{1, 2, 2, 1}, nx.Strides(1, 2, 2, 1))
	}
	l := nx.LogSoftmax(nx.Dot(nx.Reshape(x, x.Shape()[0], -1), p.W))
	return nx.Neg(nx.Mean(nx.Sum(nx.Mul(l, y), nx.Axis(-1))))
}

// block is a layer of a transformer.
type block struct{ QKV, O, W1, B1, W2, B2, G1, C1, G2, C2 nx.Tensor }

func transformerInputs() ([]block, nx.Tensor) { return transformerOf(4, 8, 128, 256) }

// transformerOf returns the parameters of some layers, and inputs: b sequences of t tokens with d numbers.
func transformerOf(layers, b, t, d int) ([]block, nx.Tensor) {
	u := func(shape ...int) nx.Tensor { return scaled(.03, nx.F32, shape...) }
	p := make([]block, layers)
	for i := range p {
		p[i] = block{QKV: u(d, 3*d), O: u(d, d), W1: u(d, 4*d), B1: u(4 * d), W2: u(4*d, d), B2: u(d),
			G1: u(d), C1: u(d), G2: u(d), C2: u(d)}
	}
	return p, input(nx.F32, b, t, d)
}

// transformer applies causal self-attention and a feed-forward layer, four heads.
func transformer(p []block, x nx.Tensor) nx.Tensor {
	const heads = 4
	for _, l := range p {
		s := x.Shape()
		b, t, d := s[0], s[1], s[2]
		qkv := nx.Dot(layerNorm(x, nx.Add(l.G1, 1), l.C1), l.QKV)
		qkv = nx.Transpose(nx.Reshape(qkv, b, t, 3, heads, d/heads), nx.Axis(2, 0, 3, 1, 4))
		q, k, v := qkv.At(0), qkv.At(1), qkv.At(2)
		scores := nx.Div(nx.Dot(q, swapLast(k)), math.Sqrt(float64(d/heads)))
		row, col := nx.Iota(nx.Shape{t, t}, nx.S32, nx.Axis(0)), nx.Iota(nx.Shape{t, t}, nx.S32, nx.Axis(1))
		scores = nx.Where(nx.GreaterEqual(row, col), scores, -1e9)
		a := nx.Dot(nx.Softmax(scores), v)
		a = nx.Reshape(nx.Transpose(a, nx.Axis(0, 2, 1, 3)), b, t, d)
		x = nx.Add(x, nx.Dot(a, l.O))
		h := gelu(nx.Add(nx.Dot(layerNorm(x, nx.Add(l.G2, 1), l.C2), l.W1), l.B1))
		x = nx.Add(nx.Add(x, nx.Dot(h, l.W2)), l.B2)
	}
	return x
}

func transformerLoss(p []block, x nx.Tensor) nx.Tensor {
	y := transformer(p, x)
	return nx.Mean(nx.Mul(y, y))
}

func transformerStep(p []block, x nx.Tensor) ([]block, nx.Tensor) {
	l, g := nx.ValueAndGrad(func(p []block) nx.Tensor { return transformerLoss(p, x) })(p)
	return descend(p, g), l
}
