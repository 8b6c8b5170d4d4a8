package nx_test

import (
	"maps"
	"strings"

	"github.com/go-nx/nx"
)

// nxCalls reports how a function of Nx is called here, by its name without "Nx.".
var nxCalls = func() map[string]func(c *recorded) any {
	all := map[string]func(c *recorded) any{}
	for _, m := range []map[string]func(c *recorded) any{nxElementwise(), nxReductions, nxShapes, nxCreation, nxMore,
		nxTypes, nxRandom, nxLinAlg} {
		maps.Copy(all, m)
	}
	return all
}()

// tolerance reports how near results must be.
func (c *recorded) tolerance() tolerance {
	if t, ok := nxTolerances[c.name()]; ok {
		return t
	}
	if isLinAlg(c.name()) || strings.Contains(c.name(), "normal") {
		return tolerance{ulps: 4, rel: 1e-5, abs: 1e-5}
	}
	return tolerance{ulps: 4}
}

// nxTolerances are those of functions that add up, or that Nx computes with less care.
var nxTolerances = func() map[string]tolerance {
	out := map[string]tolerance{}
	for _, name := range []string{"sum", "product", "mean", "variance", "standard_deviation", "dot", "conv", "outer",
		"covariance", "weighted_mean",
		"window_sum", "window_mean", "window_product", "cumulative_sum", "cumulative_product",
		"logsumexp", "fft", "ifft",
		"fft2", "ifft2", "rfft", "irfft"} {
		out[name] = tolerance{ulps: 4, rel: 2e-6, abs: 2e-6}
	}
	// Nx computes the inverse in single precision, and logarithms to a base with a
	// divisor rounded to single precision.
	out["erf_inv"] = tolerance{ulps: 4, rel: 4e-7}
	out["log2"], out["log10"] = tolerance{ulps: 4, rel: 2e-7}, tolerance{ulps: 4, rel: 2e-7}
	// Nx takes thin singular values from the Gram matrix, which loses half the digits.
	for _, name := range []string{"LinAlg.pinv", "LinAlg.least_squares"} {
		out[name] = tolerance{ulps: 8, rel: 2e-5, abs: 2e-5}
	}
	// A logarithm near 0, of numbers near 1 that have been rounded.
	for _, name := range []string{"Random.gumbel", "Random.gumbel_split"} {
		out[name] = tolerance{ulps: 4, abs: 1e-15}
	}
	return out
}()

