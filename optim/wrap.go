package optim

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/tree"
)

// finite reports whether all elements of leaves are finite.
func finite(leaves []Leaf) nx.Tensor {
	ok := nx.Full(nx.Shape{}, 1, nx.Bool)
	for _, l := range leaves {
		ok = nx.LogicalAnd(ok, nx.All(nx.IsFinite(square(l.Tensor))))
	}
	return ok
}

// choose returns a state where cond is true, and another one of its form where not.
func choose(cond nx.Tensor, a, b State) State {
	return tree.Map2(func(a, b nx.Tensor) nx.Tensor { return nx.Where(cond, a, b) }, a, b)
}

// SkipState is the state of [SkipNonFinite].
type SkipState struct {
	// InRow is the number of the last steps whose updates were not all finite, and Total that of all such steps.
	InRow, Total nx.Tensor
	// Finite says whether the last updates were.
	Finite nx.Tensor
	// Inner is the state of the transform.
	Inner State
}

// SkipNonFinite applies a transform, but not at steps at which an element of an update is NaN or infinite: then updates
// are 0 and its state stays. After more than limit such steps in a row it gives up, and the transform gets the updates
// as they are, so that the parameters show it. The counts lie in the state.
func SkipNonFinite(t Transform, limit int) Transform {
	return stateful[SkipState]{"SkipNonFinite", func(params []Leaf) SkipState {
		return SkipState{newCount(), newCount(), nx.Full(nx.Shape{}, 1, nx.Bool), t.Init(params)}
	}, func(updates []Leaf, s SkipState, step Step) ([]Leaf, SkipState) {
		ok := finite(updates)
		next := SkipState{
			InRow:  nx.Where(ok, nx.ZerosLike(s.InRow), after(s.InRow)),
			Total:  nx.Where(ok, s.Total, after(s.Total)),
			Finite: ok,
		}
		use := nx.LogicalOr(ok, nx.Greater(next.InRow, limit))
		changed, inner := t.Update(updates, s.Inner, step)
		next.Inner = choose(use, inner, s.Inner)
		return each(changed, func(_ int, u Leaf) nx.Tensor {
			return nx.Where(use, u.Tensor, nx.ZerosLike(u.Tensor))
		}), next
	}}
}

// AccumulateState is the state of [Accumulate].
type AccumulateState struct {
	// Collected is the number of gradients since the last update, and Step that of updates made.
	Collected, Step nx.Tensor
	// Mean are the means of the gradients collected, or their sums.
	Mean Tensors
	// Inner is the state of the transform.
	Inner State
}

// AccumulateOption is an option of [Accumulate].
type AccumulateOption interface{ accumulate(*accumulate) }

type accumulate struct{ sums, skip bool }

type accumulateFlag string

const (
	// SumGradients collects sums of gradients, not means.
	SumGradients accumulateFlag = "sum"
	// OnlyFinite leaves out gradients with NaN or infinite elements.
	OnlyFinite accumulateFlag = "finite"
)

func (f accumulateFlag) accumulate(o *accumulate) {
	switch f {
	case SumGradients:
		o.sums = true
	case OnlyFinite:
		o.skip = true
	}
}

