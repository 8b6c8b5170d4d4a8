package nx_test

import (
	"maps"
	"math"
	"slices"

	"github.com/go-nx/nx/fft"

	"github.com/go-nx/nx"
)

// windowOptions reads the options of functions of windows.
func (c *recorded) windowOptions() []nx.WindowOption {
	o := c.options("padding", "strides", "window_dilations")
	var out []nx.WindowOption
	if v, ok := o["padding"]; ok && v != atom("valid") {
		out = append(out, paddingOf(v))
	}
	if v, ok := o["strides"]; ok {
		out = append(out, nx.Strides(oneOrMore(v)...))
	}
	if v, ok := o["window_dilations"]; ok {
		out = append(out, nx.Dilation(oneOrMore(v)...))
	}
	return out
}

func paddingOf(v any) nx.WindowOption {
	switch v := v.(type) {
	case atom:
		if v != "same" {
			refuse("there is no padding %s", v)
		}
		return nx.Same()
	case []any:
		return nx.Padding(pairsOfInts(v)...)
	}
	refuse("%v is not a padding", v)
	return nil
}

func pairsOfInts(v any) [][2]int {
	list, ok := v.([]any)
	if !ok {
		refuse("%v is not a list of pairs", v)
	}
	out := [][2]int{}
	for _, x := range list {
		p := ints(x)
		if len(p) < 2 {
			refuse("%v is not a pair", x)
		}
		out = append(out, [2]int{p[0], p[1]})
	}
	return out
}

func oneOrMore(v any) []int {
	if n, ok := v.(int64); ok {
		return []int{int(n)}
	}
	return ints(v)
}

func window(f func(nx.Tensor, []int, ...nx.WindowOption) nx.Tensor) func(c *recorded) any {
	return func(c *recorded) any { return f(c.t(0), ints(c.Args[1]), c.windowOptions()...) }
}

func windowScatter(f func(t, source nx.Tensor, init nx.Tensor, size []int,
	opts ...nx.WindowOption) nx.Tensor) func(c *recorded) any {
	return func(c *recorded) any {
		c.options("padding", "strides")
		return f(c.t(0), c.t(1), c.t(2), ints(c.Args[3]), c.windowOptions()...)
	}
}

func cumulative(f func(nx.Tensor, ...nx.CumulativeOption) nx.Tensor) func(c *recorded) any {
	return func(c *recorded) any {
		o := c.options("axis", "reverse")
		var opts []nx.CumulativeOption
		if v, ok := o["axis"]; ok {
			opts = append(opts, axisOf(v))
		}
		if isTrue(o["reverse"]) {
			opts = append(opts, nx.Reversed)
		}
		return f(c.t(0), opts...)
	}
}

func sorting(f func(nx.Tensor, ...nx.SortOption) nx.Tensor, known ...string) func(c *recorded) any {
	return func(c *recorded) any {
		o := c.options(append(known, "axis", "direction", "stable")...)
		t := c.t(0)
		opts := []nx.SortOption{nx.Axis(0)}
		if v, ok := o["axis"]; ok {
			opts[0] = axisOf(v)
		}
		switch o["direction"] {
		case nil, atom("asc"):
		case atom("desc"):
			opts = append(opts, nx.Descending)
		default:
			refuse("there is no direction %v", o["direction"])
		}
		if v, ok := o["type"]; ok {
			opts = append(opts, nx.As(dtypeOf(v)))
		}
		return f(t, opts...)
	}
}

func fourier(f func(nx.Tensor, ...fft.Option) nx.Tensor, known ...string) func(c *recorded) any {
	return func(c *recorded) any {
		o, t := c.options(append(known, "axis", "axes", "length", "lengths", "eps")...), c.t(0)
		var opts []fft.Option
		axis := -1
		if v, ok := o["axis"]; ok {
			opts = append(opts, axisOf(v))
			if n, isInt := v.(int64); isInt {
				axis = int(n)
			} else {
				axis = slices.Index(t.Names(), string(v.(atom)))
			}
		}
		if v, ok := o["axes"]; ok {
			opts = append(opts, axesOf(t, v))
		}
		length := func(v any, axis int) int {
			if v == atom("power_of_two") {
				return 1 << int(math.Ceil(math.Log2(float64(nx.AxisSize(t, axis)))))
			}
			return toInt(v)
		}
		if v, ok := o["length"]; ok {
			opts = append(opts, fft.Length(length(v, axis)))
		}
		if v, ok := o["lengths"]; ok {
			var list []int
			for i, x := range v.([]any) {
				list = append(list, length(x, i-2))
			}
			opts = append(opts, fft.Length(list...))
		}
		return f(t, opts...)
	}
}

