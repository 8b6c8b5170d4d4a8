package kit

import (
	"github.com/go-nx/nx"
)

// Kept makes a traced tensor outlive its trace.
func Kept() (t nx.Tensor) {
	nx.Jit(func(x nx.Tensor) nx.Tensor { t = x; return x })(Held(2))
	return t
}

func Freed() nx.Tensor {
	t := Held(2)
	nx.Release(t)
	return t
}

func Ones(dims ...int) nx.Tensor { return nx.Ones(nx.Shape(dims), nx.F32) }

// Held is ones with a buffer of its own.
func Held(dims ...int) nx.Tensor { return nx.Add(nx.Zeros(nx.Shape(dims), nx.F32), 1) }

// Point and Matrix return operands of functions whose values other libraries have computed.
func Point() nx.Tensor { return nx.New([]float64{0.5, -1.2, 2}) }

func Matrix() nx.Tensor { return nx.New([][]float64{{.1, .2, -.3}, {.4, -.5, .6}, {.7, .8, .9}}) }
