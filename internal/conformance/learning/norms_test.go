package learning_test

import (
	"fmt"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
)

// Activations, norms and dropout.
func init() {
	plain := func(f func(nx.Tensor) nx.Tensor) learningLayer {
		return function(func(_ *learningRun, x nx.Tensor) nx.Tensor { return f(x) })
	}
	number := func(f func(nx.Tensor, float64) nx.Tensor, key string, other float64) learningLayer {
		return function(func(r *learningRun, x nx.Tensor) nx.Tensor { return f(x, r.number(key, other)) })
	}
	for name, layer := range map[string]learningLayer{
		"relu": plain(nx.Relu), "sigmoid": plain(nx.Sigmoid), "tanh": plain(nx.Tanh), "silu": plain(nx.Silu),
		"relu6": plain(nn.Relu6), "selu": plain(nn.Selu), "hardsigmoid": plain(nn.HardSigmoid),
		"hardswish": plain(nn.HardSwish), "mish": plain(nn.Mish), "softsign": plain(nn.SoftSign),
		"log_sigmoid": plain(nn.LogSigmoid), "logsigmoid": plain(nn.LogSigmoid), "tanhshrink": plain(nn.TanhShrink),
		"quickgelu": plain(nn.QuickGelu), "elu": number(nn.Elu, "alpha", 1), "celu": number(nn.Celu, "alpha", 1),
		"leaky_relu": number(nn.LeakyRelu, "negative_slope", 0.01), "hardshrink": number(nn.HardShrink, "lambd", 0.5),
		"softshrink": number(nn.SoftShrink, "lambd", 0.5),
		"gelu": function(func(r *learningRun, x nx.Tensor) nx.Tensor {
			if r.text("approximate") == "tanh" {
				return geluTanh(x)
			}
			return nx.Gelu(x)
		}),
		"softplus": function(func(r *learningRun, x nx.Tensor) nx.Tensor {
			beta, limit := r.number("beta", 1), r.number("threshold", 20)
			z := nx.Mul(x, beta)
			return nx.Where(nx.Greater(z, limit), x, nx.Div(nx.Softplus(nx.Minimum(z, limit)), beta))
		}),
		"hardtanh": function(func(r *learningRun, x nx.Tensor) nx.Tensor {
			return nn.HardTanh(x, r.number("min_val", -1), r.number("max_val", 1))
		}),
		"threshold": function(func(r *learningRun, x nx.Tensor) nx.Tensor {
			return nn.Threshold(x, r.number("threshold", 0), r.number("value", 0))
		}),
		"rrelu": function(func(r *learningRun, x nx.Tensor) nx.Tensor {
			return nn.LeakyRelu(x, (r.number("lower", 1.0/8)+r.number("upper", 1.0/3))/2)
		}),
		"softmax": function(func(r *learningRun, x nx.Tensor) nx.Tensor {
			return nx.Softmax(x, nx.Axis(r.integer("dim", -1)))
		}),
		"log_softmax": function(func(r *learningRun, x nx.Tensor) nx.Tensor {
			return nx.LogSoftmax(x, nx.Axis(r.integer("dim", -1)))
		}),
		"softmin": function(func(r *learningRun, x nx.Tensor) nx.Tensor {
			return nn.Softmin(x, nx.Axis(r.integer("dim", -1)))
		}),
		"glu":    function(func(r *learningRun, x nx.Tensor) nx.Tensor { return nn.Glu(x, r.integer("dim", -1)) }),
		"swiglu": function(func(_ *learningRun, x nx.Tensor) nx.Tensor { return nn.SwiGlu(x, -1) }),
		"geglu":  function(func(_ *learningRun, x nx.Tensor) nx.Tensor { return nn.GeGlu(x, -1) }),
		"normalize": function(func(r *learningRun, x nx.Tensor) nx.Tensor {
			return nn.Normalize(x, r.number("p", 2), r.number("eps", 1e-12), r.integer("dim", 1))
		}),
		"PReLU": module(func(r *learningRun) *nn.PRelu { return nn.NewPRelu(r.integer("num_parameters", 1)) }),
		"LocalResponseNorm": function(func(r *learningRun, x nx.Tensor) nx.Tensor {
			return nn.LocalResponseNorm(x, r.integer("size", 0), r.number("alpha", 1e-4), r.number("beta", .75),
				r.number("k", 1))
		}),
		"LayerNorm": module(func(r *learningRun) *nn.LayerNorm {
			return nn.NewLayerNorm(nx.Shape(r.integers("normalized_shape", 1)), r.norms("eps", "elementwise_affine")...)
		}),
		"RMSNorm": module(func(r *learningRun) *nn.RMSNorm {
			return nn.NewRMSNorm(nx.Shape(r.integers("normalized_shape", 1)), r.norms("eps", "elementwise_affine")...)
		}),
		"GroupNorm": module(func(r *learningRun) *nn.GroupNorm {
			return nn.NewGroupNorm(r.integer("num_groups", 1), r.integer("num_channels", 1),
				r.norms("eps", "affine")...)
		}),
		"InstanceNorm1d": instanceNorm, "InstanceNorm2d": instanceNorm, "InstanceNorm3d": instanceNorm,
		"BatchNorm1d": batchNorm, "BatchNorm2d": batchNorm, "BatchNorm3d": batchNorm,
		"spectral_norm": spectralNorm,
	} {
		learningLayers["torch "+name] = layer
	}
	learningLayers["torch _threshold"] = learningLayers["torch threshold"]
	for _, name := range []string{"Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout",
		"FeatureAlphaDropout"} {
		channels := strings.HasSuffix(name, "d") || strings.HasPrefix(name, "Feature")
		learningLayers["torch "+name] = module(func(r *learningRun) *dropout {
			p := r.number("p", 0.5)
			if strings.Contains(name, "Alpha") {
				return &dropout{&nn.AlphaDropout{Rate: p, Channels: channels}}
			}
			return &dropout{&nn.Dropout{Rate: p, Channels: channels}}
		})
	}
	learningLayers["keras Activation"] = function(func(r *learningRun, x nx.Tensor) nx.Tensor {
		name := r.text("activation")
		f, ok := kerasActivations[name]
		if !ok {
			panic(fmt.Sprintf("the activation %q has no runner", name))
		}
		return f(x)
	})
	learningLayers["keras LeakyReLU"] = learningLayers["torch leaky_relu"]
	learningLayers["keras ReLU"] = function(func(r *learningRun, x nx.Tensor) nx.Tensor {
		top, slope, limit := r.number("max_value", 0), r.number("negative_slope", 0), r.number("threshold", 0)
		below := nx.Mul(nx.Sub(x, limit), slope)
		y := nx.Where(nx.GreaterEqual(x, limit), x, below)
		if _, ok := r.Config["max_value"].(float64); ok {
			y = nx.Minimum(y, top)
		}
		return y
	})
	learningLayers["keras ELU"] = learningLayers["torch elu"]
	learningLayers["keras Softmax"] = function(func(r *learningRun, x nx.Tensor) nx.Tensor {
		return nx.Softmax(x, nx.Axis(r.integer("axis", -1)))
	})
	learningLayers["keras PReLU"] = func(_ *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
		x := in["x"]
		return map[string]nx.Tensor{"y": nx.Where(nx.Greater(x, 0), x, nx.Mul(x, state["alpha"]))}
	}
	learningLayers["keras UnitNormalization"] = function(func(r *learningRun, x nx.Tensor) nx.Tensor {
		return nn.Normalize(x, 2, 1e-6, r.integers("axis", 1)[0])
	})
	learningLayers["keras LayerNormalization"] = kerasNorm(func(r *learningRun, x nx.Tensor,
		state map[string]nx.Tensor) nx.Tensor {
		shape := lastShape(x, len(r.integers("axis", 1)))
		l := nn.NewLayerNorm(shape, nn.Epsilon(r.number("epsilon", 1e-3)))
		l.Weight, l.Bias = state["gamma"], state["beta"]
		return l.Apply(nil, x)
	})
	learningLayers["keras RMSNormalization"] = kerasNorm(func(r *learningRun, x nx.Tensor,
		state map[string]nx.Tensor) nx.Tensor {
		l := nn.NewRMSNorm(lastShape(x, len(r.integers("axis", 1))), nn.Epsilon(r.number("epsilon", 1e-6)))
		l.Weight = state["scale"]
		return l.Apply(nil, x)
	})
	learningLayers["keras GroupNormalization"] = kerasNorm(func(r *learningRun, x nx.Tensor,
		state map[string]nx.Tensor) nx.Tensor {
		channels := x.Shape()[x.Rank()-1]
		l := nn.NewGroupNorm(r.integer("groups", 32), channels, nn.Epsilon(r.number("epsilon", 1e-3)))
		l.Weight, l.Bias = state["gamma"], state["beta"]
		return channelsLast(l.Apply(nil, channelsFirst(x)))
	})
	learningLayers["keras BatchNormalization"] = kerasBatchNorm
}

