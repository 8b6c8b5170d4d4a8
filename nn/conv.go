package nn

import (
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/random"
)

// ConvOption is an option of [NewConv] and [NewConvTranspose].
type ConvOption interface{ conv(*convOptions) }

// WindowOption is an option of convolutions and of pools: where windows are.
type WindowOption interface {
	ConvOption
	PoolOption
}

type convOptions struct {
	paramOptions
	strides, dilation, outputPadding []int
	padding                          [][2]int
	same                             bool
	groups                           int
	mode                             nx.PadMode
	modeSet                          bool
}

type strideOption []int
type dilationOption []int
type padOption [][2]int
type outputPadOption []int
type groupsOption int
type padModeOption nx.PadMode
type sameOption bool

// Stride moves windows by n elements along each axis, or along all if it is one number. Pools have the size of the
// window without it.
func Stride(n ...int) WindowOption { return strideOption(n) }

// Dilation spreads the elements of a window: neighbours are n elements apart.
func Dilation(n ...int) WindowOption { return dilationOption(n) }

// Pad pads each axis by n elements before and after, or all axes if it is one number.
func Pad(n ...int) WindowOption {
	o := make(padOption, len(n))
	for i, v := range n {
		o[i] = [2]int{v, v}
	}
	return o
}

// PadLowHigh pads each axis by numbers of elements before and after it.
func PadLowHigh(lohi ...[2]int) WindowOption { return padOption(lohi) }

// OutputPad makes the result of a [ConvTranspose] larger at its ends.
func OutputPad(n ...int) ConvOption { return outputPadOption(n) }

// Groups divides channels into n groups with kernels of their own: with a group per channel the convolution is
// depthwise.
func Groups(n int) ConvOption { return groupsOption(n) }

// PadMode fills the padding of a [Conv] by nx.PadReflect, nx.PadEdge or nx.PadWrap; without it by zeros.
func PadMode(m nx.PadMode) ConvOption { return padModeOption(m) }

// SamePadding pads so that the result has ⌈n/stride⌉ elements; the odd one goes to the end, as in Keras, and for a
// stride of 1 in PyTorch.
const SamePadding sameOption = true

func (o strideOption) conv(c *convOptions)    { c.strides = o }
func (o dilationOption) conv(c *convOptions)  { c.dilation = o }
func (o padOption) conv(c *convOptions)       { c.padding = o }
func (o outputPadOption) conv(c *convOptions) { c.outputPadding = o }
func (o groupsOption) conv(c *convOptions)    { c.groups = int(o) }
func (o padModeOption) conv(c *convOptions)   { c.mode, c.modeSet = nx.PadMode(o), true }
func (sameOption) conv(c *convOptions)        { c.same = true }
func (o initOption) conv(c *convOptions)      { o.linear(&c.paramOptions) }
func (o dtypeOption) conv(c *convOptions)     { o.linear(&c.paramOptions) }
func (o noBias) conv(c *convOptions)          { o.linear(&c.paramOptions) }

// Conv is a convolution over one to three axes, or more.
type Conv struct {
	Weight nx.Tensor // [out, in/groups, k…]
	Bias   nx.Tensor // [out], or absent

	Strides, Dilation []int
	Padding           [][2]int
	Same              bool // Padding follows from the size of the argument
	Groups            int
	Mode              nx.PadMode // of the padding, if ByMode
	ByMode            bool
}

// each returns n numbers, of n or of one for all; other where there is none.
func each(op, name string, list []int, n, other, least int) []int {
	switch len(list) {
	case 0:
		return slices.Repeat([]int{other}, n)
	case 1:
		list = slices.Repeat(list, n)
	}
	if len(list) != n || slices.Min(list) < least {
		panic(diag.New(nx.ErrArgument, op, "give one number, or one for each axis", "%s is %v for %d axes", name, list,
			n))
	}
	return slices.Clone(list)
}

// pads returns n pairs, of n or of one for all.
func pads(op string, list [][2]int, n int) [][2]int {
	switch len(list) {
	case 0:
		return make([][2]int, n)
	case 1:
		list = slices.Repeat(list, n)
	}
	if len(list) != n {
		panic(diag.New(nx.ErrArgument, op, "give one number, or one for each axis", "padding is %v for %d axes", list,
			n))
	}
	return slices.Clone(list)
}