func indexed(f func(t, i, u nx.Tensor, opts ...nx.AxisOption) nx.Tensor) func(c *recorded) any {
	return func(c *recorded) any {
		o, t := c.options("axes"), c.t(0)
		if v, ok := o["axes"]; ok {
			return f(t, c.t(1), c.t(2), axesOf(t, v))
		}
		return f(t, c.t(1), c.t(2))
	}
}

// named functions of two operands, as reductions take them.
func reducerOf(v any) func(a, b nx.Tensor) nx.Tensor {
	switch v {
	case function("Nx.add/2"):
		return nx.Add[nx.Tensor, nx.Tensor]
	case function("Nx.multiply/2"):
		return nx.Mul[nx.Tensor, nx.Tensor]
	case function("Nx.max/2"):
		return nx.Maximum[nx.Tensor, nx.Tensor]
	case function("Nx.min/2"):
		return nx.Minimum[nx.Tensor, nx.Tensor]
	case function("Nx.subtract/2"):
		return nx.Sub[nx.Tensor, nx.Tensor]
	}
	refuse("%v is not a function", v)
	return nil
}

func takeOptions(t nx.Tensor, o map[string]any) []nx.TakeOption {
	opts := []nx.TakeOption{nx.Checked}
	if v, ok := o["axis"]; ok {
		opts = append(opts, axisOf(v))
	}
	return opts
}