func nxElementwise() map[string]func(c *recorded) any {
	out := map[string]func(c *recorded) any{}
	for name, f := range map[string]func(nx.Tensor) nx.Tensor{
		"exp": nx.Exp, "expm1": nx.Expm1, "log1p": nx.Log1p, "sigmoid": nx.Sigmoid, "cos": nx.Cos,
		"sin": nx.Sin, "tan": nx.Tan,
		"cosh": nx.Cosh, "sinh": nx.Sinh, "tanh": nx.Tanh, "acos": nx.Acos, "asin": nx.Asin,
		"atan": nx.Atan, "acosh": nx.Acosh,
		"asinh": nx.Asinh, "atanh": nx.Atanh, "sqrt": nx.Sqrt, "rsqrt": nx.Rsqrt, "cbrt": nx.Cbrt,
		"erf": nx.Erf, "erfc": nx.Erfc,
		"erf_inv": nx.ErfInv, "is_nan": nx.IsNaN, "is_infinity": nx.IsInf, "negate": nx.Neg,
		"sign": nx.Sign, "abs": nx.Abs,
		"floor": nx.Floor, "ceil": nx.Ceil, "round": nx.Round, "bitwise_not": nx.BitwiseNot,
		"logical_not": nx.LogicalNot, "conjugate": nx.Conj, "real": nx.Real, "imag": nx.Imag,
	} {
		out[name] = func(c *recorded) any { c.options(); return f(c.t(0)) }
	}
	for name, f := range map[string]func(a, b nx.Tensor) nx.Tensor{
		"add": nx.Add[nx.Tensor, nx.Tensor], "subtract": nx.Sub[nx.Tensor, nx.Tensor],
		"multiply": nx.Mul[nx.Tensor, nx.Tensor],
		"divide":   nx.Div[nx.Tensor, nx.Tensor], "quotient": nx.Quotient[nx.Tensor, nx.Tensor],
		"remainder": nx.Remainder[nx.Tensor, nx.Tensor], "pow": nx.Pow[nx.Tensor, nx.Tensor],
		"atan2": nx.Atan2[nx.Tensor, nx.Tensor],
		"max":   nx.Maximum[nx.Tensor, nx.Tensor], "min": nx.Minimum[nx.Tensor, nx.Tensor],
		"bitwise_and": nx.BitwiseAnd[nx.Tensor, nx.Tensor], "bitwise_or": nx.BitwiseOr[nx.Tensor, nx.Tensor],
		"bitwise_xor": nx.BitwiseXor[nx.Tensor, nx.Tensor], "left_shift": nx.LeftShift[nx.Tensor, nx.Tensor],
		"right_shift": nx.RightShift[nx.Tensor, nx.Tensor], "equal": nx.Equal[nx.Tensor, nx.Tensor],
		"not_equal": nx.NotEqual[nx.Tensor, nx.Tensor], "greater": nx.Greater[nx.Tensor, nx.Tensor],
		"less": nx.Less[nx.Tensor, nx.Tensor], "greater_equal": nx.GreaterEqual[nx.Tensor, nx.Tensor],
		"less_equal": nx.LessEqual[nx.Tensor, nx.Tensor], "logical_and": nx.LogicalAnd[nx.Tensor, nx.Tensor],
		"logical_or": nx.LogicalOr[nx.Tensor, nx.Tensor], "logical_xor": nx.LogicalXor[nx.Tensor, nx.Tensor],
		"complex": nx.Complex[nx.Tensor, nx.Tensor],
	} {
		out[name] = func(c *recorded) any {
			c.options()
			a, b := c.operands()
			return f(a, b)
		}
	}
	maps.Copy(out, map[string]func(c *recorded) any{
		"atan2": func(c *recorded) any {
			a, b := c.operands()
			if a.DType().IsComplex() || b.DType().IsComplex() { // Nx takes the real parts
				return nx.Complex(nx.Atan2(nx.Real(a), nx.Real(b)), 0.0)
			}
			return nx.Atan2(a, b)
		},
		"log": func(c *recorded) any {
			if len(c.Args) == 1 {
				return nx.Log(c.t(0))
			}
			return nx.Div(nx.Log(c.t(0)), nx.Log(c.t(1)))
		},
		"select": func(c *recorded) any {
			p := c.t(0)
			if p.Rank() == 0 && len(p.Vectors()) == 0 {
				return nx.Where(p, c.t(1), c.t(2))
			}
			// Names and shape are those of the predicate.
			branches := recorded{Args: c.Args[1:]}
			x, y := branches.operands()
			return nx.Rename(nx.Where(nx.Rename(p), nx.Rename(x), nx.Rename(y)), p.Names()...)
		},
		"clip": func(c *recorded) any {
			t := c.t(0)
			for _, limit := range c.Args[1:] {
				t = widened(t, limit)
			}
			return nx.Clip(t, c.t(1), c.t(2))
		},
		"as_type": func(c *recorded) any { return nx.Cast(c.t(0), dtypeOf(c.Args[1])) },
		"bitcast": func(c *recorded) any { return nx.Bitcast(c.t(0), dtypeOf(c.Args[1])) },
	})
	return out
}

// reduceOptions reads the options of a reduction of t.
func (c *recorded) reduceOptions(t nx.Tensor, known ...string) []nx.ReduceOption {
	o := c.options(append(known, "axes", "axis", "keep_axes", "keep_axis")...)
	var out []nx.ReduceOption
	if v, ok := o["axes"]; ok {
		out = append(out, axesOf(t, v))
	}
	if v, ok := o["axis"]; ok {
		out = append(out, axisOf(v))
	}
	if isTrue(o["keep_axes"]) || isTrue(o["keep_axis"]) {
		out = append(out, nx.KeepAxes)
	}
	if v, ok := o["type"]; ok {
		out = append(out, nx.As(dtypeOf(v)))
	}
	return out
}