func newConvOptions(op string, in, out int, size []int, opts []ConvOption) convOptions {
	o := convOptions{paramOptions: paramOptions{weight: LeCunNormal, bias: Zeros, dtype: nx.F32}, groups: 1}
	for _, opt := range opts {
		if opt != nil {
			opt.conv(&o)
		}
	}
	positive(op, "in", in)
	positive(op, "out", out)
	positive(op, "groups", o.groups)
	if len(size) == 0 || slices.Min(size) < 1 {
		panic(diag.New(nx.ErrArgument, op, "", "the kernel must have a size for each axis, got %v", size))
	}
	if in%o.groups != 0 || out%o.groups != 0 {
		panic(diag.New(nx.ErrArgument, op, "", "%d and %d channels cannot be divided into %d groups", in, out,
			o.groups))
	}
	o.strides = each(op, "stride", o.strides, len(size), 1, 1)
	o.dilation = each(op, "dilation", o.dilation, len(size), 1, 1)
	o.outputPadding = each(op, "output padding", o.outputPadding, len(size), 0, 0)
	o.padding = pads(op, o.padding, len(size))
	return o
}

// NewConv returns a convolution from in to out channels with a kernel of a size, one number per axis. Weights are drawn
// by [LeCunNormal], whose fan is the number of products of a sum; biases are 0. Options: [Stride], [Pad], [PadLowHigh],
// [SamePadding], [PadMode], [Dilation], [Groups], [NoBias], [Init], [DType].
func NewConv(key nx.Tensor, in, out int, size []int, opts ...ConvOption) *Conv {
	o := newConvOptions("NewConv", in, out, size, opts)
	l := &Conv{Strides: o.strides, Dilation: o.dilation, Padding: o.padding, Same: o.same, Groups: o.groups,
		Mode: o.mode, ByMode: o.modeSet}
	field := product(size)
	fan := Fan{In: in / o.groups * field, Out: out / o.groups * field}
	keys := random.Split(key, 2)
	l.Weight = o.weight(keys.At(0), append(nx.Shape{out, in / o.groups}, size...), fan, o.dtype)
	if !o.noBias {
		l.Bias = o.bias(keys.At(1), nx.Shape{out}, fan, o.dtype)
	}
	return l
}

func product(list []int) int {
	n := 1
	for _, v := range list {
		n *= v
	}
	return n
}

// Apply convolves a batch, or one example without the axis of batches.
//
// Shapes: x [batch, in, n…] → [batch, out, m…] with m = (n + lo + hi - (k-1)·dilation - 1)/stride + 1. DTypes: floats;
// x is rounded to the type of a weight of 16 bits or fewer. Gradient: forward and reverse. Accuracy: that of [nx.Conv].
func (l *Conv) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	defer c.named(l)
	x, single := batched("Conv", x, l.Weight.Rank()-2)
	size := l.Weight.Shape()[2:]
	padding := l.Padding
	if l.Same {
		padding = samePadding(x.Shape()[2:], size, l.Strides, l.Dilation)
	}
	if l.ByMode {
		x = nx.PadWith(x, l.Mode, append(make([][2]int, 2), padding...)...)
		padding = make([][2]int, len(size))
	}
	y := nx.Conv(narrowed(x, l.Weight), l.Weight, nx.Strides(l.Strides...), nx.Padding(padding...),
		nx.Dilation(l.Dilation...), nx.FeatureGroups(l.Groups))
	return unbatched(affine("Conv", y, nx.Tensor{}, l.Bias), single)
}

// batched adds the axis of batches to an example.
func batched(op string, x nx.Tensor, spatial int) (y nx.Tensor, single bool) {
	switch x.Rank() {
	case spatial + 2:
		return x, false
	case spatial + 1:
		return nx.ExpandAxis(x, nx.Axis(0)), true
	}
	panic(diag.New(nx.ErrShape, op, "the axes are [batch, channels, …]",
		"the argument must have %d axes, got %v", spatial+2, x.Shape()))
}

func unbatched(x nx.Tensor, single bool) nx.Tensor {
	if single {
		return nx.Squeeze(x, nx.Axis(0))
	}
	return x
}

// samePadding is the padding for ⌈n/stride⌉ results.
func samePadding(shape, size, strides, dilation []int) [][2]int {
	list := make([][2]int, len(size))
	for i, n := range shape {
		m := (n + strides[i] - 1) / strides[i]
		total := max((m-1)*strides[i]+(size[i]-1)*dilation[i]+1-n, 0)
		list[i] = [2]int{total / 2, total - total/2}
	}
	return list
}

// ConvTranspose is the transpose of a convolution: its gradient by the argument. It makes pictures larger.
type ConvTranspose struct {
	Weight nx.Tensor // [in, out/groups, k…]
	Bias   nx.Tensor // [out], or absent

	Strides, Dilation, OutputPadding []int
	Padding                          [][2]int
	Groups                           int
}

