package optim

import "github.com/go-nx/nx"

// TraceState is the state of [Trace].
type TraceState struct {
	// Step is the number of updates made, absent without dampening.
	Step nx.Tensor
	// Trace is the decaying sum of the updates.
	Trace Tensors
}

// SGD is gradient descent, with [Momentum] and [Nesterov] by options.
func SGD[R Rate](learningRate R, opts ...SGDOption) Transform {
	o := apply(settings{}, opts)
	switch {
	case !o.hasMomentum:
		return Descend(learningRate)
	case o.rateInVelocity:
		return Chain(Descend(learningRate), o.trace())
	}
	return Chain(o.trace(), Descend(learningRate))
}

// Trace replaces updates by their decaying sum: b = u + decay·b; with [Nesterov] by u + decay·b. [Dampening] and
// [RateInVelocity] are as for [SGD].
func Trace(decay float64, opts ...SGDOption) Transform {
	o := apply(settings{}, opts)
	o.momentum = decay
	return o.trace()
}

func (o settings) trace() Transform {
	return stateful[TraceState]{"Trace", func(params []Leaf) TraceState {
		s := TraceState{Trace: zeros(params)}
		if o.dampening != 0 {
			s.Step = newCount()
		}
		return s
	}, func(updates []Leaf, s TraceState, _ Step) ([]Leaf, TraceState) {
		next := TraceState{}
		part := nx.Tensor{}
		if o.dampening != 0 {
			next.Step = after(s.Step)
			part = nx.Where(nx.Equal(s.Step, 0), scalar(1), scalar(1-o.dampening))
		}
		next.Trace = with(s.Trace, updates, func(_ int, u Leaf, b nx.Tensor) nx.Tensor {
			entering := u.Tensor
			if !part.IsZero() {
				entering = times(entering, like(part, entering))
			}
			return nx.Add(entering, nx.Mul(o.momentum, b))
		})
		return each(updates, func(_ int, u Leaf) nx.Tensor {
			b := next.Trace[u.Path]
			if o.nesterov {
				return nx.Add(u.Tensor, nx.Mul(o.momentum, b))
			}
			return b
		}), next
	}}
}