var nxMore = func() map[string]func(c *recorded) any {
	out := map[string]func(c *recorded) any{
		"window_sum": window(nx.WindowSum), "window_product": window(nx.WindowProd), "window_max": window(nx.WindowMax),
		"window_min": window(nx.WindowMin), "window_mean": window(nx.WindowMean),
		"window_scatter_max": windowScatter(nx.WindowScatterMax[nx.Tensor]),
		"window_scatter_min": windowScatter(nx.WindowScatterMin[nx.Tensor]),
		"cumulative_sum":     cumulative(nx.CumSum), "cumulative_product": cumulative(nx.CumProd),
		"cumulative_max": cumulative(nx.CumMax), "cumulative_min": cumulative(nx.CumMin),
		"sort": sorting(nx.Sort), "argsort": sorting(nx.ArgSort, "type"),
		"fft": fourier(fft.FFT), "ifft": fourier(fft.IFFT), "rfft": fourier(fft.RFFT), "irfft": fourier(fft.IRFFT),
		"fft2": fourier(fft.FFT2), "ifft2": fourier(fft.IFFT2),
		"indexed_add": indexed(nx.AddGather), "indexed_put": indexed(nx.SetGather),
		"population_count":    func(c *recorded) any { return nx.OnesCount(c.t(0)) },
		"count_leading_zeros": func(c *recorded) any { return nx.LeadingZeros(c.t(0)) },
		"phase":               func(c *recorded) any { return nx.Phase(c.t(0)) },
		"log2":                func(c *recorded) any { return nx.Log2(c.t(0)) },
		"log10":               func(c *recorded) any { return nx.Log10(c.t(0)) },
	}
	maps.Copy(out, map[string]func(c *recorded) any{
		"window_reduce": func(c *recorded) any {
			return nx.WindowReduce(c.t(0), c.t(1), ints(c.Args[2]), carryFirst(reducerOf(c.Args[len(c.Args)-1])),
				c.windowOptions()...)
		},
		"reduce": func(c *recorded) any {
			t := c.t(0)
			return nx.Reduce(t, c.t(1), carryFirst(reducerOf(c.Args[len(c.Args)-1])), c.reduceOptions(t)...)
		},
		"conv": func(c *recorded) any {
			o := c.options("padding", "strides", "input_dilation", "kernel_dilation", "feature_group_size",
				"batch_group_size",
				"input_permutation", "kernel_permutation", "output_permutation")
			var opts []nx.ConvOption
			if v, ok := o["padding"]; ok && v != atom("valid") {
				opts = append(opts, paddingOf(v))
			}
			for key, f := range map[string]func(n ...int) nx.ConvOption{
				"strides":         func(n ...int) nx.ConvOption { return nx.Strides(n...) },
				"input_dilation":  func(n ...int) nx.ConvOption { return nx.InputDilation(n...) },
				"kernel_dilation": func(n ...int) nx.ConvOption { return nx.Dilation(n...) },
			} {
				if v, ok := o[key]; ok {
					opts = append(opts, f(oneOrMore(v)...))
				}
			}
			if v, ok := o["feature_group_size"]; ok {
				opts = append(opts, nx.FeatureGroups(toInt(v)))
			}
			if v, ok := o["batch_group_size"]; ok {
				opts = append(opts, nx.BatchGroups(toInt(v)))
			}
			layout := func(key string, t nx.Tensor) []int {
				v, ok := o[key].([]any)
				if !ok {
					return nil
				}
				var at []int
				for _, x := range v {
					if n, isName := x.(atom); isName {
						at = append(at, slices.Index(t.Names(), string(n)))
					} else {
						at = append(at, toInt(x))
					}
				}
				return at
			}
			opts = append(opts, nx.Layout(layout("input_permutation", c.t(0)), layout("kernel_permutation", c.t(1)),
				layout("output_permutation", c.t(0))))
			return nx.Conv(c.t(0), c.t(1), opts...)
		},
		"top_k": func(c *recorded) any {
			o := c.options("k")
			k := 1
			if v, ok := o["k"]; ok {
				k = toInt(v)
			}
			v, i := nx.TopK(c.t(0), k)
			return tuple{v, i}
		},
		"diff": func(c *recorded) any {
			o := c.options("order", "axis")
			n := 1
			if v, ok := o["order"]; ok {
				n = toInt(v)
			}
			if v, ok := o["axis"]; ok {
				return nx.Diff(c.t(0), n, axisOf(v))
			}
			return nx.Diff(c.t(0), n)
		},
		"median": func(c *recorded) any { t := c.t(0); return nx.Median(t, c.reduceOptions(t)...) },
		"mode":   func(c *recorded) any { t := c.t(0); return nx.Mode(t, c.reduceOptions(t)...) },
		"weighted_mean": func(c *recorded) any {
			t := c.t(0)
			return nx.WeightedMean(t, c.t(1),
				c.reduceOptions(t)...)
		},
		"covariance": func(c *recorded) any {
			o := c.options("ddof")
			var opts []nx.CovOption
			if v, ok := o["ddof"]; ok {
				opts = append(opts, nx.DDOF(toInt(v)))
			}
			if len(c.Args) > 1 {
				if mean, ok := c.Args[1].(nx.Tensor); ok {
					opts = append(opts, nx.Around(mean))
				}
			}
			return nx.Cov(c.t(0), opts...)
		},
		"logsumexp": func(c *recorded) any {
			t := c.t(0)
			opts := c.reduceOptions(t, "exp_scaling_factor")
			if v, ok := c.options("exp_scaling_factor", "axes", "keep_axes")["exp_scaling_factor"]; ok {
				return nx.WeightedLogSumExp(t, toTensor(v), opts...)
			}
			return nx.LogSumExp(t, opts...)
		},
		"argmax": func(c *recorded) any { return argExtreme(c, nx.ArgMax) },
		"argmin": func(c *recorded) any { return argExtreme(c, nx.ArgMin) },
		"all_close": func(c *recorded) any {
			o := c.options("rtol", "atol", "equal_nan")
			relative, absolute := 1e-5, 1e-8
			if v, ok := o["rtol"]; ok {
				relative = floatOf(v)
			}
			if v, ok := o["atol"]; ok {
				absolute = floatOf(v)
			}
			opts := []nx.CloseOption{nx.Tolerance(relative, absolute)}
			if isTrue(o["equal_nan"]) {
				opts = append(opts, nx.EqualNaN)
			}
			return nx.AllClose(c.t(0), c.t(1), opts...)
		},
		"dot":   func(c *recorded) any { return dot(c) },
		"outer": func(c *recorded) any { return nx.Outer(c.t(0), nx.Conj(c.t(1))) },
		"take":  func(c *recorded) any { t := c.t(0); return nx.Take(t, c.t(1), takeOptions(t, c.options("axis"))...) },
		"take_along_axis": func(c *recorded) any {
			t := c.t(0)
			return nx.TakeAlong(t, c.t(1), takeOptions(t, c.options("axis"))...)
		},
		"gather": func(c *recorded) any {
			o, t := c.options("axes"), c.t(0)
			if v, ok := o["axes"]; ok {
				return nx.Gather(t, c.t(1), axesOf(t, v))
			}
			return nx.Gather(t, c.t(1))
		},
		"pad": func(c *recorded) any {
			list, ok := c.Args[2].([]any)
			if !ok {
				refuse("%v is not padding", c.Args[2])
			}
			var inner []int
			for _, x := range list {
				if p := ints(x); len(p) == 3 {
					inner = append(inner, p[2])
				} else {
					refuse("%v is not a triple", x)
				}
			}
			return nx.PadInterior(c.t(0), c.t(1), inner, pairsOfInts(list)...)
		},
		"pad_outer": func(c *recorded) any {
			modes := map[any]nx.PadMode{atom("cyclic"): nx.PadWrap, atom("mirror"): nx.PadSymmetric,
				atom("reflect"): nx.PadReflect, atom("replicate"): nx.PadEdge}
			if a, ok := c.Args[1].(atom); ok {
				if modes[a] == 0 {
					refuse("there is no mode %s", a)
				}
				return nx.PadWith(c.t(0), modes[a], pairsOfInts(c.Args[2])...)
			}
			return nx.Pad(c.t(0), c.t(1), pairsOfInts(c.Args[2])...)
		},
		"reflect": func(c *recorded) any {
			return nx.PadWith(c.t(0), nx.PadReflect, pairsOfInts(c.options("padding_config")["padding_config"])...)
		},
		"concatenate": func(c *recorded) any {
			o, ts := c.options("axis"), tensorsOf(flat(c.Args[0]))
			if v, ok := o["axis"]; ok {
				return nx.Concatenate(ts, axisOf(v))
			}
			return nx.Concatenate(ts)
		},
		"stack": func(c *recorded) any {
			o, ts := c.options("axis", "name"), tensorsOf(c.Args[0])
			axis := 0
			if v, ok := o["axis"]; ok {
				axis = toInt(v)
			}
			t := nx.Stack(ts, nx.Axis(axis))
			if v, ok := o["name"]; ok {
				names := t.Names()
				if axis < 0 {
					axis += len(names)
				}
				names[axis] = string(v.(atom))
				return nx.Rename(t, names...)
			}
			return t
		},
		"split": func(c *recorded) any {
			o, t := c.options("axis"), c.t(0)
			axis := nx.Axis(0)
			size := 0
			if v, ok := o["axis"]; ok {
				axis = axisOf(v)
				size = axisSize(t, v)
			} else {
				size = nx.AxisSize(t, 0)
			}
			n := 0
			switch v := c.Args[1].(type) {
			case int64:
				if n = int(v); n < 0 {
					n += size
				}
			case float64:
				n = int(math.Ceil(float64(size) * v))
			default:
				refuse("%v is not a position to split at", v)
			}
			parts := nx.Split(t, []int{n, size - n}, axis)
			return tuple{parts[0], parts[1]}
		},
		"slice":            func(c *recorded) any { return slice(c, c.t(0), c.Args[1].([]any), c.Args[2].([]any)) },
		"slice_along_axis": func(c *recorded) any { return sliceAlong(c) },
		"put_slice": func(c *recorded) any {
			var starts []any
			for _, s := range c.Args[1].([]any) {
				if n, ok := s.(int64); ok {
					starts = append(starts, int(n))
				} else {
					starts = append(starts, s)
				}
			}
			return nx.SetSlice(c.t(0), c.t(2), starts...)
		},
		"flatten": func(c *recorded) any {
			o, t := c.options("axes"), c.t(0)
			if v, ok := o["axes"]; ok {
				return nx.Flatten(t, axesOf(t, v))
			}
			return nx.Flatten(t)
		},
		"new_axis": func(c *recorded) any {
			axis := c.i(1)
			t := nx.ExpandAxis(c.t(0), nx.Axis(axis))
			if len(c.Args) > 2 && c.Args[2] != nil {
				names := t.Names()
				if axis < 0 {
					axis += len(names)
				}
				names[axis] = string(c.Args[2].(atom))
				return nx.Rename(t, names...)
			}
			return t
		},
		"broadcast":     func(c *recorded) any { return broadcast(c) },
		"take_diagonal": func(c *recorded) any { return nx.Diagonal(c.t(0), offset(c)) },
		"make_diagonal": func(c *recorded) any {
			if t := c.t(0); t.Rank() > 1 {
				refuse("batches of diagonals are allowed")
			}
			return nx.Diag(c.t(0), offset(c))
		},
		"put_diagonal": func(c *recorded) any { return nx.SetDiagonal(c.t(0), c.t(1), offset(c)) },
		"tril":         func(c *recorded) any { return nx.Tril(c.t(0), triangleK(c)) },
		"triu":         func(c *recorded) any { return nx.Triu(c.t(0), triangleK(c)) },
		"fill": func(c *recorded) any {
			t := c.t(0)
			d := nx.Add(t, c.t(1)).DType()
			if v, ok := c.options("type")["type"]; ok {
				d = dtypeOf(v)
			}
			n, ok := c.Args[1].(float64)
			if !ok {
				n = floatOf(c.Args[1])
			}
			return nx.FullLike(nx.Cast(t, d), n)
		},
		"vectorize": func(c *recorded) any {
			return eachTensor(c.Args[0], func(t nx.Tensor) nx.Tensor { return vectorizeBy(c, t) })
		},
		"devectorize": func(c *recorded) any {
			t := c.t(0)
			if v, ok := c.options("keep_names")["keep_names"]; ok && v == false {
				names := append(make([]string, len(t.Vectors())), t.Names()...)
				return nx.Rename(nx.Devectorize(t), names...)
			}
			return nx.Devectorize(t)
		},
		"revectorize": func(c *recorded) any { return revectorize(c) },
		"reshape_vectors": func(c *recorded) any {
			return aligned(c, nx.ReshapeVectors)
		},
		"broadcast_vectors": func(c *recorded) any { return aligned(c, nx.BroadcastVectors) },
	})
	return out
}()

