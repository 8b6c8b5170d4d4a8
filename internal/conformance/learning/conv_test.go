package learning_test

import (
	"fmt"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/random"
)

// Linear layers, convolutions, pools, resizing and padding.
func init() {
	learningLayers["torch Linear"] = module(func(r *learningRun) *nn.Linear {
		var opts []nn.LinearOption
		if !r.flag("bias", true) {
			opts = append(opts, nn.NoBias)
		}
		return nn.NewLinear(random.Key(1), r.integer("in_features", 1), r.integer("out_features", 1), opts...)
	})
	learningLayers["torch Bilinear"] = func(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
		l := withState(*nn.NewBilinear(random.Key(1), r.integer("in1_features", 1), r.integer("in2_features", 1),
			r.integer("out_features", 1)), state)
		a, b := in["x1"], in["x2"]
		if a.IsZero() {
			a, b = in["input1"], in["input2"]
		}
		return map[string]nx.Tensor{"y": l.Apply2(nil, a, b)}
	}
	for d := 1; d <= 3; d++ {
		suffix := fmt.Sprint(d, "d")
		learningLayers["torch Conv"+suffix] = module(func(r *learningRun) *nn.Conv { return r.conv(d) })
		learningLayers["torch ConvTranspose"+suffix] = module(func(r *learningRun) *nn.ConvTranspose {
			opts := []nn.ConvOption{nn.Stride(r.integers("stride", d)...), nn.Pad(r.integers("padding", d)...),
				nn.Dilation(r.integers("dilation", d)...), nn.OutputPad(r.integers("output_padding", d)...),
				nn.Groups(r.integer("groups", 1))}
			if !r.flag("bias", true) {
				opts = append(opts, nn.NoBias)
			}
			return nn.NewConvTranspose(random.Key(1), r.integer("in_channels", 1), r.integer("out_channels", 1),
				r.integers("kernel_size", d), opts...)
		})
		learningLayers["torch AvgPool"+suffix] = spatial(d, func(r *learningRun, x nx.Tensor) map[string]nx.Tensor {
			opts := r.pool(d)
			if !r.flag("count_include_pad", true) {
				opts = append(opts, nn.ExcludePad)
			}
			if n := r.integer("divisor_override", 0); n > 0 {
				opts = append(opts, nn.Divisor(n))
			}
			return map[string]nx.Tensor{"y": nn.AvgPool(x, r.integers("kernel_size", d), opts...)}
		})
		learningLayers["torch MaxPool"+suffix] = spatial(d, func(r *learningRun, x nx.Tensor) map[string]nx.Tensor {
			opts := append(r.pool(d), nn.Dilation(r.integers("dilation", d)...))
			if r.flag("return_indices", false) {
				y, i := nn.MaxPoolIndices(x, r.integers("kernel_size", d), opts...)
				return map[string]nx.Tensor{"y": y, "indices": i}
			}
			return map[string]nx.Tensor{"y": nn.MaxPool(x, r.integers("kernel_size", d), opts...)}
		})
		learningLayers["torch LPPool"+suffix] = spatial(d, func(r *learningRun, x nx.Tensor) map[string]nx.Tensor {
			return map[string]nx.Tensor{"y": nn.LpPool(x, r.number("norm_type", 2), r.integers("kernel_size", d),
				r.pool(d)...)}
		})
		learningLayers["torch AdaptiveAvgPool"+suffix] = spatial(d,
			func(r *learningRun, x nx.Tensor) map[string]nx.Tensor {
				return map[string]nx.Tensor{"y": nn.AdaptiveAvgPool(x, r.outputSize(x, d))}
			})
		learningLayers["torch AdaptiveMaxPool"+suffix] = spatial(d,
			func(r *learningRun, x nx.Tensor) map[string]nx.Tensor {
				return map[string]nx.Tensor{"y": nn.AdaptiveMaxPool(x, r.outputSize(x, d))}
			})
		learningLayers["keras GlobalMaxPooling"+strings.ToUpper(suffix)] = function(func(r *learningRun,
			x nx.Tensor) nx.Tensor {
			return globalPool(r, x, nx.Max)
		})
		learningLayers["keras GlobalAveragePooling"+strings.ToUpper(suffix)] = function(func(r *learningRun,
			x nx.Tensor) nx.Tensor {
			return globalPool(r, x, nx.Mean)
		})
		learningLayers["keras MaxPooling"+strings.ToUpper(suffix)] = kerasPool(d, nn.MaxPool)
		learningLayers["keras AveragePooling"+strings.ToUpper(suffix)] = kerasPool(d, nn.AvgPool)
		learningLayers["keras Conv"+strings.ToUpper(suffix)] = kerasConv(d)
		learningLayers["keras DepthwiseConv"+strings.ToUpper(suffix)] = kerasDepthwise(d)
		learningLayers["keras SeparableConv"+strings.ToUpper(suffix)] = kerasSeparable(d)
		learningLayers["keras Conv"+strings.ToUpper(suffix)+"Transpose"] = kerasTranspose(d)
	}
	learningLayers["torch interpolate"] = function(resized)
	learningLayers["torch Upsample"] = function(resized)
	learningLayers["torch pad"] = function(padded)
	learningLayers["torch PixelShuffle"] = function(func(r *learningRun, x nx.Tensor) nx.Tensor {
		return nn.PixelShuffle(x, r.integer("upscale_factor", 1))
	})
	learningLayers["torch PixelUnshuffle"] = function(func(r *learningRun, x nx.Tensor) nx.Tensor {
		return nn.PixelUnshuffle(x, r.integer("downscale_factor", 1))
	})
	learningLayers["torch ChannelShuffle"] = function(func(r *learningRun, x nx.Tensor) nx.Tensor {
		return nn.ChannelShuffle(x, r.integer("groups", 1))
	})
	folds := func(r *learningRun) []nn.PoolOption {
		return []nn.PoolOption{nn.Stride(r.integers("stride", 2)...), nn.Pad(r.integers("padding", 2)...),
			nn.Dilation(r.integers("dilation", 2)...)}
	}
	learningLayers["torch Unfold"] = function(func(r *learningRun, x nx.Tensor) nx.Tensor {
		return nn.Unfold(x, r.integers("kernel_size", 2), folds(r)...)
	})
	learningLayers["torch Fold"] = function(func(r *learningRun, x nx.Tensor) nx.Tensor {
		return nn.Fold(x, r.integers("output_size", 2), r.integers("kernel_size", 2), folds(r)...)
	})
	learningLayers["keras Dense"] = func(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
		l := &nn.Linear{Weight: nx.Transpose(state["kernel"]), Bias: state["bias"]}
		return map[string]nx.Tensor{"y": r.activated(l.Apply(nil, in["x"]))}
	}
}

