package optim

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/random"
)

// Centralise subtracts from each update of two axes or more its mean over all axes but the first (arXiv:2004.01461).
func Centralise() Transform {
	return mapped(func(u, _ nx.Tensor) nx.Tensor {
		if u.Rank() < 2 {
			return u
		}
		return nx.Sub(u, nx.Mean(u, nx.Axis(allButFirst(u.Rank())...), nx.KeepAxes))
	})
}

// Normalise divides all updates by their common norm plus epsilon, and multiplies them by scale.
func Normalise(scale, epsilon float64) Transform {
	return stateless(func(updates []Leaf, _ Step) []Leaf {
		n := nx.Div(nx.Add(globalNorm(updates, 2), epsilon), scale)
		return each(updates, func(_ int, u Leaf) nx.Tensor { return over(u.Tensor, like(n, u.Tensor)) })
	})
}

// ScaleByParamNorm multiplies each update by the norm of its parameter, which is minimum at least.
func ScaleByParamNorm(minimum float64) Transform {
	return mapped(func(u, p nx.Tensor) nx.Tensor { return times(u, nx.Maximum(norm(p), minimum)) })
}

// ScaleByParamRMS multiplies each update by the root mean square of its parameter, which is minimum at least.
func ScaleByParamRMS(minimum float64) Transform {
	return mapped(func(u, p nx.Tensor) nx.Tensor { return times(u, nx.Maximum(rms(p), minimum)) })
}

// KeepNonNegative changes updates so that no parameter becomes negative. It is the last transform of a chain.
func KeepNonNegative() Transform {
	return mapped(func(u, p nx.Tensor) nx.Tensor { return nx.Where(nx.Less(nx.Add(p, u), 0), nx.Neg(p), u) })
}

// ZeroNaNsState is the state of [ZeroNaNs].
type ZeroNaNsState struct {
	// Found says for each parameter whether its last update had a NaN.
	Found Tensors
}

// ZeroNaNs replaces NaN by 0 in updates. Infinities stay.
func ZeroNaNs() Transform {
	return stateful[ZeroNaNsState]{"ZeroNaNs", func(params []Leaf) ZeroNaNsState {
		s := ZeroNaNsState{Tensors{}}
		for _, p := range params {
			s.Found[p.Path] = nx.Zeros(nx.Shape{}, nx.Bool)
		}
		return s
	}, func(updates []Leaf, s ZeroNaNsState, _ Step) ([]Leaf, ZeroNaNsState) {
		return each(updates, func(_ int, u Leaf) nx.Tensor {
				return nx.Where(nx.IsNaN(u.Tensor), nx.ZerosLike(u.Tensor), u.Tensor)
			}), ZeroNaNsState{with(s.Found, updates, func(_ int, u Leaf, _ nx.Tensor) nx.Tensor {
				return nx.Any(nx.IsNaN(u.Tensor))
			})}
	}}
}

// EMAState is the state of [EMA].
type EMAState struct {
	// Step is the number of updates made, absent without [Debiased].
	Step nx.Tensor
	// M are averages of updates.
	M Tensors
}

// EMAOption is an option of [EMA].
type EMAOption interface{ ema(*settings) }

type debiased bool

// Debiased corrects an average for its start at 0.
const Debiased debiased = true

func (debiased) ema(s *settings) { s.corrected = true }

// EMA replaces updates by their average with a decay: m = decay·m + (1-decay)·u.
func EMA(decay float64, opts ...EMAOption) Transform {
	var o settings
	for _, opt := range opts {
		if opt != nil {
			opt.ema(&o)
		}
	}
	return stateful[EMAState]{"EMA", func(params []Leaf) EMAState {
		s := EMAState{M: zeros(params)}
		if o.corrected {
			s.Step = newCount()
		}
		return s
	}, func(updates []Leaf, s EMAState, _ Step) ([]Leaf, EMAState) {
		next := EMAState{M: average(decay, s.M, updates)}
		factor := nx.Tensor{}
		if o.corrected {
			next.Step = after(s.Step)
			factor = debias(decay, next.Step)
		}
		return each(updates, func(_ int, u Leaf) nx.Tensor { return scaledBy(next.M[u.Path], factor) }), next
	}}
}