// flat returns a container as a flat list.
func flat(v any) any {
	list, ok := v.(tuple)
	if !ok {
		return v
	}
	var out []any
	for _, x := range list {
		if inner, ok := flat(x).([]any); ok {
			out = append(out, inner...)
		} else {
			out = append(out, x)
		}
	}
	return out
}

// eachTensor applies f to the tensors of a container.
func eachTensor(v any, f func(nx.Tensor) nx.Tensor) any {
	switch v := v.(type) {
	case tuple:
		out := make(tuple, len(v))
		for i, x := range v {
			out[i] = eachTensor(x, f)
		}
		return out
	case []any:
		return []any(eachTensor(tuple(v), f).(tuple))
	case pairs:
		out := slices.Clone(v)
		for i, p := range v {
			out[i].value = eachTensor(p.value, f)
		}
		return out
	}
	return f(toTensor(v))
}

func offset(c *recorded) int {
	if v, ok := c.options("offset")["offset"]; ok {
		return toInt(v)
	}
	return 0
}

func triangleK(c *recorded) int {
	if v, ok := c.options("k")["k"]; ok {
		return toInt(v)
	}
	return 0
}

// argExtreme finds the index of an extreme; with tie_break high Nx takes the last of equal ones, which is the
// first one of the reversed elements here.
func argExtreme(c *recorded, f func(nx.Tensor, ...nx.ReduceOption) nx.Tensor) any {
	t := c.t(0)
	opts := c.reduceOptions(t, "tie_break", "type")
	o := c.options("tie_break", "type", "axis", "keep_axis")
	switch o["tie_break"] {
	case nil, atom("low"):
		return f(t, opts...)
	case atom("high"):
	default:
		refuse("there is no tie_break %v", o["tie_break"])
	}
	if v, ok := o["axis"]; ok {
		n := axisSize(t, v)
		return nx.Sub(n-1, f(nx.Reverse(t, axisOf(v)), opts...))
	}
	return nx.Sub(t.Size()-1, f(nx.Reverse(t), opts...))
}

