package optim

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
)

// GlobalNorm returns the 2-norm of all floats of a container, in f32 at least. It is NaN, or infinite, where an element
// is.
func GlobalNorm[P any](p P) nx.Tensor { return globalNorm(trainable(p), 2) }

// globalNorm returns the norm of an order of all leaves, in the widest of their types.
func globalNorm(leaves []Leaf, order float64) nx.Tensor {
	sum := nx.Full(nx.Shape{}, 0, nx.F32)
	for _, l := range leaves {
		var part nx.Tensor
		switch order {
		case 2:
			part = nx.Sum(square(l.Tensor))
		case 1:
			part = nx.Sum(nx.Abs(l.Tensor))
		case math.Inf(1):
			part = nx.Max(nx.Abs(l.Tensor))
		default:
			part = nx.Sum(nx.Pow(nx.Abs(l.Tensor), order))
		}
		if part.DType() == nx.F64 {
			sum = nx.Cast(sum, nx.F64)
		}
		part = nx.Cast(part, sum.DType())
		if math.IsInf(order, 1) {
			sum = nx.Maximum(sum, part)
		} else {
			sum = nx.Add(sum, part)
		}
	}
	switch order {
	case 2:
		return root(sum)
	case 1, math.Inf(1):
		return sum
	}
	return nx.Pow(sum, 1/order)
}

// limit checks a limit of a norm.
func limit(op string, v float64) {
	if !(v >= 0) {
		panic(diag.New(nx.ErrArgument, op, "give a limit of 0 or more", "the limit is %v", v))
	}
}

// ClipValue bounds each element of updates by -delta and delta.
func ClipValue(delta float64) Transform {
	limit("ClipValue", delta)
	return mapped(func(u, _ nx.Tensor) nx.Tensor { return nx.Clip(u, -delta, delta) })
}

// ClipState is the state of [ClipGlobalNorm].
type ClipState struct {
	// Norm is the norm of the last updates before clipping, in f64.
	Norm nx.Tensor
}

// ClipGlobalNorm multiplies all updates by max/‖u‖ where their common norm is larger than max. The norm lies in the
// state. If it is NaN, all updates become NaN; if it is infinite, the infinite ones become NaN and the others 0. Use
// [SkipNonFinite] to skip such a step.
//
// With [NormOrder] the norm is another one. With [TorchClip] the factor is min(1, max/(‖u‖+1e-6)), as in PyTorch.
func ClipGlobalNorm(max float64, opts ...ClipOption) Transform {
	limit("ClipGlobalNorm", max)
	o := clip{order: 2}
	for _, opt := range opts {
		if opt != nil {
			opt.clip(&o)
		}
	}
	return stateful[ClipState]{"ClipGlobalNorm", func([]Leaf) ClipState {
		return ClipState{scalar(0)}
	}, func(updates []Leaf, _ ClipState, _ Step) ([]Leaf, ClipState) {
		n := nx.Cast(globalNorm(updates, o.order), nx.F64)
		var factor nx.Tensor
		if o.torch {
			factor = nx.Minimum(nx.Div(max, nx.Add(n, 1e-6)), 1)
		} else {
			factor = nx.Where(nx.Less(n, max), 1.0, nx.Div(max, n))
		}
		return each(updates, func(_ int, u Leaf) nx.Tensor {
			return times(u.Tensor, like(factor, u.Tensor))
		}), ClipState{n}
	}}
}

// ClipOption is an option of [ClipGlobalNorm].
type ClipOption interface{ clip(*clip) }

type clip struct {
	order float64
	torch bool
}

type normOrder float64

// NormOrder takes the norm of another order than 2: 1, or math.Inf(1) for the largest absolute value.
func NormOrder(p float64) ClipOption { return normOrder(p) }

func (p normOrder) clip(o *clip) { o.order = float64(p) }

type torchClip bool

// TorchClip adds 1e-6 to the norm, as torch.nn.utils.clip_grad_norm_ does.
const TorchClip torchClip = true

func (torchClip) clip(o *clip) { o.torch = true }

// ClipNorm multiplies each update whose own norm is larger than max by max/‖u‖.
func ClipNorm(max float64) Transform {
	limit("ClipNorm", max)
	return mapped(func(u, _ nx.Tensor) nx.Tensor {
		n := norm(u)
		return times(u, nx.Where(nx.Less(n, max), 1.0, nx.Div(max, n)))
	})
}

// ClipBlockRMS divides each update whose root mean square is larger than the threshold, so that it is equal to it.
func ClipBlockRMS(threshold float64) Transform {
	limit("ClipBlockRMS", threshold)
	return mapped(func(u, _ nx.Tensor) nx.Tensor {
		return over(u, nx.Maximum(nx.Div(rms(u), threshold), 1))
	})
}

// rms returns the root mean square of all elements.
func rms(x nx.Tensor) nx.Tensor { return root(nx.Mean(square(x))) }

// AdaptiveClip bounds the norm of each unit of an update by clipping times the norm of the unit of its parameter, which
// counts as epsilon at least, 1e-3 in Optax (arXiv:2102.06171). Units are the outputs of a layer: those with an index
// of the first axis of a parameter of two axes or more, and all of a vector. [UnitAxes] says otherwise.
func AdaptiveClip(clipping, epsilon float64, opts ...AdaptiveClipOption) Transform {
	limit("AdaptiveClip", clipping)
	var o adaptiveClip
	for _, opt := range opts {
		if opt != nil {
			opt.adaptiveClip(&o)
		}
	}
	return mapped(func(u, p nx.Tensor) nx.Tensor {
		uNorm, bound := o.unitNorm(u), nx.Mul(clipping, nx.Maximum(o.unitNorm(p), epsilon))
		factor := nx.Where(nx.Less(uNorm, bound), 1.0, nx.Div(bound, nx.Maximum(uNorm, 1e-6)))
		return times(u, factor)
	})
}

// AdaptiveClipOption is an option of [AdaptiveClip].
type AdaptiveClipOption interface{ adaptiveClip(*adaptiveClip) }

type adaptiveClip struct {
	axes []int
	set  bool
}

type unitAxes []int

// UnitAxes are the axes along which a unit extends, in place of all but the first.
func UnitAxes(axes ...int) AdaptiveClipOption { return unitAxes(axes) }

func (a unitAxes) adaptiveClip(o *adaptiveClip) { o.axes, o.set = a, true }

// unitNorm returns the norms of the units of a tensor, with axes of size 1.
func (o adaptiveClip) unitNorm(x nx.Tensor) nx.Tensor {
	s := square(x)
	axes := o.axes
	if x.Rank() < 2 {
		axes = nil
	} else if !o.set {
		axes = allButFirst(x.Rank())
	}
	if len(axes) == 0 {
		return root(nx.Sum(s))
	}
	return root(nx.Sum(s, nx.Axis(axes...), nx.KeepAxes))
}

func allButFirst(rank int) []int {
	var axes []int
	for i := 1; i < rank; i++ {
		axes = append(axes, i)
	}
	return axes
}
