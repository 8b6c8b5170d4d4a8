package nn

import (
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// NormOption is an option of the norms.
type NormOption interface{ norm(*normOptions) }

type normOptions struct {
	epsilon, momentum        float64
	noAffine, noBias         bool
	statistics, noStatistics bool
	biased, shift            bool
	dtype                    nx.DType
}

func newNormOptions(o normOptions, opts []NormOption) normOptions {
	o.dtype = nx.F32
	for _, opt := range opts {
		if opt != nil {
			opt.norm(&o)
		}
	}
	return o
}

// affine makes the parameters of a norm.
func (o normOptions) affine(shape nx.Shape) (weight, bias nx.Tensor) {
	if o.noAffine {
		return
	}
	weight = nx.Ones(shape, o.dtype)
	if o.shift {
		weight = nx.Zeros(shape, o.dtype)
	}
	if !o.noBias {
		bias = nx.Zeros(shape, o.dtype)
	}
	return weight, bias
}

type epsilonOption float64
type momentumOption float64
type normFlag int

// Epsilon is added to the variance before its root is taken.
func Epsilon(e float64) NormOption { return epsilonOption(e) }

// Momentum is the weight of the past in running averages.
func Momentum(m float64) NormOption { return momentumOption(m) }

const (
	// NoAffine makes a norm without parameters.
	NoAffine normFlag = iota
	// NoStatistics makes a [BatchNorm] without running averages, which uses the statistics of each batch.
	NoStatistics
	// Statistics makes an [InstanceNorm] with running averages, which it uses in inference.
	Statistics
	// Biased records the biased variance of a batch, as Keras and Flax do.
	Biased
	// Shift adds 1 to the weight of an [RMSNorm], as Gemma does: it starts at 0.
	Shift
)

func (o epsilonOption) norm(n *normOptions)  { n.epsilon = float64(o) }
func (o momentumOption) norm(n *normOptions) { n.momentum = float64(o) }
func (o dtypeOption) norm(n *normOptions)    { n.dtype = o.d }
func (noBias) norm(n *normOptions)           { n.noBias = true }
func (o normFlag) norm(n *normOptions) {
	switch o {
	case NoAffine:
		n.noAffine = true
	case NoStatistics:
		n.noStatistics = true
	case Statistics:
		n.statistics = true
	case Biased:
		n.biased = true
	case Shift:
		n.shift = true
	}
}

// LayerNorm normalises the last axes of each example: (x - mean)/√(variance + ε)·Weight + Bias.
//
// Source: J. Ba, J. Kiros, G. Hinton, 2016, arXiv:1607.06450.
type LayerNorm struct {
	Weight, Bias nx.Tensor // of the shape of the normalised axes, or absent
	Shape        nx.Shape  // of the normalised axes
	Epsilon      float64
}

// NewLayerNorm returns a layer that normalises last axes of a shape, with ε = 1e-5. Options: [Epsilon], [NoAffine],
// [NoBias], [DType].
func NewLayerNorm(shape nx.Shape, opts ...NormOption) *LayerNorm {
	o := newNormOptions(normOptions{epsilon: 1e-5}, opts)
	l := &LayerNorm{Shape: slices.Clone(shape), Epsilon: o.epsilon}
	l.Weight, l.Bias = o.affine(shape)
	return l
}

// Apply normalises the last axes.
//
// Shapes: x […, shape…]; the result is like x. DTypes: floats; statistics in f32 at least. Gradient: forward and
// reverse.
// Errors: [nx.ErrShape] for other last axes.
func (l *LayerNorm) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	defer c.named(l)
	axes := lastAxes("LayerNorm", x, l.Shape)
	y := nx.LayerNorm(widen(x), l.Epsilon, nx.Axis(axes...))
	return nx.Cast(scaleShift(y, l.Weight, l.Bias), x.DType())
}

func scaleShift(x, weight, bias nx.Tensor) nx.Tensor {
	if !weight.IsZero() {
		x = nx.Mul(x, weight)
	}
	if !bias.IsZero() {
		x = nx.Add(x, bias)
	}
	return x
}

// lastAxes returns the last axes of x, which have a shape.
func lastAxes(op string, x nx.Tensor, shape nx.Shape) (axes []int) {
	from := x.Rank() - len(shape)
	if len(shape) == 0 || from < 0 || !slices.Equal(x.Shape()[from:], shape) {
		panic(diag.New(nx.ErrShape, op, "", "the last axes must be %v, the argument is %v", shape, x.Shape()))
	}
	for i := range shape {
		axes = append(axes, from+i)
	}
	return axes
}

