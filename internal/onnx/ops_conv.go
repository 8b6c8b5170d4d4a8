package onnx

import (
	"slices"

	"github.com/go-nx/nx/internal/core"
)

// convRows are convolutions and what pools windows.
func convRows() []row {
	return append(poolRows(),
		single("Conv", conv),
		single("ConvTranspose", convTranspose),
		single("DeformConv", deformConv),
		row{op: "CausalConvWithState", run: causalConv},
	)
}

// windows says how windows of a node move over its spatial axes.
type windows struct {
	size, strides, dilations []int
	pads                     [][2]int
	auto                     string
	ceil                     bool
}

// windowsOf reads the attributes of windows of a size over axes.
func (n *node) windowsOf(spatial, size []int) windows {
	w := windows{size: size, auto: n.attrString("auto_pad", "NOTSET"), ceil: n.attrBool("ceil_mode")}
	k := len(spatial)
	each := func(name string) []int {
		list := n.attrInts(name)
		if len(list) == 0 {
			list = slices.Repeat([]int{1}, k)
		}
		if len(list) != k {
			n.fail("%s has %d numbers for %d spatial axes", name, len(list), k)
		}
		for _, v := range list {
			if v < 1 || v > maxWindow {
				n.fail("%s has the number %d", name, v)
			}
		}
		return list
	}
	if len(size) != k {
		n.fail("kernel_shape has %d numbers for %d spatial axes", len(size), k)
	}
	for _, v := range size {
		if v < 1 || v > maxWindow {
			n.fail("a window has the size %d", v)
		}
	}
	w.strides, w.dilations = each("strides"), each("dilations")
	w.pads = make([][2]int, k)
	if list := n.attrInts("pads"); len(list) > 0 && (w.auto == "NOTSET" || w.auto == "") {
		if len(list) != 2*k {
			n.fail("pads has %d numbers for %d spatial axes", len(list), k)
		}
		for i := range k {
			w.pads[i] = [2]int{list[i], list[k+i]}
			if max(list[i], list[k+i]) > maxPad || min(list[i], list[k+i]) < -maxPad {
				n.fail("pads has the numbers %d and %d", list[i], list[k+i])
			}
		}
	}
	return w
}

// maxWindow bounds sizes and strides of windows, maxPad their pads.
const (
	maxWindow = 1 << 30
	maxPad    = 1 << 20
)

// extent is how many elements of axis i a window spans.
func (w windows) extent(i int) int { return (w.size[i]-1)*w.dilations[i] + 1 }

// same sets the pads that auto_pad asks for.
func (w windows) same(spatial []int) windows {
	if w.auto != "SAME_UPPER" && w.auto != "SAME_LOWER" {
		return w
	}
	for i, d := range spatial {
		out := (d + w.strides[i] - 1) / w.strides[i]
		total := max((out-1)*w.strides[i]+w.extent(i)-d, 0)
		if w.pads[i][0] = total / 2; w.auto == "SAME_LOWER" {
			w.pads[i][0] = (total + 1) / 2
		}
		w.pads[i][1] = total - w.pads[i][0]
	}
	return w
}

// halves splits pads; upper says that the end has the odd one.
func halves(total int, upper bool) [2]int {
	small := total >> 1
	if upper {
		return [2]int{small, total - small}
	}
	return [2]int{total - small, small}
}

// options are the windows as options of an op of the core, for axes after the first lead ones.
func (w windows) options(lead int) []core.WindowOption {
	ones := slices.Repeat([]int{1}, lead)
	return []core.WindowOption{core.Strides(slices.Concat(ones, w.strides)...),
		core.Dilation(slices.Concat(ones, w.dilations)...),
		core.Padding(slices.Concat(make([][2]int, lead), w.pads)...)}
}

// image returns the spatial axes of an operand that has the batch and channels before them.
func (n *node) image(x core.Tensor) []int {
	if x.Rank() < 3 {
		n.fail("the operand has the rank %d; it has axes of the batch, of channels, and spatial ones", x.Rank())
	}
	return dims(x)[2:]
}

// kernelOf returns the spatial axes of a kernel, which kernel_shape repeats.
func (n *node) kernelOf(x, w core.Tensor) []int {
	if w.Rank() != x.Rank() {
		n.fail("the operand has the rank %d, the kernel %d", x.Rank(), w.Rank())
	}
	size := dims(w)[2:]
	if list := n.attrInts("kernel_shape"); len(list) > 0 && !slices.Equal(list, size) {
		n.fail("kernel_shape is %v, the kernel has %v", list, size)
	}
	return size
}

// conv is Conv: X[N,C,…] * W[M,C/group,…] + B[M].
func conv(n *node) core.Tensor {
	x, w := n.in(0), n.in(1)
	spatial := n.image(x)
	win := n.windowsOf(spatial, n.kernelOf(x, w)).same(spatial)
	opts := []core.ConvOption{core.FeatureGroups(n.attrInt("group", 1))}
	for _, o := range win.options(0) {
		opts = append(opts, o)
	}
	if last, ok := n.kernelLast(1); ok {
		kernel := []int{w.Rank() - 1, w.Rank() - 2}
		for i := range w.Rank() - 2 {
			kernel = append(kernel, i)
		}
		w, opts = last, append(opts, core.Layout(nil, kernel, nil))
	}
	return n.biased(core.Conv(x, w, opts...), 2)
}