// Accumulate collects n gradients, and applies a transform to their mean at each n-th step. At the others updates are
// 0, and the transform is not computed. The number may depend on the updates made: a [Schedule], whose value is
// rounded. Micro-batches in one step, as package train has, need less memory.
func Accumulate[N Rate](n N, t Transform, opts ...AccumulateOption) Transform {
	count := rateOf(n)
	if count.schedule == nil && (count.value < 1 || count.value != math.Trunc(count.value)) {
		panic(diag.New(nx.ErrArgument, "Accumulate", "give a whole number of 1 or more",
			"the number is %v", count.value))
	}
	var o accumulate
	for _, opt := range opts {
		if opt != nil {
			opt.accumulate(&o)
		}
	}
	return stateful[AccumulateState]{"Accumulate", func(params []Leaf) AccumulateState {
		return AccumulateState{newCount(), newCount(), zeros(params), t.Init(params)}
	}, func(updates []Leaf, s AccumulateState, step Step) ([]Leaf, AccumulateState) {
		mean := with(s.Mean, updates, func(_ int, g Leaf, m nx.Tensor) nx.Tensor {
			if o.sums {
				return nx.Add(m, g.Tensor)
			}
			part := nx.Div(1, nx.Add(nx.Cast(s.Collected, nx.F64), 1))
			return nx.Add(m, times(nx.Sub(g.Tensor, m), like(part, m)))
		})
		collected := nx.Add(s.Collected, 1)
		if o.skip {
			ok := finite(updates)
			mean = with(mean, updates, func(_ int, g Leaf, m nx.Tensor) nx.Tensor {
				return nx.Where(ok, m, s.Mean[g.Path])
			})
			collected = nx.Where(ok, collected, s.Collected)
		}
		due := nx.GreaterEqual(nx.Cast(collected, nx.F64), nx.Round(count.function()(s.Step)))
		type result struct {
			Updates Tensors
			State   AccumulateState
		}
		r := nx.Cond(due, func() result {
			means := each(updates, func(_ int, g Leaf) nx.Tensor { return mean[g.Path] })
			changed, inner := t.Update(means, s.Inner, step)
			empty := AccumulateState{nx.ZerosLike(collected), after(s.Step), tree.ZerosLike(mean), inner}
			return result{byPath(changed), empty}
		}, func() result {
			return result{zeros(updates), AccumulateState{collected, s.Step, mean, s.Inner}}
		})
		return each(updates, func(_ int, u Leaf) nx.Tensor { return r.Updates[u.Path] }), r.State
	}}
}

// byPath returns the tensors of leaves by their paths.
func byPath(leaves []Leaf) Tensors {
	m := Tensors{}
	for _, l := range leaves {
		m[l.Path] = l.Tensor
	}
	return m
}

// LookaheadState is the state of [Lookahead].
type LookaheadState struct {
	// Steps is the number of updates since the last synchronisation.
	Steps nx.Tensor
	// Slow are the slow parameters.
	Slow Tensors
	// Inner is the state of the transform.
	Inner State
}

// LookaheadOption is an option of [Lookahead].
type LookaheadOption interface{ lookahead(*bool) }

type resetState bool

// ResetState begins the state of the transform from scratch at each synchronisation.
const ResetState resetState = true

func (resetState) lookahead(reset *bool) { *reset = true }

// Lookahead has slow parameters that follow those of a transform (arXiv:1907.08610): at each n-th step the slow ones go
// the part alpha of the way to the fast ones, which then continue from there. The slow ones lie in the state.
func Lookahead(n int, alpha float64, t Transform, opts ...LookaheadOption) Transform {
	positive("Lookahead", n)
	reset := false
	for _, o := range opts {
		if o != nil {
			o.lookahead(&reset)
		}
	}
	return stateful[LookaheadState]{"Lookahead", func(params []Leaf) LookaheadState {
		slow := each(params, func(_ int, p Leaf) nx.Tensor { return copied(p.Tensor) })
		return LookaheadState{newCount(), byPath(slow), t.Init(params)}
	}, func(updates []Leaf, s LookaheadState, step Step) ([]Leaf, LookaheadState) {
		fast, inner := t.Update(updates, s.Inner, step)
		steps := nx.Add(s.Steps, 1)
		due := nx.Equal(steps, n)
		if reset {
			inner = choose(due, t.Init(step.Params), inner)
		}
		next := LookaheadState{Steps: nx.Where(due, nx.ZerosLike(steps), steps), Inner: inner}
		next.Slow = with(s.Slow, fast, func(i int, u Leaf, slow nx.Tensor) nx.Tensor {
			way := nx.Sub(nx.Add(step.Params[i].Tensor, u.Tensor), slow)
			return nx.Where(due, nx.Add(slow, nx.Mul(alpha, way)), slow)
		})
		return each(fast, func(i int, u Leaf) nx.Tensor {
			return nx.Where(due, nx.Sub(next.Slow[u.Path], step.Params[i].Tensor), u.Tensor)
		}), next
	}}
}

// Average returns the average decay·avg + (1-decay)·params of parameters, in the types of avg; other tensors than
// floats are those of params. It is the moving average of a model after each step.
func Average[P any](avg, params P, decay float64) P {
	return tree.Map2(func(a, p nx.Tensor) nx.Tensor {
		if !a.DType().IsFloat() && !a.DType().IsComplex() {
			return p
		}
		w := wide(a.DType())
		from := nx.Cast(a, w)
		return nx.Cast(nx.Add(from, nx.Mul(1-decay, nx.Sub(nx.Cast(p, w), from))), a.DType())
	}, avg, params)
}