// NoiseState is the state of [AddNoise].
type NoiseState struct {
	// Step is the number of updates made.
	Step nx.Tensor
	// Key is that of all draws.
	Key nx.Tensor
}

// AddNoise adds normal noise of the variance eta/t^gamma at the t-th step (arXiv:1511.06807). It depends on the key,
// the step and the path of a parameter only.
func AddNoise(key nx.Tensor, eta, gamma float64) Transform {
	return stateful[NoiseState]{"AddNoise", func([]Leaf) NoiseState {
		return NoiseState{newCount(), copied(key)}
	}, func(updates []Leaf, s NoiseState, step Step) ([]Leaf, NoiseState) {
		next := NoiseState{after(s.Step), s.Key}
		deviation := nx.Sqrt(nx.Div(eta, nx.Pow(nx.Cast(next.Step, nx.F64), gamma)))
		at := random.FoldIn(s.Key, s.Step)
		return each(updates, func(i int, u Leaf) nx.Tensor {
			d := u.Tensor.DType()
			if d.IsComplex() {
				panic(diag.New(nx.ErrDType, "AddNoise", "leave complex parameters out by Where",
					"the parameter %s is complex", u.Path))
			}
			z := random.Normal(random.FoldIn(at, hash(u.Path)), 0, 1, u.Tensor.Shape(), d)
			return nx.Add(u.Tensor, nx.Mul(z, like(deviation, z)))
		}), next
	}}
}

// hash returns a number for a path (FNV-1a).
func hash(path string) int {
	h := uint32(2166136261)
	for i := range len(path) {
		h = (h ^ uint32(path[i])) * 16777619
	}
	return int(h >> 1)
}

// ScaleByPolyak multiplies updates by (loss-least)/(‖u‖²+ε), at most max: the step of Polyak for a known least loss
// (arXiv:2002.10542). [Update] needs the [Loss].
func ScaleByPolyak(least, max, epsilon float64) Transform {
	return stateless(func(updates []Leaf, step Step) []Leaf {
		n := nx.Add(nx.Square(nx.Cast(globalNorm(updates, 2), nx.F64)), epsilon)
		gap := nx.Sub(step.loss("ScaleByPolyak"), least)
		factor := nx.Where(nx.LessEqual(n, 2.220446049250313e-16), 0.0, nx.Minimum(nx.Div(gap, n), max))
		return each(updates, func(_ int, u Leaf) nx.Tensor { return times(u.Tensor, like(factor, u.Tensor)) })
	})
}

// loss returns the loss of a step in f64.
func (s Step) loss(op string) nx.Tensor {
	if s.Loss.IsZero() || s.Loss.Rank() != 0 {
		panic(diag.New(nx.ErrArgument, op,
			"give the loss to Update: optim.Update(t, grads, state, params, optim.Loss(l))",
			"%s needs the loss of the step, a scalar", op))
	}
	return nx.Cast(s.Loss, nx.F64)
}

// OptimisticState is the state of [ScaleByOptimistic].
type OptimisticState struct {
	// Step is the number of updates made.
	Step nx.Tensor
	// Last are the last updates.
	Last Tensors
}

// ScaleByOptimistic replaces updates by (alpha+beta)·u - beta·(the last u), for games (arXiv:1711.00141).
func ScaleByOptimistic(alpha, beta float64) Transform {
	return stateful[OptimisticState]{"ScaleByOptimistic", func(params []Leaf) OptimisticState {
		return OptimisticState{newCount(), zeros(params)}
	}, func(updates []Leaf, s OptimisticState, _ Step) ([]Leaf, OptimisticState) {
		first := nx.Equal(s.Step, 0)
		return each(updates, func(_ int, u Leaf) nx.Tensor {
				last := nx.Where(first, u.Tensor, s.Last[u.Path])
				return nx.Sub(nx.Mul(alpha+beta, u.Tensor), nx.Mul(beta, last))
			}), OptimisticState{after(s.Step), with(s.Last, updates, func(_ int, u Leaf, _ nx.Tensor) nx.Tensor {
				return u.Tensor
			})}
	}}
}
