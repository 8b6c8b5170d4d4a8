package optim

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// Schedule returns a rate, a scalar of type f64, for the number of updates made before, an integer scalar that counts
// from 0. It is computed inside of the program, in f64, so it is exact for every number of steps.
type Schedule func(step nx.Tensor) nx.Tensor

// Constant is the schedule of one value.
func Constant(v float64) Schedule {
	return func(nx.Tensor) nx.Tensor { return scalar(v) }
}

func scalar(v float64) nx.Tensor { return nx.Full(nx.Shape{}, v, nx.F64) }

// number returns a step in f64.
func number(step nx.Tensor) nx.Tensor { return nx.Cast(step, nx.F64) }

// positive checks a number of steps.
func positive(op string, steps int) {
	if steps <= 0 {
		panic(diag.New(nx.ErrArgument, op, "give a number of steps of 1 or more", "the number of steps is %d", steps))
	}
}

// Linear goes from one value to another in a number of steps, and stays there.
//
// Errors: [nx.ErrArgument] for fewer steps than 1, as for all schedules.
func Linear(from, to float64, steps int) Schedule {
	positive("Linear", steps)
	return Polynomial(from, to, 1, steps)
}

// PolynomialOption is an option of [Polynomial].
type PolynomialOption interface{ polynomial(*curve) }

// Polynomial goes from one value to another in a number of steps T, and stays there: (from-to)·(1-t/T)^power + to.
//
// [Cycle] starts it again, each time with the next multiple of T, as Keras does.
func Polynomial(from, to, power float64, steps int, opts ...PolynomialOption) Schedule {
	positive("Polynomial", steps)
	var o curve
	for _, opt := range opts {
		if opt != nil {
			opt.polynomial(&o)
		}
	}
	return func(step nx.Tensor) nx.Tensor {
		t, length := number(step), scalar(float64(steps))
		if o.cycle {
			length = nx.Mul(length, nx.Maximum(nx.Ceil(nx.Div(t, float64(steps))), 1))
		} else {
			t = nx.Clip(t, 0, steps)
		}
		left := nx.Sub(1, nx.Div(t, length))
		if power != 1 {
			left = nx.Pow(left, power)
		}
		return nx.Add(nx.Mul(from-to, left), to)
	}
}

// ExponentialOption is an option of [Exponential] and [InverseTime].
type ExponentialOption interface{ exponential(*curve) }

// Exponential is from·ratio^(t/T): it multiplies the rate by ratio each T steps. [Staircase] does that at once, at the
// end of the T steps. [EndAt] is a bound that the rate does not cross.
func Exponential(from, ratio float64, steps int, opts ...ExponentialOption) Schedule {
	positive("Exponential", steps)
	o := exponentialSettings(opts)
	if ratio <= 0 {
		panic(diag.New(nx.ErrArgument, "Exponential", "give a positive ratio", "the ratio is %v", ratio))
	}
	return func(step nx.Tensor) nx.Tensor {
		v := nx.Mul(from, nx.Pow(ratio, o.periods(step, steps)))
		switch {
		case !o.hasEnd:
			return v
		case ratio < 1:
			return nx.Maximum(v, o.end)
		}
		return nx.Minimum(v, o.end)
	}
}

// InverseTime is from/(1+ratio·t/T). [Staircase] counts whole periods of T steps.
func InverseTime(from, ratio float64, steps int, opts ...ExponentialOption) Schedule {
	positive("InverseTime", steps)
	o := exponentialSettings(opts)
	return func(step nx.Tensor) nx.Tensor {
		v := nx.Div(from, nx.Add(nx.Mul(ratio, o.periods(step, steps)), 1))
		if o.hasEnd {
			v = nx.Maximum(v, o.end)
		}
		return v
	}
}

func exponentialSettings(opts []ExponentialOption) curve {
	var o curve
	for _, opt := range opts {
		if opt != nil {
			opt.exponential(&o)
		}
	}
	return o
}

// periods returns t/T, rounded down for a staircase.
func (o curve) periods(step nx.Tensor, steps int) nx.Tensor {
	p := nx.Div(number(step), float64(steps))
	if o.staircase {
		p = nx.Floor(p)
	}
	return p
}

// CosineOption is an option of [Cosine], [WarmupCosine] and [CosineRestarts].
type CosineOption interface{ cosine(*curve) }

// Cosine goes from one value to another in a number of steps T by half a period of a cosine, and stays there:
// (from-to)·((1+cos(πt/T))/2)^e + to, e being 1 without [Exponent].
func Cosine(from, to float64, steps int, opts ...CosineOption) Schedule {
	positive("Cosine", steps)
	o := curve{exponent: 1}
	for _, opt := range opts {
		if opt != nil {
			opt.cosine(&o)
		}
	}
	return func(step nx.Tensor) nx.Tensor {
		t := nx.Div(nx.Clip(number(step), 0, steps), float64(steps))
		c := nx.Mul(.5, nx.Add(nx.Cos(nx.Mul(math.Pi, t)), 1))
		if o.exponent != 1 {
			c = nx.Pow(c, o.exponent)
		}
		return nx.Add(nx.Mul(from-to, c), to)
	}
}

// InverseSqrt is peak·√(warmup/t) after a linear warmup from 0: the schedule of "Attention is all you need".
func InverseSqrt(peak float64, warmup int) Schedule {
	positive("InverseSqrt", warmup)
	return func(step nx.Tensor) nx.Tensor {
		t := number(step)
		return nx.Mul(peak, nx.Minimum(nx.Div(t, float64(warmup)), nx.Sqrt(nx.Div(float64(warmup), nx.Maximum(t, 1)))))
	}
}

// Sample returns the values of a schedule at a number of points, evenly spaced from step 0 to n: the data of a plot.
func Sample(s Schedule, n, points int) (steps []int, values []float64) {
	if n < 0 || points < 1 {
		panic(diag.New(nx.ErrArgument, "Sample", "give 0 steps or more and 1 point or more",
			"there are %d steps and %d points", n, points))
	}
	list := make([]int64, points)
	for i := range list {
		if points > 1 {
			list[i] = int64(math.Round(float64(n) * float64(i) / float64(points-1)))
		}
		steps = append(steps, int(list[i]))
	}
	v := nx.Map(nx.New(list), func(step nx.Tensor) nx.Tensor { return s(step) })
	return steps, nx.Data[float64](v)
}