// activated applies the activation of a layer of Keras.
func (r *learningRun) activated(y nx.Tensor) nx.Tensor {
	if name := r.text("activation"); name != "" {
		return kerasActivations[name](y)
	}
	return y
}

// conv is a convolution of PyTorch over d axes.
func (r *learningRun) conv(d int) *nn.Conv {
	opts := []nn.ConvOption{nn.Stride(r.integers("stride", d)...), nn.Dilation(r.integers("dilation", d)...),
		nn.Groups(r.integer("groups", 1))}
	if r.text("padding") == "same" {
		opts = append(opts, nn.SamePadding)
	} else {
		opts = append(opts, nn.Pad(r.integers("padding", d)...))
	}
	if !r.flag("bias", true) {
		opts = append(opts, nn.NoBias)
	}
	if m, ok := padModes[r.text("padding_mode")]; ok {
		opts = append(opts, nn.PadMode(m))
	}
	return nn.NewConv(random.Key(1), r.integer("in_channels", 1), r.integer("out_channels", 1),
		r.integers("kernel_size", d),
		opts...)
}

var padModes = map[string]nx.PadMode{"reflect": nx.PadReflect, "replicate": nx.PadEdge, "circular": nx.PadWrap}

// pool are the options of a pool of PyTorch over d axes.
func (r *learningRun) pool(d int) []nn.PoolOption {
	opts := []nn.PoolOption{nn.Pad(r.integers("padding", d)...)}
	if s := r.integers("stride", d); s != nil {
		opts = append(opts, nn.Stride(s...))
	}
	if r.flag("ceil_mode", false) {
		opts = append(opts, nn.CeilSize)
	}
	return opts
}

