package nn

import (
	"math"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/random"
)

// Dropout sets numbers to 0 with a probability in training, and divides the others by 1 - Rate, so that the mean stays.
// Its numbers follow from [Ctx.Key]. In inference it does nothing.
//
// Source: N. Srivastava et al., "Dropout: a simple way to prevent neural networks from overfitting", JMLR 15, 2014.
type Dropout struct {
	Rate float64 // the probability to be dropped, in [0, 1]
	// Channels drops whole channels of axis 1 of an example (spatial dropout), not single numbers.
	Channels bool
}

// Apply drops numbers of x in training.
//
// Shapes: that of x. DTypes: floats. Gradient: that of the product. Errors: [nx.ErrArgument] for a rate that is not in
// [0, 1], or without a key in training.
func (l *Dropout) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	return c.drop("Dropout", l, l.Rate, l.Channels, x)
}

// drop is the dropout of a layer.
func (c *Ctx) drop(op string, layer any, p float64, channels bool, x nx.Tensor) nx.Tensor {
	rate(op, c, layer, p)
	switch {
	case !c.Training() || p == 0:
		return x
	case p == 1:
		return nx.ZerosLike(x)
	}
	kept := c.keep(op, layer, x, p, channels)
	return nx.Where(kept, nx.Mul(x, 1/(1-p)), nx.ZerosLike(x))
}

// rate checks a probability.
func rate(op string, c *Ctx, layer any, p float64) {
	if !(p >= 0 && p <= 1) {
		panic(diag.New(nx.ErrArgument, op, "", "the rate of %s must be in [0, 1], got %v", c.describe(layer), p))
	}
}

// keep draws which numbers of x are kept, or which channels.
func (c *Ctx) keep(op string, layer any, x nx.Tensor, rate float64, channels bool) nx.Tensor {
	shape := slices.Clone(x.Shape())
	if channels {
		if x.Rank() < 2 {
			panic(diag.New(nx.ErrShape, op, "channels are axis 1", "the argument is %v", x.Shape()))
		}
		for i := 2; i < len(shape); i++ {
			shape[i] = 1
		}
	}
	u := random.Uniform(c.keyOf(op, layer), 0, 1, shape, nx.F32)
	return nx.BroadcastTo(nx.GreaterEqual(u, rate), x.Shape()...)
}

// AlphaDropout sets numbers to -λα, the lower limit of [Selu], with a probability in training, and scales and shifts
// all so that mean 0 and variance 1 stay.
//
// Source: G. Klambauer et al., 2017, arXiv:1706.02515.
type AlphaDropout struct {
	Rate     float64
	Channels bool // whole channels of axis 1 of an example
}

// Apply drops numbers of x in training.
//
// Shapes: that of x. DTypes: floats. Gradient: of the composition. Errors: those of [Dropout.Apply].
func (l *AlphaDropout) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	rate("AlphaDropout", c, l, l.Rate)
	if !c.Training() || l.Rate == 0 {
		return x
	}
	const limit = -seluAlpha * seluScale
	if l.Rate == 1 {
		return nx.ZerosLike(x)
	}
	p := l.Rate
	a := 1 / math.Sqrt((1-p)*(1+p*limit*limit))
	kept := c.keep("AlphaDropout", l, x, p, l.Channels)
	return nx.Add(nx.Mul(nx.Where(kept, x, nx.FullLike(x, limit)), a), -a*limit*p)
}

// GaussianNoise adds normal numbers with mean 0 in training.
type GaussianNoise struct{ Deviation float64 }

// Apply adds noise to x in training.
//
// Shapes: that of x. DTypes: floats. Gradient: passes. Errors: [nx.ErrArgument] without a key in training.
func (l *GaussianNoise) Apply(c *Ctx, x nx.Tensor) nx.Tensor {
	if !c.Training() || l.Deviation == 0 {
		return x
	}
	return nx.Add(x, random.Normal(c.keyOf("GaussianNoise", l), 0, l.Deviation, x.Shape(), x.DType()))
}