// dot is Nx's: it contracts the last axis with the second to last and does not batch, or
// axes that are given.
func dot(c *recorded) any {
	var a, b nx.Tensor
	var ca, cb, ba, bb []int
	list := func(t nx.Tensor, v any) []int {
		l, ok := v.([]any)
		if !ok {
			refuse("%v is not a list of axes", v)
		}
		out := []int{}
		for _, x := range l {
			i, ok := x.(int64)
			if n, isName := x.(atom); isName {
				i, ok = int64(slices.Index(t.Names(), string(n))), true
			}
			if !ok {
				refuse("%v is not an axis", x)
			}
			if i < 0 {
				i += int64(t.Rank())
			}
			out = append(out, int(i))
		}
		return out
	}
	switch len(c.Args) {
	case 2:
		a, b = c.t(0), c.t(1)
		if a.Rank() == 0 || b.Rank() == 0 {
			return nx.Mul(a, b)
		}
		ca, cb = []int{a.Rank() - 1}, []int{max(b.Rank()-2, 0)}
	case 4:
		a, b = c.t(0), c.t(2)
		ca, cb = list(a, c.Args[1]), list(b, c.Args[3])
	default:
		a, b = c.t(0), c.t(3)
		ca, ba, cb, bb = list(a, c.Args[1]), list(a, c.Args[2]), list(b, c.Args[4]), list(b, c.Args[5])
	}
	return nx.DotGeneral(a, b, nx.DotDims{ContractA: ca, ContractB: cb, BatchA: ba, BatchB: bb})
}