// kernelLast returns a kernel that is a weight of the file with its features last, as the compiler multiplies by it: it
// would transpose it in each call.
func (n *node) kernelLast(i int) (core.Tensor, bool) {
	v := n.value(i)
	if n.atOnce || n.m == nil || v.file == nil || v.opaque || core.IsTraced(v.t) {
		return core.Tensor{}, false
	}
	return n.use(Value{t: n.p.featuresLast(v)}), true
}

// biased adds an optional operand with a number for each channel.
func (n *node) biased(y core.Tensor, operand int) core.Tensor {
	b, ok := n.opt(operand)
	if !ok {
		return y
	}
	return core.Add(y, perChannel(b, y.Rank()))
}

// perChannel aligns a vector with axis 1 of tensors of a rank.
func perChannel(t core.Tensor, rank int) core.Tensor {
	shape := slices.Repeat([]int{1}, rank)
	shape[1] = t.Size()
	return core.Reshape(t, shape...)
}

// convTranspose is ConvTranspose: the gradient of a convolution with the kernel W[C,M/group,…] for its input, which is
// a convolution of what has gaps of the strides by the reversed kernel.
func convTranspose(n *node) core.Tensor {
	x, w := n.in(0), n.in(1)
	spatial := n.image(x)
	k := len(spatial)
	win := n.windowsOf(spatial, n.kernelOf(x, w))
	extra := n.attrInts("output_padding")
	if len(extra) == 0 {
		extra = make([]int, k)
	}
	want := n.attrInts("output_shape")
	if len(want) == k+2 { // of early models
		want = want[2:]
	}
	if len(want) == 0 && (win.auto == "SAME_UPPER" || win.auto == "SAME_LOWER") {
		for i, d := range spatial {
			want = append(want, d*win.strides[i])
		}
	}
	if len(extra) < k || len(want) != 0 && len(want) != k {
		n.fail("output_padding has %d numbers, output_shape %d, for %d spatial axes", len(extra), len(want), k)
	}
	pads, shape := make([][2]int, k), dims(x)[:1:1]
	shape = append(shape, n.attrInt("group", 1)*dims(w)[1])
	for i, d := range spatial {
		if extra[i] < 0 || extra[i] > maxPad {
			n.fail("output_padding has the number %d", extra[i])
		}
		if len(want) > 0 {
			total := win.strides[i]*(d-1) + extra[i] + win.extent(i) - want[i]
			win.pads[i] = halves(total, win.auto == "SAME_UPPER")
		}
		// The kernel reaches over the ends by all of its elements but one.
		pads[i] = [2]int{win.extent(i) - 1 - win.pads[i][0], win.extent(i) - 1 - win.pads[i][1] + extra[i]}
		shape = append(shape, win.strides[i]*(d-1)+1+pads[i][0]+pads[i][1]-win.extent(i)+1)
	}
	axes, plain := make([]int, k), make([]int, k+2)
	for i := range axes {
		axes[i] = i + 2
	}
	for i := range plain {
		plain[i] = i
	}
	w = core.Reverse(w, core.Axis(axes...))
	kernel := slices.Clone(plain)
	kernel[0], kernel[1] = 1, 0
	groups := n.attrInt("group", 1)
	if groups > 1 {
		w, kernel = swapGroups(w, groups), plain
	}
	y := core.Conv(n.expanded(x, shape), w, core.FeatureGroups(groups), core.InputDilation(win.strides...),
		core.Dilation(win.dilations...), core.Padding(pads...), core.Layout(plain, kernel, plain))
	return n.biased(y, 2)
}

// swapGroups makes [M,C/groups,…] of [C,M/groups,…].
func swapGroups(w core.Tensor, groups int) core.Tensor {
	shape := dims(w)
	c, m := shape[0], shape[1]
	w = core.Reshape(w, slices.Concat([]int{groups, c / groups, m}, shape[2:])...)
	order := []int{0, 2, 1}
	for i := range shape[2:] {
		order = append(order, i+3)
	}
	return core.Reshape(core.Transpose(w, core.Axis(order...)), slices.Concat([]int{groups * m, c / groups},
		shape[2:])...)
}

