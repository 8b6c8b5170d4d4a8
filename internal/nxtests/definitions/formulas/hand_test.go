package formulas

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// The formulas of package formulasdefs as calls of package nx.

func d1(s, k, r, v, t nx.Tensor) nx.Tensor {
	drift := nx.Mul(nx.Add(r, nx.Div(nx.Square(v), 2)), t)
	return nx.Div(nx.Add(nx.Log(nx.Div(s, k)), drift), nx.Mul(v, nx.Sqrt(t)))
}

func softmax(x nx.Tensor) nx.Tensor {
	e := nx.Exp(nx.Sub(x, nx.Max(x, nx.Axis(-1), nx.KeepAxes)))
	return nx.Div(e, nx.Sum(e, nx.Axis(-1), nx.KeepAxes))
}

func gelu(x nx.Tensor) nx.Tensor {
	c := math.Sqrt(2 / math.Pi)
	inner := nx.Add(x, nx.Mul(0.044715, nx.Pow(x, 3)))
	return nx.Mul(nx.Mul(0.5, x), nx.Add(1, nx.Tanh(nx.Mul(c, inner))))
}

func layerNorm(x, gain, bias nx.Tensor) nx.Tensor {
	d := nx.Sub(x, nx.Mean(x, nx.Axis(-1), nx.KeepAxes))
	s := nx.Sqrt(nx.Add(nx.Var(x, nx.Axis(-1), nx.KeepAxes), 1e-5))
	return nx.Add(nx.Div(nx.Mul(gain, d), s), bias)
}

func kalmanGain(p, h, r nx.Tensor) nx.Tensor {
	ph := nx.Dot(p, nx.Transpose(h))
	return nx.Dot(ph, linalg.Inv(nx.Add(nx.Dot(h, ph), r)))
}

func rungeKutta(y, h, k1, k2, k3, k4 nx.Tensor) nx.Tensor {
	slope := nx.Add(nx.Add(k1, nx.Mul(2, nx.Add(k2, k3))), k4)
	return nx.Add(y, nx.Mul(nx.Div(h, 6), slope))
}

func logisticLoss(z, y nx.Tensor) nx.Tensor {
	linear := nx.Sub(nx.Maximum(z, 0), nx.Mul(z, y))
	return nx.Mean(nx.Add(linear, nx.Log1p(nx.Exp(nx.Neg(nx.Abs(z))))))
}

func attention(q, k, v nx.Tensor) nx.Tensor {
	d := math.Sqrt(float64(k.Shape()[1]))
	return nx.Dot(softmax(nx.Div(nx.Dot(q, nx.Transpose(k)), d)), v)
}

func root(a, b, c nx.Tensor) nx.Tensor {
	d := nx.Sub(nx.Square(b), nx.Mul(nx.Mul(4, a), c))
	return nx.Div(nx.Sub(nx.Sqrt(d), b), nx.Mul(2, a))
}

func newtonStep(x nx.Tensor) nx.Tensor {
	f := nx.Sub(nx.Sub(nx.Pow(x, 3), nx.Mul(2, x)), 5)
	return nx.Sub(x, nx.Div(f, nx.Sub(nx.Mul(3, nx.Square(x)), 2)))
}
