package optim

import (
	"math"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// Join puts schedules one after another: the next one begins at each boundary, with its step 0.
//
// Errors: [nx.ErrArgument] unless there is one boundary fewer than schedules, in rising order.
func Join(schedules []Schedule, boundaries ...int) Schedule {
	if len(schedules) != len(boundaries)+1 || !slices.IsSorted(boundaries) {
		panic(diag.New(nx.ErrArgument, "Join", "give one boundary fewer than schedules, in rising order",
			"there are %d schedules and the boundaries %v", len(schedules), boundaries))
	}
	return func(step nx.Tensor) nx.Tensor {
		v := schedules[0](step)
		for i, b := range boundaries {
			v = nx.Where(nx.Less(step, b), v, Delay(b, schedules[i+1])(step))
		}
		return v
	}
}

// Delay begins a schedule at a step; its first value holds before.
func Delay(begin int, s Schedule) Schedule {
	return func(step nx.Tensor) nx.Tensor { return s(nx.Maximum(nx.Sub(step, begin), 0)) }
}

// Piecewise is constant between boundaries: values[0] before the first, values[i] from boundaries[i-1] on.
//
// Errors: [nx.ErrArgument] unless there is one boundary fewer than values, in rising order.
func Piecewise(boundaries []int, values ...float64) Schedule {
	schedules := make([]Schedule, len(values))
	for i, v := range values {
		schedules[i] = Constant(v)
	}
	return Join(schedules, boundaries...)
}

// WarmupCosine rises from one value to the peak in warmup steps, and falls to the end by a cosine at the step total,
// which includes the warmup.
func WarmupCosine(from, peak float64, warmup, total int, end float64, opts ...CosineOption) Schedule {
	return Join([]Schedule{ramp(from, peak, warmup), Cosine(peak, end, total-warmup, opts...)}, warmup)
}

// ramp is a linear rise that may have no steps.
func ramp(from, peak float64, steps int) Schedule {
	if steps == 0 {
		return Constant(from)
	}
	return Linear(from, peak, steps)
}

// WarmupStableDecay rises from 0 to the peak in warmup steps, stays there for the steps stable, and falls to the end in
// the steps decay by a cosine.
func WarmupStableDecay(peak float64, warmup, stable, decay int, end float64) Schedule {
	return Join([]Schedule{ramp(0, peak, warmup), Constant(peak), Cosine(peak, end, decay)}, warmup, warmup+stable)
}

// CosineRestarts falls from a value by a cosine, to its part [Floor], and begins again (SGDR, arXiv:1608.03983). The
// first period has a number of steps; each next one is [Growth] times as long, 2 without it, and begins at [Shrink]
// times the value.
func CosineRestarts(from float64, first int, opts ...RestartOption) Schedule {
	positive("CosineRestarts", first)
	o := curve{growth: 2, shrink: 1}
	for _, opt := range opts {
		if opt != nil {
			opt.restart(&o)
		}
	}
	if o.growth < 1 {
		panic(diag.New(nx.ErrArgument, "CosineRestarts", "give a growth of 1 or more", "the growth is %v", o.growth))
	}
	return func(step nx.Tensor) nx.Tensor {
		t := nx.Div(number(step), float64(first)) // in first periods
		var period, part nx.Tensor
		if o.growth == 1 {
			period = nx.Floor(t)
			part = nx.Sub(t, period)
		} else {
			// Period i begins at (growth^i-1)/(growth-1). The logarithm may be off by a rounding at a boundary.
			begin := func(i nx.Tensor) nx.Tensor { return nx.Div(nx.Sub(nx.Pow(o.growth, i), 1), o.growth-1) }
			period = nx.Floor(nx.Div(nx.Log(nx.Add(nx.Mul(t, o.growth-1), 1)), math.Log(o.growth)))
			next := nx.Add(period, 1)
			period = nx.Where(nx.LessEqual(begin(next), nx.Mul(t, 1+1e-12)), next, period)
			part = nx.Div(nx.Maximum(nx.Sub(t, begin(period)), 0), nx.Pow(o.growth, period))
		}
		c := nx.Mul(.5, nx.Add(nx.Cos(nx.Mul(math.Pi, part)), 1))
		v := nx.Mul(from*(1-o.floor), nx.Mul(c, nx.Pow(o.shrink, period)))
		if o.floor == 0 {
			return v
		}
		return nx.Add(v, from*o.floor)
	}
}

// OneCycle rises from peak/[StartDivisor] to the peak by a cosine in the first [PeakAt] of the steps, .3 without it,
// and falls to the start divided by [EndDivisor] (arXiv:1708.07120).
func OneCycle(peak float64, steps int, opts ...OneCycleOption) Schedule {
	positive("OneCycle", steps)
	o := oneCycle(opts)
	start := peak / o.startDivisor
	return CosinePieces([]int{0, int(o.peakAt * float64(steps)), steps}, []float64{start, peak, start / o.endDivisor})
}

// OneCycleLinear rises linearly from peak/[StartDivisor] to the peak in the first [PeakAt] of the steps, falls back
// until [FallUntil] of them, .85 without it, and then to the start divided by [EndDivisor].
func OneCycleLinear(peak float64, steps int, opts ...OneCycleOption) Schedule {
	positive("OneCycleLinear", steps)
	o := oneCycle(opts)
	start := peak / o.startDivisor
	return LinearPieces([]int{0, int(o.peakAt * float64(steps)), int(o.fallUntil * float64(steps)), steps},
		[]float64{start, peak, start, start / o.endDivisor})
}

func oneCycle(opts []OneCycleOption) curve {
	o := curve{peakAt: .3, fallUntil: .85, startDivisor: 25, endDivisor: 1e4}
	for _, opt := range opts {
		if opt != nil {
			opt.oneCycle(&o)
		}
	}
	return o
}

// LinearPieces goes linearly from value to value, each at its step, and stays at the last one. Steps begin with 0.
//
// Errors: [nx.ErrArgument] unless there are as many steps as values, the first 0 and all in rising order.
func LinearPieces(steps []int, values []float64) Schedule {
	return pieces("LinearPieces", steps, values, func(from, to float64, n int) Schedule { return Linear(from, to, n) })
}

// CosinePieces is [LinearPieces] with half a period of a cosine between two values.
func CosinePieces(steps []int, values []float64) Schedule {
	return pieces("CosinePieces", steps, values, func(from, to float64, n int) Schedule { return Cosine(from, to, n) })
}

// pieces joins the schedules between pairs of values.
func pieces(op string, steps []int, values []float64, piece func(from, to float64, n int) Schedule) Schedule {
	if len(steps) == 0 || len(steps) != len(values) || steps[0] != 0 || !slices.IsSorted(steps) {
		panic(diag.New(nx.ErrArgument, op, "give as many steps as values, rising from 0",
			"the steps are %v, the values %v", steps, values))
	}
	var list []Schedule
	for i := 1; i < len(steps); i++ {
		if n := steps[i] - steps[i-1]; n > 0 {
			list = append(list, piece(values[i-1], values[i], n))
		} else {
			list = append(list, Constant(values[i-1]))
		}
	}
	return Join(append(list, Constant(values[len(values)-1])), steps[1:]...)
}