// dropout is a layer in a struct, for module.
type dropout struct{ Layer nn.Layer }

func (d *dropout) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor { return d.Layer.Apply(c, x) }

var kerasActivations = map[string]func(nx.Tensor) nx.Tensor{
	"gelu": nx.Gelu, "hard_silu": nn.HardSwish, "hard_swish": nn.HardSwish, "mish": nn.Mish, "relu6": nn.Relu6,
	"softplus": nx.Softplus, "sparsemax": nn.Sparsemax, "relu": nx.Relu, "silu": nx.Silu, "swish": nx.Silu,
	"sigmoid": nx.Sigmoid, "tanh": nx.Tanh, "selu": nn.Selu, "softsign": nn.SoftSign, "hard_sigmoid": nn.HardSigmoid,
	"log_sigmoid": nn.LogSigmoid, "exponential": nx.Exp, "tanh_shrink": nn.TanhShrink,
	"elu":         func(x nx.Tensor) nx.Tensor { return nn.Elu(x, 1) },
	"celu":        func(x nx.Tensor) nx.Tensor { return nn.Celu(x, 1) },
	"leaky_relu":  func(x nx.Tensor) nx.Tensor { return nn.LeakyRelu(x, 0.2) },
	"hard_tanh":   func(x nx.Tensor) nx.Tensor { return nn.HardTanh(x, -1, 1) },
	"hard_shrink": func(x nx.Tensor) nx.Tensor { return nn.HardShrink(x, 0.5) },
	"soft_shrink": func(x nx.Tensor) nx.Tensor { return nn.SoftShrink(x, 0.5) },
	"threshold":   func(x nx.Tensor) nx.Tensor { return nn.Threshold(x, 0, 0) },
	"glu":         func(x nx.Tensor) nx.Tensor { return nn.Glu(x, -1) },
	"linear":      func(x nx.Tensor) nx.Tensor { return x },
	"softmax":     func(x nx.Tensor) nx.Tensor { return nx.Softmax(x) },
	"log_softmax": func(x nx.Tensor) nx.Tensor { return nx.LogSoftmax(x) },
	"squareplus": func(x nx.Tensor) nx.Tensor {
		return nx.Mul(nx.Add(x, nx.Sqrt(nx.Add(nx.Square(x), 4))), 0.5)
	},
	"sparse_plus": func(x nx.Tensor) nx.Tensor {
		return nx.Where(nx.LessEqual(x, -1), 0, nx.Where(nx.Less(x, 1), nx.Mul(nx.Square(nx.Add(x, 1)), 0.25), x))
	},
	"sparse_sigmoid": func(x nx.Tensor) nx.Tensor {
		return nx.Where(nx.LessEqual(x, -1), 0, nx.Where(nx.GreaterEqual(x, 1), 1, nx.Mul(nx.Add(x, 1), 0.5)))
	},
}