// causalConv is CausalConvWithState: a convolution of each channel by itself, that sees what came before: the state,
// which are the last elements.
func causalConv(n *node) []Value {
	x, w := n.in(0), n.in(1)
	if x.Rank() != 3 || w.Rank() != 3 {
		n.fail("the operands have the ranks %d and %d, not 3", x.Rank(), w.Rank())
	}
	k := dims(w)[2]
	state, ok := n.opt(3)
	if !ok {
		state = core.Zeros(core.Shape{dims(x)[0], dims(x)[1], max(k-1, 0)}, x.DType())
	}
	all := core.Concatenate([]core.Tensor{state, x}, core.Axis(2))
	y := n.biased(core.Conv(all, w, core.FeatureGroups(dims(x)[1])), 2)
	switch activation := n.attrString("activation", "none"); activation {
	case "none", "":
	case "silu", "swish":
		y = sameType(core.Silu(wideFloat(y)), y.DType())
	default:
		n.fail("the activation %q", activation)
	}
	last := dims(all)[2]
	return tensors(y, all.At(core.Ellipsis, core.Range(last-(k-1), last)))
}

// deformConv is DeformConv: a convolution of elements at positions that operands move, between which it interpolates;
// outside of the tensor are zeros. A mask weighs them.
func deformConv(n *node) core.Tensor {
	x, w, offset := n.in(0), n.in(1), n.in(2)
	spatial := n.image(x)
	win := n.windowsOf(spatial, n.kernelOf(x, w))
	groups, moved := n.attrInt("group", 1), n.attrInt("offset_group", 1)
	batch, channels, rank := dims(x)[0], dims(x)[1], len(spatial)
	if offset.Rank() != rank+2 || groups < 1 || moved < 1 || channels%moved != 0 || dims(w)[0]%groups != 0 ||
		dims(w)[1]*groups != channels || dims(offset)[1] != moved*product(win.size)*rank {
		n.fail("the shapes %v, %v and %v do not fit %d groups and %d groups of offsets", dims(x), dims(w), dims(offset),
			groups, moved)
	}
	out := dims(offset)[2:]
	taps, places := product(win.size), product(out)
	d := wideFloat(x).DType()
	x, w = sameType(x, d), sameType(w, d)
	// Positions are [batch, moved, taps, places] for each axis.
	offset = core.Reshape(sameType(offset, d), batch, moved, taps, rank, places)
	image := core.Reshape(x, batch, moved, channels/moved, product(spatial))
	low, part := make([]core.Tensor, rank), make([]core.Tensor, rank)
	positions := indicesOf(out)
	for i := range rank {
		base := make([]float64, taps*places)
		for t, tap := range indicesOf(win.size) {
			for p, place := range positions {
				base[t*places+p] = float64(place[i]*win.strides[i] - win.pads[i][0] + tap[i]*win.dilations[i])
			}
		}
		at := core.Add(offset.At(core.Ellipsis, i, core.Range(0, places)),
			core.Cast(core.FromSlice(base, core.Shape{taps, places}), d))
		low[i] = core.Floor(at)
		part[i] = core.Sub(at, low[i])
	}
	var columns core.Tensor
	for corner := range 1 << rank {
		var index, weight core.Tensor
		for i := range rank {
			at, share := low[i], core.Sub(1, part[i])
			if corner>>i&1 != 0 {
				at, share = core.Add(low[i], 1), part[i]
			}
			inside := core.LogicalAnd(core.GreaterEqual(at, 0), core.LessEqual(at, spatial[i]-1))
			share = core.Where(inside, share, 0)
			at = core.Cast(core.Clip(at, 0, spatial[i]-1), core.S32)
			if i == 0 {
				index, weight = at, share
				continue
			}
			index, weight = core.Add(core.Mul(index, spatial[i]), at), core.Mul(weight, share)
		}
		// All channels of a group move alike.
		shape := []int{batch, moved, channels / moved, taps * places}
		index = core.BroadcastTo(core.Reshape(index, batch, moved, 1, taps*places), shape...)
		v := core.Mul(core.TakeAlong(image, index, core.Axis(3)), core.Reshape(weight, batch, moved, 1, taps*places))
		if corner == 0 {
			columns = v
		} else {
			columns = core.Add(columns, v)
		}
	}
	if mask, ok := n.opt(4); ok {
		columns = core.Mul(columns, core.Reshape(sameType(mask, d), batch, moved, 1, taps*places))
	}
	columns = core.Reshape(columns, batch, groups, channels/groups, taps, places)
	kernels := dims(w)[0]
	w = core.Reshape(w, groups, kernels/groups, channels/groups, taps)
	y := core.DotGeneral(w, columns, core.DotDims{BatchA: []int{0}, BatchB: []int{1}, ContractA: []int{2, 3},
		ContractB: []int{2, 3}}) // [groups, kernels/groups, batch, places]
	y = core.Reshape(core.Transpose(y, core.Axis(2, 0, 1, 3)), slices.Concat([]int{batch, kernels}, out)...)
	return n.biased(sameType(y, n.in(0).DType()), 3)
}

// indicesOf returns the index of each element of a shape.
func indicesOf(shape []int) [][]int {
	list := make([][]int, product(shape))
	for i := range list {
		list[i] = make([]int, len(shape))
		rest := i
		for k := len(shape) - 1; k >= 0; k-- {
			list[i][k], rest = rest%shape[k], rest/shape[k]
		}
	}
	return list
}