// RMSNorm divides the last axes of each example by their root mean square: x/√(mean x² + ε)·Weight.
//
// Source: B. Zhang, R. Sennrich, 2019, arXiv:1910.07467.
type RMSNorm struct {
	Weight  nx.Tensor // of the shape of the normalised axes, or absent
	Shape   nx.Shape  // of the normalised axes
	Epsilon float64
	Shift   bool // the factor is 1 + Weight
}

// NewRMSNorm returns a layer that normalises last axes of a shape, with ε = 1e-6. Options: [Epsilon], [NoAffine],
// [Shift], [DType].
func NewRMSNorm(shape nx.Shape, opts ...NormOption) *RMSNorm {
	o := newNormOptions(normOptions{epsilon: 1e-6, noBias: true}, opts)
	l := &RMSNorm{Shape: slices.Clone(shape), Epsilon: o.epsilon, Shift: o.shift}
	l.Weight, _ = o.affine(shape)
	return l
}

// Apply normalises the last axes.
//
// Shapes: x […, shape…]; the result is like x. DTypes: floats; computed in f32 at least. Gradient: forward and reverse.
// Errors: [nx.ErrShape] for other last axes.
func (l *RMSNorm) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	defer c.named(l)
	axes := lastAxes("RMSNorm", x, l.Shape)
	z := widen(x)
	y := nx.Mul(z, nx.Rsqrt(nx.Add(nx.Mean(nx.Square(z), nx.Axis(axes...), nx.KeepAxes), l.Epsilon)))
	w := l.Weight
	if l.Shift && !w.IsZero() {
		w = nx.Add(w, 1)
	}
	return nx.Cast(scaleShift(y, w, nx.Tensor{}), x.DType())
}

// GroupNorm normalises groups of channels of each example by their mean and variance. The axis of channels is 1.
//
// Source: Y. Wu, K. He, 2018, arXiv:1803.08494.
type GroupNorm struct {
	Weight, Bias nx.Tensor // [channels], or absent
	Groups       int
	Epsilon      float64
}

// NewGroupNorm returns a layer with ε = 1e-5; the number of channels is a multiple of that of groups, of which 32 are
// common. Options: [Epsilon], [NoAffine], [NoBias], [DType].
func NewGroupNorm(groups, channels int, opts ...NormOption) *GroupNorm {
	positive("NewGroupNorm", "groups", groups)
	if channels < 1 || channels%groups != 0 {
		panic(diag.New(nx.ErrArgument, "NewGroupNorm", "", "%d channels are not a multiple of %d groups", channels,
			groups))
	}
	o := newNormOptions(normOptions{epsilon: 1e-5}, opts)
	l := &GroupNorm{Groups: groups, Epsilon: o.epsilon}
	l.Weight, l.Bias = o.affine(nx.Shape{channels})
	return l
}

// Apply normalises the groups of channels.
//
// Shapes: x [batch, channels, …]; the result is like x. DTypes: floats; statistics in f32 at least. Gradient: forward
// and reverse. Errors: [nx.ErrShape] for another number of channels.
func (l *GroupNorm) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	defer c.named(l)
	channelsOf("GroupNorm", x, l.Weight, l.Bias)
	if x.Rank() < 2 || x.Shape()[1]%l.Groups != 0 {
		panic(diag.New(nx.ErrShape, "GroupNorm", "channels are axis 1",
			"%d groups cannot be made of the channels of %v",
			l.Groups, x.Shape()))
	}
	s := x.Shape()
	grouped := append(nx.Shape{s[0], l.Groups, s[1] / l.Groups}, s[2:]...)
	z := nx.Reshape(widen(x), grouped...)
	var axes []int
	for i := 2; i < len(grouped); i++ {
		axes = append(axes, i)
	}
	y := nx.Reshape(nx.LayerNorm(z, l.Epsilon, nx.Axis(axes...)), s...)
	return nx.Cast(affine("GroupNorm", y, l.Weight, l.Bias), x.DType())
}

// InstanceNorm normalises each channel of each example by its mean and variance. The axis of channels is 1.
//
// Source: D. Ulyanov, A. Vedaldi, V. Lempitsky, 2016, arXiv:1607.08022.
type InstanceNorm struct {
	Weight, Bias            nx.Tensor // [channels], or absent
	RunningMean, RunningVar Buffer    // [channels], or absent
	Epsilon, Momentum       float64
}