// outputSize is the size of an adaptive pool; null keeps that of the argument.
func (r *learningRun) outputSize(x nx.Tensor, d int) []int {
	if list, ok := r.Config["output_size"].([]any); ok {
		var size []int
		for i, v := range list {
			if f, ok := v.(float64); ok {
				size = append(size, int(f))
			} else {
				size = append(size, x.Shape()[x.Rank()-d+i])
			}
		}
		return size
	}
	return r.integers("output_size", d)
}

// spatial is a layer over the last d axes.
func spatial(_ int, f func(r *learningRun, x nx.Tensor) map[string]nx.Tensor) learningLayer {
	return func(r *learningRun, in, _ map[string]nx.Tensor) map[string]nx.Tensor { return f(r, in["x"]) }
}

func resized(r *learningRun, x nx.Tensor) nx.Tensor {
	d := x.Rank() - 2
	mode := map[string]nn.ResizeMode{
		"nearest": nn.ByNearest, "nearest-exact": nn.ByNearestExact, "linear": nn.ByLinear, "bilinear": nn.ByLinear,
		"trilinear": nn.ByLinear, "bicubic": nn.ByCubic, "area": nn.ByArea, "": nn.ByNearest,
	}[r.text("mode")]
	opts := []nn.ResizeOption{mode}
	size := r.integers("size", d)
	if size == nil {
		factors := make([]float64, d)
		for i := range factors {
			switch v := r.Config["scale_factor"].(type) {
			case float64:
				factors[i] = v
			case []any:
				factors[i] = v[i].(float64)
			}
			size = append(size, int(float64(x.Shape()[2+i])*factors[i]))
		}
		if !r.flag("recompute_scale_factor", false) {
			opts = append(opts, nn.Scales(factors...))
		}
	}
	if r.flag("align_corners", false) {
		opts = append(opts, nn.AlignCorners)
	}
	if r.flag("antialias", false) {
		opts = append(opts, nn.Antialias)
	}
	return nn.Resize(x, size, opts...)
}

func padded(r *learningRun, x nx.Tensor) nx.Tensor {
	list := r.integers("pad", 1)
	pairs := make([][2]int, x.Rank())
	for i := 0; i+1 < len(list); i += 2 {
		pairs[x.Rank()-1-i/2] = [2]int{list[i], list[i+1]}
	}
	if m, ok := padModes[r.text("mode")]; ok {
		return nx.PadWith(x, m, pairs...)
	}
	return nx.Pad(x, r.number("value", 0), pairs...)
}

// Keras: channels last.

func globalPool(r *learningRun, x nx.Tensor, pool func(nx.Tensor, ...nx.ReduceOption) nx.Tensor) nx.Tensor {
	var axes []int
	for i := 1; i < x.Rank()-1; i++ {
		axes = append(axes, i)
	}
	if r.text("data_format") == "channels_first" {
		for i := range axes {
			axes[i]++
		}
	}
	if r.flag("keepdims", false) {
		return pool(x, nx.Axis(axes...), nx.KeepAxes)
	}
	return pool(x, nx.Axis(axes...))
}

func kerasPool(d int, pool func(nx.Tensor, []int, ...nn.PoolOption) nx.Tensor) learningLayer {
	return function(func(r *learningRun, x nx.Tensor) nx.Tensor {
		if r.text("data_format") != "channels_first" {
			x = channelsFirst(x)
		}
		size, strides := r.integers("pool_size", d), r.integers("strides", d)
		if strides == nil {
			strides = size
		}
		opts := []nn.PoolOption{nn.Stride(strides...), nn.ExcludePad}
		if r.text("padding") == "same" {
			var pads [][2]int
			for i, n := range x.Shape()[2:] {
				total := max(((n+strides[i]-1)/strides[i]-1)*strides[i]+size[i]-n, 0)
				pads = append(pads, [2]int{total / 2, total - total/2})
			}
			opts = append(opts, nn.PadLowHigh(pads...))
		}
		y := pool(x, size, opts...)
		if r.text("data_format") != "channels_first" {
			y = channelsLast(y)
		}
		return y
	})
}

// kernelFirst is a kernel [k…, in, out] as [out, in, k…].
func kernelFirst(w nx.Tensor) nx.Tensor {
	n := w.Rank()
	axes := []int{n - 1, n - 2}
	for i := range n - 2 {
		axes = append(axes, i)
	}
	return nx.Transpose(w, nx.Axis(axes...))
}