// NewConvTranspose returns a transposed convolution from in to out channels. Options: [Stride], [Pad], [PadLowHigh],
// [OutputPad], [Dilation], [Groups], [NoBias], [Init], [DType].
func NewConvTranspose(key nx.Tensor, in, out int, size []int, opts ...ConvOption) *ConvTranspose {
	o := newConvOptions("NewConvTranspose", in, out, size, opts)
	if o.same || o.modeSet {
		panic(diag.New(nx.ErrArgument, "NewConvTranspose", "give the padding by nn.Pad",
			"nn.SamePadding and nn.PadMode are options of convolutions that are not transposed"))
	}
	l := &ConvTranspose{Strides: o.strides, Dilation: o.dilation, OutputPadding: o.outputPadding, Padding: o.padding,
		Groups: o.groups}
	field := product(size)
	results := out / o.groups * field
	fan := Fan{In: in / o.groups * field, Out: results, PyTorch: results}
	keys := random.Split(key, 2)
	l.Weight = o.weight(keys.At(0), append(nx.Shape{in, out / o.groups}, size...), fan, o.dtype)
	if !o.noBias {
		l.Bias = o.bias(keys.At(1), nx.Shape{out}, fan, o.dtype)
	}
	return l
}

// Apply computes the transposed convolution of a batch, or of one example without the axis of batches.
//
// Shapes: x [batch, in, n…] → [batch, out, m…] with m = (n-1)·stride - lo - hi + (k-1)·dilation + 1 + output padding.
// DTypes: floats; x is rounded to the type of a weight of 16 bits or fewer. Gradient: forward and reverse. Accuracy:
// that of [nx.Conv].
func (l *ConvTranspose) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	defer c.named(l)
	shape := l.Weight.Shape()
	size := shape[2:]
	x, single := batched("ConvTranspose", x, len(size))
	// The kernel as that of a convolution: groups·out/groups channels of in/groups, its axes reversed.
	g := l.Groups
	w := nx.Reshape(l.Weight, append(nx.Shape{g, shape[0] / g, shape[1]}, size...)...)
	order := []int{0, 2, 1}
	var spatial []int
	for i := range size {
		order = append(order, 3+i)
		spatial = append(spatial, 2+i)
	}
	w = nx.Reshape(nx.Transpose(w, nx.Axis(order...)), append(nx.Shape{g * shape[1], shape[0] / g}, size...)...)
	w = nx.Reverse(w, nx.Axis(spatial...))
	padding := make([][2]int, len(size))
	for i, k := range size {
		wide := (k - 1) * l.Dilation[i]
		padding[i] = [2]int{wide - l.Padding[i][0], wide - l.Padding[i][1] + l.OutputPadding[i]}
	}
	y := nx.Conv(narrowed(x, w), w, nx.InputDilation(l.Strides...), nx.Padding(padding...), nx.Dilation(l.Dilation...),
		nx.FeatureGroups(g))
	return unbatched(affine("ConvTranspose", y, nx.Tensor{}, l.Bias), single)
}

// Bilinear is x₁ᵀ·W·x₂ + b for each result.
type Bilinear struct {
	Weight nx.Tensor // [out, in1, in2]
	Bias   nx.Tensor // [out], or absent
}

// NewBilinear returns a layer of two arguments. Weights are drawn by [LeCunNormal] for in1·in2 products. Options:
// [NoBias], [Init], [DType].
func NewBilinear(key nx.Tensor, in1, in2, out int, opts ...LinearOption) *Bilinear {
	o := paramOptions{weight: LeCunNormal, bias: Zeros, dtype: nx.F32}
	for _, opt := range opts {
		if opt != nil {
			opt.linear(&o)
		}
	}
	positive("NewBilinear", "in1", in1)
	positive("NewBilinear", "in2", in2)
	positive("NewBilinear", "out", out)
	keys := random.Split(key, 2)
	fan := Fan{In: in1 * in2, Out: out, PyTorch: in1}
	l := &Bilinear{Weight: o.weight(keys.At(0), nx.Shape{out, in1, in2}, fan, o.dtype)}
	if !o.noBias {
		l.Bias = o.bias(keys.At(1), nx.Shape{out}, fan, o.dtype)
	}
	return l
}

// Apply2 computes the layer.
//
// Shapes: x […, in1], y […, in2] → […, out]. DTypes: floats. Gradient: forward and reverse.
func (l *Bilinear) Apply2(c *Ctx, x, y nx.Tensor) nx.Tensor {
	defer c.named(l)
	z := nx.Einsum("...i,oij,...j->...o", narrowed(x, l.Weight), l.Weight, narrowed(y, l.Weight))
	if !l.Bias.IsZero() {
		z = nx.Add(z, l.Bias)
	}
	return z
}