// varianceOptions reads the options of a variance of t.
func (c *recorded) varianceOptions(t nx.Tensor) []nx.VarOption {
	var out []nx.VarOption
	for _, o := range c.reduceOptions(t, "ddof") {
		out = append(out, o.(nx.VarOption))
	}
	if v, ok := c.options("axes", "axis", "keep_axes", "keep_axis", "ddof")["ddof"]; ok {
		out = append(out, nx.DDOF(toInt(v)))
	}
	return out
}

var nxReductions = map[string]func(c *recorded) any{
	"sum":                func(c *recorded) any { t := c.t(0); return nx.Sum(t, c.reduceOptions(t, "type")...) },
	"product":            func(c *recorded) any { t := c.t(0); return nx.Prod(t, c.reduceOptions(t, "type")...) },
	"mean":               func(c *recorded) any { t := c.t(0); return nx.Mean(t, c.reduceOptions(t)...) },
	"variance":           func(c *recorded) any { t := c.t(0); return nx.Var(t, c.varianceOptions(t)...) },
	"standard_deviation": func(c *recorded) any { t := c.t(0); return nx.Std(t, c.varianceOptions(t)...) },
	"reduce_max":         func(c *recorded) any { t := c.t(0); return nx.Max(t, c.reduceOptions(t)...) },
	"reduce_min":         func(c *recorded) any { t := c.t(0); return nx.Min(t, c.reduceOptions(t)...) },
	"all":                func(c *recorded) any { t := c.t(0); return nx.All(t, c.reduceOptions(t)...) },
	"any":                func(c *recorded) any { t := c.t(0); return nx.Any(t, c.reduceOptions(t)...) },
}

var nxShapes = map[string]func(c *recorded) any{
	"reshape": func(c *recorded) any {
		o := c.options("names")
		if to, ok := c.Args[1].(nx.Tensor); ok {
			return nx.Rename(nx.Reshape(c.t(0), to.Shape()...), to.Names()...)
		}
		list, ok := c.Args[1].(tuple)
		if !ok {
			refuse("%v is not a shape", c.Args[1])
		}
		dims := []int{}
		for _, x := range list {
			if x == atom("auto") {
				x = int64(-1)
			}
			dims = append(dims, toInt(x))
		}
		return named(nx.Reshape(c.t(0), dims...), o["names"])
	},
	"transpose": func(c *recorded) any {
		o, t := c.options("axes"), c.t(0)
		if v, ok := o["axes"]; ok {
			return nx.Transpose(t, axesOf(t, v))
		}
		return nx.Transpose(t)
	},
	"reverse": func(c *recorded) any {
		o, t := c.options("axes"), c.t(0)
		if v, ok := o["axes"]; ok {
			return nx.Reverse(t, axesOf(t, v))
		}
		return nx.Reverse(t)
	},
	"squeeze": func(c *recorded) any {
		o, t := c.options("axes"), c.t(0)
		if v, ok := o["axes"]; ok {
			return nx.Squeeze(t, axesOf(t, v))
		}
		return nx.Squeeze(t)
	},
	"rename": func(c *recorded) any { return nx.Rename(c.t(0), namesOf(c.Args[1])...) },
	"tile":   func(c *recorded) any { return nx.Tile(c.t(0), ints(c.Args[1])...) },
	"shape": func(c *recorded) any {
		var out tuple
		for _, n := range c.t(0).Shape() {
			out = append(out, int64(n))
		}
		return out
	},
	"rank": func(c *recorded) any { return int64(c.t(0).Rank()) },
	"size": func(c *recorded) any {
		if shape, ok := c.Args[0].(tuple); ok {
			return int64(nx.Shape(ints(shape)).Size())
		}
		return int64(c.t(0).Size())
	},
	"axis_size": func(c *recorded) any { return int64(axisSize(c.t(0), c.Args[1])) },
	"type":      func(c *recorded) any { return c.t(0).DType() },
}

func axisSize(t nx.Tensor, axis any) int {
	switch a := axis.(type) {
	case int64:
		return nx.AxisSize(t, int(a))
	case atom:
		return nx.AxisSize(t, string(a))
	}
	refuse("%v is not an axis", axis)
	return 0
}
