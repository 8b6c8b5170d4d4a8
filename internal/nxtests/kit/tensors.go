package kit

import (
	"github.com/go-nx/nx"
)

// Kept returns a traced tensor whose trace is over.
func Kept() (t nx.Tensor) {
	nx.Jit(func(x nx.Tensor) nx.Tensor { t = x; return x })(Held(2))
	return t
}

// Freed returns a tensor that was released.
func Freed() nx.Tensor {
	t := Held(2)
	nx.Release(t)
	return t
}

// Ones returns ones of f32, a constant.
func Ones(dims ...int) nx.Tensor { return nx.Ones(nx.Shape(dims), nx.F32) }

// Held returns ones of f32 with a buffer of their own.
func Held(dims ...int) nx.Tensor { return nx.Add(nx.Zeros(nx.Shape(dims), nx.F32), 1) }

// Point and Matrix return operands of functions whose values other libraries have computed.
func Point() nx.Tensor { return nx.New([]float64{0.5, -1.2, 2}) }

func Matrix() nx.Tensor { return nx.New([][]float64{{.1, .2, -.3}, {.4, -.5, .6}, {.7, .8, .9}}) }