// slice takes a part whose start is moved so that it fits, as Nx does.
func slice(c *recorded, t nx.Tensor, starts, lengths []any) any {
	strides := slices.Repeat([]int{1}, t.Rank())
	if v, ok := c.options("strides", "axis")["strides"]; ok {
		if strides = oneOrMore(v); len(strides) == 1 {
			strides = slices.Repeat(strides, t.Rank())
		}
	}
	if len(starts) != t.Rank() || len(lengths) != t.Rank() || len(strides) != t.Rank() {
		refuse("there is an index for each axis")
	}
	return slicePart(t, starts, lengths, strides)
}

func slicePart(t nx.Tensor, starts, lengths []any, strides []int) nx.Tensor {
	for axis := range lengths {
		n, length := nx.AxisSize(t, axis), toInt(lengths[axis])
		if length < 1 || length > n || strides[axis] < 1 {
			refuse("a part of %d elements of an axis of size %d with a stride of %d", length, n, strides[axis])
		}
		index := slices.Repeat([]any{nx.Whole}, t.Rank())
		if s, ok := starts[axis].(nx.Tensor); ok {
			if s.Rank() > 0 || !s.DType().IsInteger() {
				refuse("a start is not an integer scalar")
			}
			at := nx.Add(nx.Clip(nx.Cast(s, nx.S64), 0, n-length), nx.Iota(nx.Shape{length}, nx.S64))
			t = nx.Rename(nx.Take(t, at, nx.Axis(axis)), t.Names()...)
			index[axis] = nx.From(0).Step(strides[axis])
		} else {
			at := min(max(toInt(starts[axis]), 0), n-length)
			index[axis] = nx.Range(at, at+length).Step(strides[axis])
		}
		t = t.At(index...)
	}
	return t
}

func sliceAlong(c *recorded) any {
	o, t := c.options("axis", "strides"), c.t(0)
	axis := 0
	if v, ok := o["axis"]; ok {
		if n, isName := v.(atom); isName {
			axis = slices.Index(t.Names(), string(n))
		} else if axis = toInt(v); axis < 0 {
			axis += t.Rank()
		}
	}
	starts, lengths := slices.Repeat([]any{int64(0)}, t.Rank()), make([]any, t.Rank())
	strides := slices.Repeat([]int{1}, t.Rank())
	for i, n := range t.Shape() {
		lengths[i] = int64(n)
	}
	if axis < 0 || axis >= t.Rank() {
		nx.AxisSize(t, axis)
	}
	starts[axis], lengths[axis] = c.Args[1], c.Args[2]
	if v, ok := o["strides"]; ok {
		strides[axis] = toInt(v)
	}
	return slicePart(t, starts, lengths, strides)
}

