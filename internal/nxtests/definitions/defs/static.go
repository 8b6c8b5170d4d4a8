package defs

import (
	"fmt"
	"math"
	"strings"

	. "github.com/go-nx/nx/defn"
	"github.com/go-nx/nx/defn/nn"
)

// Static parameters and shapes.

// Ending is how a reduction ends.
type Ending int

// The modes.
const (
	EndingSum Ending = iota
	EndingMean
)

type settings struct {
	scale float64
	names []string
}

func defaults(kind string) settings {
	return settings{scale: scaleOf(kind), names: strings.Split("a,b", ",")}
}

func scaleOf(kind string) float64 {
	if kind == "half" {
		return 0.5
	}
	return math.Sqrt(4)
}

// Limit is used by other packages, too.
func Limit(n int) int { return min(n, 3) }

func Reduced(x Tensor, mode Ending) Tensor {
	if mode == EndingMean {
		return Mean(x, Axis(-1))
	}
	return Sum(x, Axis(-1))
}

func Scaled(x Tensor, kind string) Tensor {
	s := defaults(kind)
	return Rename(x, s.names...) * Tensor(s.scale)
}

func Standard(x Tensor, n int) Tensor {
	if x.Rank() < 2 {
		panic(fmt.Sprintf("a matrix is needed, not %v", x.Shape()))
	}
	rows, columns := x.Shape()[0], x.Shape()[1]
	x = x - Sum(x, Axis(0))/Tensor(rows)
	return x.At(Range(0, Limit(n))) * Tensor(columns)
}

func Activated(x Tensor, activation func(Tensor) Tensor) Tensor { return activation(x) * 2 }

func Activations(x Tensor) Tensor {
	list := []func(Tensor) Tensor{Tanh, nn.Relu, func(x Tensor) Tensor { return x * x }}
	var sum Tensor
	for _, f := range list {
		sum += Activated(x, f)
	}
	return sum
}

func Dropout(x, keep Tensor, training bool) Tensor {
	if !training {
		return x
	}
	return Where(keep > 0.5, 2*x, 0)
}

func Windows(x Tensor, sizes ...int) []Tensor {
	var out []Tensor
	for _, n := range sizes {
		out = append(out, Mean(x.At(Ellipsis, To(n)), Axis(-1)))
	}
	return out
}

func Joined(x Tensor) Tensor {
	parts := make([]Tensor, 3)
	for i := range parts {
		parts[i] = x * Tensor(i)
	}
	parts[1] += 1
	return Concatenate(parts, Axis(-1))
}

func OneHotAt(x Tensor, shape ...int) Tensor { return Reshape(OneHot(x, 3, F32), shape...) }

func Filled(n int, d DType) Tensor { return Full(Shape{n}, 0.5, d) + Iota(Shape{n}, d) }

func Literal() Tensor { return New([]float32{1, 2, 3}) * 2 }

func Choice(x Tensor, useMean bool) Tensor {
	reduce := func(t Tensor) Tensor { return Sum(t) }
	if useMean {
		reduce = func(t Tensor) Tensor { return Mean(t) }
	}
	return reduce(x)
}
