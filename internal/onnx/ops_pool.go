package onnx

import (
	"math"
	"slices"

	"github.com/go-nx/nx/internal/core"
)

// poolRows reduce windows, or all of the spatial axes.
func poolRows() []row {
	return []row{
		single("AveragePool", averagePool),
		{op: "MaxPool", run: maxPool},
		single("LpPool", lpPool),
		single("MaxUnpool", maxUnpool),
		single("GlobalAveragePool", func(n *node) core.Tensor {
			x := n.in(0)
			return sameType(core.Mean(wideFloat(x), n.spatialAxes(x), core.KeepAxes), x.DType())
		}),
		single("GlobalMaxPool", func(n *node) core.Tensor {
			x := n.in(0)
			return core.Max(x, n.spatialAxes(x), core.KeepAxes)
		}),
		single("GlobalLpPool", func(n *node) core.Tensor {
			x := n.in(0)
			p := n.power()
			sum := core.Sum(powered(wideFloat(x), p), n.spatialAxes(x), core.KeepAxes)
			return sameType(powered(sum, 1/p), x.DType())
		}),
	}
}

// spatialAxes are those after the batch and channels.
func (n *node) spatialAxes(x core.Tensor) core.AxisOption {
	axes := make([]int, len(n.image(x)))
	for i := range axes {
		axes[i] = i + 2
	}
	return core.Axis(axes...)
}

// poolWindows reads the windows of a pool. The pads at the ends become those that the windows reach: more where the
// number of windows is rounded up, less where there is a rest. padded are those of the attributes.
func (n *node) poolWindows(x core.Tensor) (w windows, padded [][2]int) {
	spatial := n.image(x)
	w = n.windowsOf(spatial, n.attrInts("kernel_shape")).same(spatial)
	padded = slices.Clone(w.pads)
	for i, d := range spatial {
		room := d + w.pads[i][0] + w.pads[i][1] - w.extent(i)
		if room < 0 {
			n.fail("a window spans %d elements of an axis of %d with its pads", w.extent(i), room+w.extent(i))
		}
		out := room/w.strides[i] + 1
		if w.ceil && room%w.strides[i] != 0 && out*w.strides[i] < d+w.pads[i][0] {
			out++ // a last window that begins before the end
		}
		w.pads[i][1] = (out-1)*w.strides[i] + w.extent(i) - d - w.pads[i][0]
	}
	return w, padded
}

// window is the size of windows as an op of the core takes it.
func (w windows) window() []int { return append([]int{1, 1}, w.size...) }

// averagePool is AveragePool: the mean of the elements of each window, those of the pads as zeros or left out.
func averagePool(n *node) core.Tensor {
	x := n.in(0)
	spatial := n.image(x)
	w, padded := n.poolWindows(x)
	sum := core.WindowSum(wideFloat(x), w.window(), w.options(2)...)
	d := sum.DType()
	counted := n.attrBool("count_include_pad")
	full, counts := true, make([][]float64, len(spatial))
	for i, size := range spatial {
		lo, hi := 0, size // the elements that count
		if counted {
			lo, hi = -padded[i][0], size+padded[i][1]
		}
		counts[i] = make([]float64, dims(sum)[i+2])
		for o := range counts[i] {
			start := o*w.strides[i] - w.pads[i][0]
			before := func(end int) int { return min(max((end-start+w.dilations[i]-1)/w.dilations[i], 0), w.size[i]) }
			counts[i][o] = float64(before(hi) - before(lo))
			full = full && counts[i][o] == float64(w.size[i])
		}
	}
	if full {
		return sameType(core.Div(sum, float64(product(w.size))), x.DType())
	}
	var count core.Tensor
	for i, list := range counts {
		c := onAxis(core.Cast(core.FromSlice(list, core.Shape{len(list)}), d), i+2, x.Rank())
		if i == 0 {
			count = c
		} else {
			count = core.Mul(count, c)
		}
	}
	return sameType(core.Div(sum, count), x.DType())
}

// onAxis makes a vector an axis of a rank.
func onAxis(t core.Tensor, axis, rank int) core.Tensor {
	shape := slices.Repeat([]int{1}, rank)
	shape[axis] = t.Size()
	return core.Reshape(t, shape...)
}

// power is the attribute p of an Lp pool: a float in version 1.
func (n *node) power() float64 {
	a := n.attr("p")
	switch {
	case a == nil:
		return 2
	case a.Int != 0:
		return float64(a.Int)
	case a.Float != 0:
		return float64(a.Float)
	}
	n.fail("p is 0")
	return 0
}

// powered is |x|^p.
func powered(x core.Tensor, p float64) core.Tensor {
	switch p {
	case 1:
		return core.Abs(x)
	case 2:
		return core.Square(x)
	case 0.5:
		return core.Sqrt(x)
	}
	return core.Pow(core.Abs(x), p)
}

