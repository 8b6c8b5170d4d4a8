// Package formulasdefs has ten formulas that docs/defn.md measures beside NumPy, Nx and calls of package nx.
package formulasdefs

import (
	"math"

	. "github.com/go-nx/nx/defn"
	"github.com/go-nx/nx/defn/linalg"
)

//go:generate go tool defn -out ../formulas

// D1 is the argument of the formula of Black and Scholes.
func D1(s, k, r, v, t Tensor) Tensor {
	return (Log(s/k) + (r+v*v/2)*t) / (v * Sqrt(t))
}

// Softmax is that of the last axis.
func Softmax(x Tensor) Tensor {
	e := Exp(x - Max(x, Axis(-1), KeepAxes))
	return e / Sum(e, Axis(-1), KeepAxes)
}

// Gelu is the form with a hyperbolic tangent.
func Gelu(x Tensor) Tensor {
	c := math.Sqrt(2 / math.Pi)
	return 0.5 * x * (1 + Tanh(Tensor(c)*(x+0.044715*x*x*x)))
}

// LayerNorm is that of the last axis.
func LayerNorm(x, gain, bias Tensor) Tensor {
	d := x - Mean(x, Axis(-1), KeepAxes)
	return gain*d/Sqrt(Var(x, Axis(-1), KeepAxes)+1e-5) + bias
}

// KalmanGain is the gain for a covariance p, an observation model h and a noise r.
func KalmanGain(p, h, r Tensor) Tensor {
	ph := Dot(p, Transpose(h))
	return Dot(ph, linalg.Inv(Dot(h, ph)+r))
}

// RungeKutta combines the slopes of a step.
func RungeKutta(y, h, k1, k2, k3, k4 Tensor) Tensor {
	return y + h/6*(k1+2*k2+2*k3+k4)
}

// LogisticLoss is the mean loss of logits z and labels y of 0 and 1.
func LogisticLoss(z, y Tensor) Tensor {
	return Mean(max(z, 0) - z*y + Log1p(Exp(-Abs(z))))
}

// Attention is that of one head.
func Attention(q, k, v Tensor) Tensor {
	d := math.Sqrt(float64(k.Shape()[1]))
	return Dot(Softmax(Dot(q, Transpose(k))/Tensor(d)), v)
}

// Root is the larger solution of ax² + bx + c = 0 for a positive a.
func Root(a, b, c Tensor) Tensor {
	return (-b + Sqrt(b*b-4*a*c)) / (2 * a)
}

// NewtonStep is a step to the solution of x³ - 2x - 5 = 0.
func NewtonStep(x Tensor) Tensor {
	return x - (x*x*x-2*x-5)/(3*x*x-2)
}