func broadcast(c *recorded) any {
	o, t := c.options("axes", "names"), c.t(0)
	shape := shapeArgument(c.Args[1])
	names := make([]string, len(shape))
	if to, ok := c.Args[1].(nx.Tensor); ok {
		names = to.Names()
	}
	if v, ok := o["names"]; ok {
		names = namesOf(v)
	}
	if v, ok := o["axes"]; ok {
		at := oneOrMore(v)
		if len(at) != t.Rank() || !slices.IsSorted(at) {
			refuse("the axes %v are not in order", at)
		}
		wide := slices.Repeat([]int{1}, len(shape))
		for i, a := range at {
			if a < 0 {
				a += len(shape)
			}
			if a < 0 || a >= len(shape) {
				refuse("axis %d is beyond the shape", a)
			}
			wide[a] = t.Shape()[i]
		}
		t = nx.Reshape(t, wide...)
	}
	if to, ok := c.Args[1].(nx.Tensor); ok && len(to.Vectors()) > 0 {
		t = nx.BroadcastVectors(t, to)[0]
	}
	return nx.Rename(nx.BroadcastTo(nx.Rename(t), shape...), names...)
}

func vectorizeBy(c *recorded, t nx.Tensor) nx.Tensor {
	if len(c.Args) > 1 && len(c.Opts) == 0 {
		if list, ok := c.Args[1].([]any); ok && len(list) == 0 {
			return t
		}
	}
	var want []nx.VectorAxis
	add := func(name string, size int) { want = append(want, nx.VectorAxis{Name: name, Size: size}) }
	for _, o := range c.Opts {
		add(o.key, toInt(o.value))
	}
	if len(c.Args) > 1 {
		switch v := c.Args[1].(type) {
		case atom:
			add(string(v), -1)
		case pairs:
			for _, p := range v {
				add(p.key, toInt(p.value))
			}
		case []any:
			for _, x := range v {
				switch x := x.(type) {
				case atom:
					add(string(x), -1)
				case tuple:
					add(string(x[0].(atom)), toInt(x[1]))
				default:
					refuse("%v is not an axis", x)
				}
			}
		}
	}
	var names []string
	for i, v := range want {
		if v.Size >= 0 && i < t.Rank() && t.Shape()[i] != v.Size {
			refuse("axis %s has another size", v.Name)
		}
		names = append(names, v.Name)
	}
	return nx.Vectorize(t, names...)
}

func revectorize(c *recorded) any {
	t := c.t(0)
	o := map[string]any{}
	var vectors []nx.VectorAxis
	size := func(v any) int {
		if v == atom("auto") {
			return -1
		}
		return toInt(v)
	}
	for _, x := range c.Opts {
		if x.key == "target_shape" || x.key == "target_names" {
			o[x.key] = x.value
		} else {
			vectors = append(vectors, nx.VectorAxis{Name: x.key, Size: size(x.value)})
		}
	}
	if len(c.Args) > 1 {
		if p, ok := c.Args[1].(pairs); ok {
			for _, x := range p {
				vectors = append(vectors, nx.VectorAxis{Name: x.key, Size: size(x.value)})
			}
		}
	}
	var dims []int
	if v, ok := o["target_shape"].(tuple); ok {
		for _, x := range v {
			dims = append(dims, size(x))
		}
	} else {
		dims = t.Shape()
		if !slices.ContainsFunc(vectors, func(v nx.VectorAxis) bool { return v.Size < 0 }) {
			n := 1
			for _, v := range append(t.Vectors(), []nx.VectorAxis{}...) {
				n *= v.Size
			}
			for _, v := range vectors {
				n /= max(v.Size, 1)
			}
			if n != 1 {
				dims = []int{-1}
			}
		}
	}
	return named(nx.Revectorize(t, vectors, dims...), o["target_names"])
}

// aligned returns tensors common vectorised axes; align_ranks adds axes of size 1.
func aligned(c *recorded, f func(ts ...nx.Tensor) []nx.Tensor) any {
	o, ts := c.options("align_ranks"), tensorsOf(c.Args[0])
	out := f(ts...)
	if isTrue(o["align_ranks"]) && len(out[0].Vectors()) > 0 {
		rank := 0
		for _, t := range out {
			rank = max(rank, t.Rank())
		}
		for i, t := range out {
			for t.Rank() < rank {
				t = nx.ExpandAxis(t)
			}
			out[i] = t
		}
	}
	list := []any{}
	for _, t := range out {
		list = append(list, t)
	}
	return list
}

// carryFirst returns a function of Nx on an element and what was made of the ones before, as package nx calls it.
func carryFirst(f func(x, acc nx.Tensor) nx.Tensor) func(acc, x nx.Tensor) nx.Tensor {
	return func(acc, x nx.Tensor) nx.Tensor { return f(x, acc) }
}