// lpPool is LpPool: (Σ|x|^p)^(1/p) of each window.
func lpPool(n *node) core.Tensor {
	x := n.in(0)
	w, _ := n.poolWindows(x)
	p := n.power()
	sum := core.WindowSum(powered(wideFloat(x), p), w.window(), w.options(2)...)
	return sameType(powered(sum, 1/p), x.DType())
}

// maxPool is MaxPool: the largest element of each window, and where it is in the whole tensor.
func maxPool(n *node) []Value {
	x := n.in(0)
	w, _ := n.poolWindows(x)
	if !n.wants(1) {
		return one(core.WindowMax(x, w.window(), w.options(2)...))
	}
	if product(w.size) > maxTaps {
		n.fail("windows of more than %d elements have no result Indices here", maxTaps)
	}
	spatial := n.image(x)
	k := len(spatial)
	shape, steps := make([]int, k), make([]int, k)
	pads := make([][2]int, k+2)
	step := 1
	for j := range k {
		i := k - 1 - j
		if n.attrInt("storage_order", 0) == 1 {
			i = j
		}
		steps[i] = step
		step *= spatial[i]
	}
	padded := dims(x)
	for i, d := range spatial {
		shape[i] = (d+w.pads[i][0]+w.pads[i][1]-w.extent(i))/w.strides[i] + 1
		pads[i+2] = w.pads[i]
		padded[i+2] += w.pads[i][0] + w.pads[i][1]
	}
	var lowest core.Tensor
	if isFloat(x) {
		lowest = core.Full(core.Shape{}, math.Inf(-1), x.DType())
	} else {
		lowest = core.Full(core.Shape{}, x.DType().MinInt(), x.DType())
	}
	all := core.Pad(x, lowest, pads...)
	// The indices of the first elements of windows, and of the first that are not in the pads, are sums of those of
	// axes.
	start, best := core.Tensor{}, core.Tensor{}
	for i := range k {
		from, first := make([]int, shape[i]), make([]int, shape[i])
		for o := range from {
			at := o*w.strides[i] - w.pads[i][0]
			from[o] = at * steps[i]
			if at < 0 {
				at += (-at + w.dilations[i] - 1) / w.dilations[i] * w.dilations[i]
			}
			first[o] = at * steps[i]
		}
		start = plus(start, onAxis(intsTensor(from), i+2, k+2))
		best = plus(best, onAxis(intsTensor(first), i+2, k+2))
	}
	out := slices.Concat(dims(x)[:2], shape)
	best = core.BroadcastTo(best, out...)
	value := core.BroadcastTo(lowest, out...)
	for _, tap := range indicesOf(w.size) {
		index := make([]any, k+2)
		index[0], index[1] = core.Range(0, out[0]), core.Range(0, out[1])
		delta := 0
		for i, t := range tap {
			at := t * w.dilations[i]
			index[i+2] = core.Range(at, at+(shape[i]-1)*w.strides[i]+1).Step(w.strides[i])
			delta += at * steps[i]
		}
		v := all.At(index...)
		larger := core.Greater(v, value)
		value = core.Where(larger, v, value)
		best = core.Where(larger, core.Add(start, delta), best)
	}
	images := make([]int, out[0]*out[1])
	for i := range images {
		images[i] = i * product(spatial)
	}
	best = core.Add(best, core.Reshape(intsTensor(images), append([]int{out[0], out[1]}, slices.Repeat([]int{1},
		k)...)...))
	return tensors(core.WindowMax(x, w.window(), w.options(2)...), best)
}

// maxTaps bounds the elements of windows in which MaxPool finds the largest one.
const maxTaps = 4096

// plus adds to a sum that may be absent.
func plus(sum, t core.Tensor) core.Tensor {
	if sum.IsZero() {
		return t
	}
	return core.Add(sum, t)
}

// maxUnpool is MaxUnpool: zeros with the elements of an operand at the places that MaxPool found. These are indices of
// the tensor that the windows cover; a larger output_shape adds zeros at its ends.
func maxUnpool(n *node) core.Tensor {
	x, at := n.in(0), n.in(1)
	spatial := n.image(x)
	w := n.windowsOf(spatial, n.attrInts("kernel_shape"))
	shape := dims(x)[:2]
	for i, d := range spatial {
		shape = append(shape, (d-1)*w.strides[i]+w.size[i]-w.pads[i][0]-w.pads[i][1])
		if shape[i+2] < 0 {
			n.fail("the pads %v are larger than the result", w.pads[i])
		}
	}
	zeros := core.Zeros(core.Shape{product(shape)}, x.DType())
	y := core.SetGather(n.expanded(zeros, shape), core.Reshape(at, -1, 1), core.Reshape(x, -1))
	y = core.Reshape(y, shape...)
	if !n.has(2) {
		return y
	}
	want := n.ints(2)
	if len(want) != len(shape) {
		n.fail("output_shape has %d numbers, the result %d axes", len(want), len(shape))
	}
	pads := make([][2]int, len(want))
	for i, d := range want {
		pads[i][1] = d - shape[i]
	}
	return core.Pad(y, 0, pads...)
}