// kerasOptions are the options of a convolution of Keras.
func (r *learningRun) kerasOptions(d int) []nn.ConvOption {
	opts := []nn.ConvOption{nn.Stride(r.integers("strides", d)...), nn.Dilation(r.integers("dilation_rate", d)...)}
	if r.text("padding") == "same" {
		opts = append(opts, nn.SamePadding)
	}
	return opts
}

// convolved applies a kernel [out, in/groups, k…] to a tensor with channels last.
func (r *learningRun) convolved(d int, x, w, bias nx.Tensor, groups int, opts []nn.ConvOption) nx.Tensor {
	s := w.Shape()
	l := nn.NewConv(random.Key(1), s[1]*groups, s[0], s[2:], append(opts, nn.Groups(groups))...)
	l.Weight, l.Bias = w, bias
	if r.text("padding") == "causal" {
		k := (s[2]-1)*r.integers("dilation_rate", d)[0] + 1
		l.Padding = [][2]int{{k - 1, 0}}
	}
	if r.text("data_format") == "channels_first" {
		return l.Apply(nil, x)
	}
	return channelsLast(l.Apply(nil, channelsFirst(x)))
}

func kerasConv(d int) learningLayer {
	return func(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
		w := kernelFirst(state["kernel"])
		y := r.convolved(d, in["x"], w, state["bias"], r.integer("groups", 1), r.kerasOptions(d))
		return map[string]nx.Tensor{"y": r.activated(y)}
	}
}

// depthwiseKernel is a kernel [k…, in, multiplier] as [in·multiplier, 1, k…].
func depthwiseKernel(w nx.Tensor) nx.Tensor {
	n := w.Rank()
	axes := []int{n - 2, n - 1}
	for i := range n - 2 {
		axes = append(axes, i)
	}
	t := nx.Transpose(w, nx.Axis(axes...))
	s := t.Shape()
	return nx.Reshape(t, append(nx.Shape{s[0] * s[1], 1}, s[2:]...)...)
}

func kerasDepthwise(d int) learningLayer {
	return func(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
		w := state["kernel"]
		if w.IsZero() {
			w = state["depthwise_kernel"]
		}
		y := r.convolved(d, in["x"], depthwiseKernel(w), state["bias"], w.Shape()[d], r.kerasOptions(d))
		return map[string]nx.Tensor{"y": r.activated(y)}
	}
}

func kerasSeparable(d int) learningLayer {
	return func(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
		w := state["depthwise_kernel"]
		y := r.convolved(d, in["x"], depthwiseKernel(w), nx.Tensor{}, w.Shape()[d], r.kerasOptions(d))
		y = r.convolved(d, y, kernelFirst(state["pointwise_kernel"]), state["bias"], 1, nil)
		return map[string]nx.Tensor{"y": r.activated(y)}
	}
}

func kerasTranspose(d int) learningLayer {
	return func(r *learningRun, in, state map[string]nx.Tensor) map[string]nx.Tensor {
		w := kernelFirst(state["kernel"]) // [in, out, k…], as Keras has [k…, out, in]
		s := w.Shape()
		strides, dilation := r.integers("strides", d), r.integers("dilation_rate", d)
		l := nn.NewConvTranspose(random.Key(1), s[0], s[1], s[2:], nn.Stride(strides...), nn.Dilation(dilation...))
		l.Weight, l.Bias = w, state["bias"]
		for i, k := range s[2:] {
			k = (k-1)*dilation[i] + 1
			cut := 0
			if r.text("padding") == "same" {
				cut = k - strides[i]
			} else if strides[i] > k {
				cut = k - strides[i]
			}
			if cut >= 0 {
				l.Padding[i] = [2]int{cut / 2, cut - cut/2}
			} else {
				l.OutputPadding[i] = -cut
			}
		}
		x := in["x"]
		if r.text("data_format") == "channels_first" {
			return map[string]nx.Tensor{"y": r.activated(l.Apply(nil, x))}
		}
		return map[string]nx.Tensor{"y": r.activated(channelsLast(l.Apply(nil, channelsFirst(x))))}
	}
}