// NewInstanceNorm returns a layer with ε = 1e-5. Unlike PyTorch's it has parameters unless [NoAffine] is given; with
// [Statistics] it keeps running averages, by [Momentum] 0.9, for inference. More options: [Epsilon], [NoBias], [DType].
func NewInstanceNorm(channels int, opts ...NormOption) *InstanceNorm {
	positive("NewInstanceNorm", "channels", channels)
	o := newNormOptions(normOptions{epsilon: 1e-5, momentum: 0.9}, opts)
	l := &InstanceNorm{Epsilon: o.epsilon, Momentum: o.momentum}
	l.Weight, l.Bias = o.affine(nx.Shape{channels})
	if o.statistics {
		l.RunningMean, l.RunningVar = Buffer(nx.Zeros(nx.Shape{channels}, nx.F32)), Buffer(nx.Ones(nx.Shape{channels},
			nx.F32))
	}
	return l
}

// Apply normalises the channels of each example.
//
// Shapes: x [batch, channels, …]; the result is like x. DTypes: floats; statistics in f32 at least. Gradient: forward
// and reverse. Errors: [nx.ErrShape] for another number of channels, or one number per channel.
func (l *InstanceNorm) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	defer c.named(l)
	channelsOf("InstanceNorm", x, l.Weight, nx.Tensor(l.RunningMean))
	if x.Rank() < 3 {
		panic(diag.New(nx.ErrShape, "InstanceNorm", "it normalises the axes that follow the channels",
			"the argument must have three axes or more, got %v", x.Shape()))
	}
	z := widen(x)
	var y nx.Tensor
	if l.RunningMean.IsZero() || c.Training() {
		var axes []int
		count := 1
		for i := 2; i < x.Rank(); i++ {
			axes = append(axes, i)
			count *= x.Shape()[i]
		}
		y = nx.LayerNorm(z, l.Epsilon, nx.Axis(axes...))
		if !l.RunningMean.IsZero() {
			mean, variance := moments(z, axes)
			unbiased := nx.Mul(variance, float64(count)/float64(max(count-1, 1)))
			l.RunningMean = average(l.RunningMean, nx.Mean(mean, nx.Axis(0)), l.Momentum)
			l.RunningVar = average(l.RunningVar, nx.Mean(unbiased, nx.Axis(0)), l.Momentum)
		}
	} else {
		y = nx.Mul(nx.Sub(z, perChannel("InstanceNorm", nx.Tensor(l.RunningMean), z)),
			perChannel("InstanceNorm", nx.Rsqrt(nx.Add(nx.Tensor(l.RunningVar), l.Epsilon)), z))
	}
	return nx.Cast(affine("InstanceNorm", y, l.Weight, l.Bias), x.DType())
}

// LocalResponseNorm divides each number by (k + α/size·Σ x²)^β, the sum over size channels around it.
//
// Shapes: x [batch, channels, …]; the result is like x. DTypes: floats. Gradient: forward and reverse.
//
// Source: A. Krizhevsky, I. Sutskever, G. Hinton, "ImageNet classification with deep convolutional neural networks",
// 2012.
func LocalResponseNorm(x nx.Tensor, size int, alpha, beta, k float64) nx.Tensor {
	positive("LocalResponseNorm", "size", size)
	if x.Rank() < 2 {
		panic(diag.New(nx.ErrShape, "LocalResponseNorm", "channels are axis 1", "the argument is %v", x.Shape()))
	}
	z := widen(x)
	window := make([]int, x.Rank())
	pads := make([][2]int, x.Rank())
	for i := range window {
		window[i] = 1
	}
	window[1] = size
	pads[1] = [2]int{size / 2, (size - 1) / 2}
	sums := nx.WindowSum(nx.Square(z), window, nx.Padding(pads...))
	return nx.Cast(nx.Div(z, nx.Pow(nx.Add(nx.Mul(sums, alpha/float64(size)), k), beta)), x.DType())
}

// Normalize divides x by its p-norm along an axis, or by ε if that is larger; 1e-12 is common.
//
// Shapes: that of x. DTypes: floats. Gradient: forward and reverse; finite at 0.
func Normalize(x nx.Tensor, p, epsilon float64, axis int) nx.Tensor {
	z := widen(x)
	sum := nx.Axis(axis)
	var n nx.Tensor
	switch p {
	case 1:
		n = nx.Sum(nx.Abs(z), sum, nx.KeepAxes)
	case 2:
		squares := nx.Sum(nx.Square(z), sum, nx.KeepAxes)
		zero := nx.Equal(squares, 0)
		n = nx.Where(zero, 0, nx.Sqrt(nx.Where(zero, 1, squares)))
	default:
		powers := nx.Sum(nx.Pow(nx.Abs(z), p), sum, nx.KeepAxes)
		zero := nx.Equal(powers, 0)
		n = nx.Where(zero, 0, nx.Pow(nx.Where(zero, 1, powers), 1/p))
	}
	return nx.Cast(nx.Div(z, nx.Maximum(n, epsilon)), x.DType())
}