// geluTanh is the GELU by the hyperbolic tangent.
func geluTanh(x nx.Tensor) nx.Tensor {
	inner := nx.Mul(nx.Add(x, nx.Mul(nx.Mul(nx.Square(x), x), 0.044715)), 0.79788456080286535588)
	return nx.Mul(nx.Mul(x, 0.5), nx.Add(nx.Tanh(inner), 1))
}

// norms are the options of a norm of PyTorch.
func (r *learningRun) norms(epsilon, affine string) (opts []nn.NormOption) {
	opts = append(opts, nn.DType(r.dtype))
	if _, ok := r.Config[epsilon].(float64); ok {
		opts = append(opts, nn.Epsilon(r.number(epsilon, 0)))
	} else { // RMSNorm has the machine epsilon of the type
		opts = append(opts, nn.Epsilon(map[nx.DType]float64{nx.F32: 0x1p-23, nx.F64: 0x1p-52}[r.dtype]))
	}
	if !r.flag(affine, true) {
		opts = append(opts, nn.NoAffine)
	}
	if !r.flag("bias", true) {
		opts = append(opts, nn.NoBias)
	}
	return opts
}

// batches applies a layer in training to the inputs x0, x1…, and in inference to the first one again.
func batches(in map[string]nx.Tensor, apply func(c *nn.Ctx, x nx.Tensor) nx.Tensor,
	statistics func() map[string]nx.Tensor) map[string]nx.Tensor {
	out := map[string]nx.Tensor{}
	for i := 0; ; i++ {
		x, ok := in[fmt.Sprint("x", i)]
		if !ok {
			break
		}
		out[fmt.Sprint("y", i)] = apply(&nn.Ctx{Train: true}, x)
		for name, t := range statistics() {
			out[fmt.Sprint(name, i)] = t
		}
	}
	if x, ok := in["x0"]; ok {
		out["y_eval"] = apply(nil, x)
	}
	if x, ok := in["x"]; ok {
		out["y"] = apply(nil, x)
	}
	return out
}

