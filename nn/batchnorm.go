package nn

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// BatchNorm normalises each channel by the mean and variance of the batch in training, and by their running averages in
// inference: (x - mean)/√(variance + ε)·Weight + Bias. The axis of channels is 1; statistics are in f32 at least.
//
// Source: S. Ioffe, C. Szegedy, 2015, arXiv:1502.03167.
type BatchNorm struct {
	Weight, Bias            nx.Tensor // [channels], or absent
	RunningMean, RunningVar Buffer    // [channels], or absent: then inference too uses the batch
	Epsilon                 float64
	// Momentum is the weight of the past in a running average: 0.9 is PyTorch's momentum of 0.1.
	Momentum float64
	// Biased records the variance of the batch with divisor n, as Keras and Flax do, not with n - 1 as PyTorch.
	Biased bool
}

// NewBatchNorm returns a layer for a number of channels, with ε = 1e-5 and momentum 0.9. Options: [Epsilon],
// [Momentum], [NoAffine], [NoBias], [NoStatistics], [Biased], [DType].
func NewBatchNorm(channels int, opts ...NormOption) *BatchNorm {
	positive("NewBatchNorm", "channels", channels)
	o := newNormOptions(normOptions{epsilon: 1e-5, momentum: 0.9}, opts)
	l := &BatchNorm{Epsilon: o.epsilon, Momentum: o.momentum, Biased: o.biased}
	l.Weight, l.Bias = o.affine(nx.Shape{channels})
	if !o.noStatistics {
		l.RunningMean, l.RunningVar = Buffer(nx.Zeros(nx.Shape{channels}, nx.F32)), Buffer(nx.Ones(nx.Shape{channels},
			nx.F32))
	}
	return l
}

// Apply normalises a batch. In training it also writes the running averages.
//
// Shapes: x [batch, channels, …]; the result is like x. DTypes: floats; statistics in f32 at least. Gradient: forward
// and reverse, through the statistics in training. Errors: [nx.ErrShape] for a training batch with one number per
// channel.
func (l *BatchNorm) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	defer c.named(l)
	channelsOf("BatchNorm", x, l.Weight, nx.Tensor(l.RunningMean))
	z := widen(x)
	var axes []int
	for i := range x.Rank() {
		if i != 1 {
			axes = append(axes, i)
		}
	}
	mean, variance := nx.Tensor(l.RunningMean), nx.Tensor(l.RunningVar)
	if c.Training() || l.RunningMean.IsZero() {
		mean, variance = moments(z, axes)
		if !l.RunningMean.IsZero() {
			count := x.Size() / x.Shape()[1]
			if count < 2 && !l.Biased {
				panic(diag.New(nx.ErrShape, "BatchNorm", "train with larger batches",
					"%s has one number per channel in %v, "+
						"which has no variance", c.describe(l), x.Shape()))
			}
			recorded := variance
			if !l.Biased {
				recorded = nx.Mul(variance, float64(count)/float64(count-1))
			}
			l.RunningMean = average(l.RunningMean, mean, l.Momentum)
			l.RunningVar = average(l.RunningVar, recorded, l.Momentum)
		}
	}
	y := nx.Mul(nx.Sub(z, perChannel("BatchNorm", mean, z)),
		perChannel("BatchNorm", nx.Rsqrt(nx.Add(variance, l.Epsilon)), z))
	return nx.Cast(affine("BatchNorm", y, l.Weight, l.Bias), x.DType())
}

// channelsOf checks the axis of channels.
func channelsOf(op string, x nx.Tensor, params ...nx.Tensor) {
	for _, p := range params {
		if !p.IsZero() {
			if x.Rank() < 2 || x.Shape()[1] != p.Shape()[0] {
				panic(diag.New(nx.ErrShape, op, "channels are axis 1: transpose pictures with channels last",
					"the layer has %d channels, the argument is %v", p.Shape()[0], x.Shape()))
			}
			return
		}
	}
}

// moments returns the mean and the biased variance along axes.
func moments(x nx.Tensor, axes []int) (mean, variance nx.Tensor) {
	return nx.Mean(x, nx.Axis(axes...)), nx.Var(x, nx.Axis(axes...))
}

// average is a running average after one more value.
func average(past Buffer, value nx.Tensor, momentum float64) Buffer {
	old := nx.Tensor(past)
	v := nx.Cast(nx.StopGradient(value), old.DType())
	return Buffer(nx.Add(nx.Mul(old, momentum), nx.Mul(v, 1-momentum)))
}

// affine scales and shifts channels; each of the parameters may be absent.
func affine(op string, x, weight, bias nx.Tensor) nx.Tensor {
	if !weight.IsZero() {
		x = nx.Mul(x, perChannel(op, weight, x))
	}
	if !bias.IsZero() {
		x = nx.Add(x, perChannel(op, bias, x))
	}
	return x
}

// widen is x in the type in which statistics are computed: f32, or f64 if x has that.
func widen(x nx.Tensor) nx.Tensor {
	if x.DType() == nx.F64 || x.DType() == nx.F32 {
		return x
	}
	return nx.Cast(x, nx.F32)
}
