package transformers

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
)

// activations are the functions that configurations name.
var activations = map[string]func(nx.Tensor) nx.Tensor{
	"gelu":              nx.Gelu,
	"gelu_10":           func(x nx.Tensor) nx.Tensor { return nx.Clip(nx.Gelu(x), -10, 10) },
	"gelu_accurate":     nx.GeluTanh,
	"gelu_fast":         nx.GeluTanh,
	"gelu_new":          nx.GeluTanh,
	"gelu_python":       nx.Gelu,
	"gelu_python_tanh":  nx.GeluTanh,
	"gelu_pytorch_tanh": nx.GeluTanh,
	"hardswish":         nn.HardSwish,
	"laplace":           laplace,
	"leaky_relu":        func(x nx.Tensor) nx.Tensor { return nn.LeakyRelu(x, 0.01) },
	"linear":            func(x nx.Tensor) nx.Tensor { return x },
	"mish":              nn.Mish,
	"quick_gelu":        nn.QuickGelu,
	"relu":              nx.Relu,
	"relu2":             func(x nx.Tensor) nx.Tensor { return nx.Square(nx.Relu(x)) },
	"relu6":             nn.Relu6,
	"sigmoid":           nx.Sigmoid,
	"silu":              nx.Silu,
	"sqrtsoftplus":      func(x nx.Tensor) nx.Tensor { return nx.Sqrt(nx.Softplus(x)) },
	"swish":             nx.Silu,
	"tanh":              nx.Tanh,
}

// laplace is the distribution function of a normal distribution with the mean √½ and the deviation √(¼π).
//
// Source: X. Ma et al., 2022, arXiv:2209.10655, Eq. 17.
func laplace(x nx.Tensor) nx.Tensor {
	return nx.Mul(nx.Add(nx.Erf(nx.Div(nx.Sub(x, 0.707107), 0.282095*math.Sqrt2)), 1), 0.5)
}

// activation returns the name of an activation that is known.
func (c *config) activation(or string, names ...string) string {
	name := c.text(or, names...)
	if activations[name] == nil {
		c.fail("the activation %q of the field %s is not known; known are %s", name, c.label(names[0]),
			strings.Join(slices.Sorted(maps.Keys(activations)), ", "))
		return or
	}
	return name
}