func batchNorm(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
	opts := r.norms("eps", "affine")
	opts = append(opts, nn.Momentum(1-r.number("momentum", 0.1)))
	if !r.flag("track_running_stats", true) {
		opts = append(opts, nn.NoStatistics)
	}
	l := withState(*nn.NewBatchNorm(r.integer("num_features", 1), opts...), state)
	return batches(in, l.Apply, func() map[string]nx.Tensor {
		return map[string]nx.Tensor{"running_mean": nx.Tensor(l.RunningMean), "running_var": nx.Tensor(l.RunningVar)}
	})
}

func instanceNorm(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
	opts := append(r.norms("eps", "affine"), nn.Momentum(1-r.number("momentum", 0.1)))
	if r.flag("track_running_stats", false) {
		opts = append(opts, nn.Statistics)
	}
	l := withState(*nn.NewInstanceNorm(r.integer("num_features", 1), opts...), state)
	return batches(in, l.Apply, func() map[string]nx.Tensor {
		return map[string]nx.Tensor{"running_mean": nx.Tensor(l.RunningMean), "running_var": nx.Tensor(l.RunningVar)}
	})
}

func kerasBatchNorm(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
	n := state["moving_mean"].Shape()[0]
	l := nn.NewBatchNorm(n, nn.Epsilon(r.number("epsilon", 1e-3)), nn.Momentum(r.number("momentum", .99)), nn.Biased)
	l.Weight, l.Bias = state["gamma"], state["beta"]
	l.RunningMean, l.RunningVar = nn.Buffer(state["moving_mean"]), nn.Buffer(state["moving_variance"])
	apply := func(c *nn.Ctx, x nx.Tensor) nx.Tensor {
		if r.integers("axis", 1)[0] == 1 {
			return l.Apply(c, x)
		}
		return channelsLast(l.Apply(c, channelsFirst(x)))
	}
	return batches(in, apply, func() map[string]nx.Tensor {
		return map[string]nx.Tensor{"moving_mean": nx.Tensor(l.RunningMean), "moving_variance": nx.Tensor(l.RunningVar)}
	})
}

func kerasNorm(f func(r *learningRun, x nx.Tensor, state map[string]nx.Tensor) nx.Tensor) learningLayer {
	return func(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
		return map[string]nx.Tensor{"y": f(r, in["x"], state)}
	}
}

func lastShape(x nx.Tensor, n int) nx.Shape { return x.Shape()[x.Rank()-n:] }

// channelsFirst moves the last axis behind the first one; channelsLast is its inverse.
func channelsFirst(x nx.Tensor) nx.Tensor {
	axes := []int{0, x.Rank() - 1}
	for i := 1; i < x.Rank()-1; i++ {
		axes = append(axes, i)
	}
	return nx.Transpose(x, nx.Axis(axes...))
}

func channelsLast(x nx.Tensor) nx.Tensor {
	axes := []int{0}
	for i := 2; i < x.Rank(); i++ {
		axes = append(axes, i)
	}
	return nx.Transpose(x, nx.Axis(append(axes, 1)...))
}

func spectralNorm(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
	s := &nn.Spectral{Steps: r.integer("n_power_iterations", 1), Epsilon: r.number("eps", 1e-12)}
	s.Original = state["parametrizations.weight.original"]
	s.U = nn.Buffer(state["parametrizations.weight.0._u"])
	s.V = nn.Buffer(state["parametrizations.weight.0._v"])
	apply := func(c *nn.Ctx) nx.Tensor {
		return (&nn.Linear{Weight: s.Weight(c), Bias: state["bias"]}).Apply(c, in["x"])
	}
	out := map[string]nx.Tensor{"y_train": apply(&nn.Ctx{Train: true})}
	out["_u"], out["_v"] = nx.Tensor(s.U), nx.Tensor(s.V)
	out["y_eval"] = apply(nil)
	return out
}
