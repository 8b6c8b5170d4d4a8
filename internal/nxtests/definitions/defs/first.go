// Package defs has the first definitions.
package defs

//go:generate go tool defn

import (
	"math"

	. "github.com/go-nx/nx/defn"
)

// Softmax returns the softmax of the last axis.
func Softmax(t Tensor) Tensor {
	e := Exp(t - Max(t, Axis(-1), KeepAxes))
	return e / Sum(e, Axis(-1), KeepAxes)
}

// Clip limits the norm of a gradient.
func Clip(g, limit Tensor) Tensor {
	if n := Norm(g); n > limit {
		return g * limit / n
	}
	return g
}

// Newton returns the square root of 2.
func Newton(x Tensor) Tensor {
	for Abs(x*x-2) > 1e-6 {
		x = x - (x*x-2)/(2*x)
	}
	return x
}

func Gelu(x Tensor) Tensor {
	return 0.5 * x * (1 + Tanh(math.Sqrt2/math.SqrtPi*2*(x+0.044715*x*x*x)))
}

const half Tensor = 0.5

type Params struct {
	W, B Tensor `nx:"w"`
	Act  string
}

func (p Params) Apply(x Tensor) Tensor {
	y := Dot(x, p.W) + p.B
	switch p.Act {
	case "relu":
		return max(y, 0)
	case "tanh":
		return Tanh(y)
	}
	return y
}

func Collatz(n Tensor) (steps, top Tensor) {
	top = n
	for n > 1 {
		if Remainder(n, 2) == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		if n > top {
			top = n
		}
		steps++
		if steps > 1000 {
			break
		}
	}
	return
}

func Loss(p Params, x, y Tensor) Tensor { return Mean(Square(p.Apply(x) - y)) }

func Step(p Params, x, y Tensor, rate float64) (Params, Tensor) {
	l, g := ValueAndGrad(func(p Params) Tensor { return Loss(p, x, y) })(p)
	p.W -= Tensor(rate) * g.W
	p.B -= Tensor(rate) * g.B
	return p, l
}

func Find(x, limit Tensor) Tensor {
	for i := range Steps(limit) {
		x = x * 2
		y := x + i
		if y > 100 {
			return y
		}
		if x < 0 {
			continue
		}
		x++
	}
	return -x
}

func Mask(x Tensor, training bool) Tensor {
	m := x > 0 && x < 10
	if training {
		m = m || x == -1
	}
	return Where(m, x*half, 0)
}

func pow(x Tensor, n int) Tensor {
	y := Tensor(1)
	for range n {
		y *= x
	}
	return y
}

func Poly(x Tensor, coeffs ...float64) Tensor {
	var sum Tensor
	for i, c := range coeffs {
		sum += Tensor(c) * pow(x, i)
	}
	return sum
}
