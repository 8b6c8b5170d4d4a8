package optim

import (
	"math"

	"github.com/go-nx/nx"
)

// AdamState is the state of [ScaleByAdam].
type AdamState struct {
	// Step is the number of updates made.
	Step nx.Tensor
	// M and V are averages of gradients and of their squares.
	M, V Tensors
	// Largest are the largest averages of squares for AMSGrad.
	Largest Tensors
	// Product is that of the decays so far for MomentumDecay.
	Product nx.Tensor
}

// Adam is the optimiser of Kingma and Ba (arXiv:1412.6980): [ScaleByAdam], then minus the rate. Its defaults are
// Betas(.9, .999) and Epsilon(1e-8). Adam with [Nesterov] is NAdam.
func Adam[R Rate](learningRate R, opts ...AdamOption) Transform {
	return Chain(ScaleByAdam(opts...), Descend(learningRate))
}

// AdamW is [Adam] with decoupled weight decay (arXiv:1711.05101): λ times the parameter is added to the direction,
// before the rate. Vectors do not decay; with DecayOf(All) they do, as in PyTorch.
func AdamW[R, D Rate](learningRate R, lambda D, opts ...AdamWOption) Transform {
	o := apply(adamDefaults, opts)
	o.decay = rateOf(lambda)
	return Chain(o.adam(), o.decayed(), Descend(learningRate))
}

var adamDefaults = settings{b1: .9, b2: .999, epsilon: 1e-8}

// ScaleByAdam is the direction of Adam: m̂/(√(v̂+ε_root)+ε), m and v being averages of gradients and squares, corrected
// for their start at 0.
func ScaleByAdam(opts ...AdamOption) Transform {
	return apply(adamDefaults, opts).adam()
}

func (o settings) adam() Transform {
	return stateful[AdamState]{"ScaleByAdam", o.initAdam, o.updateAdam}
}

func (o settings) updateAdam(updates []Leaf, s AdamState, _ Step) ([]Leaf, AdamState) {
	next := AdamState{
		Step: after(s.Step),
		M:    average(o.b1, s.M, updates),
		V:    averageSquares(o.b2, s.V, updates),
	}
	ofM, ofG := o.factors(next.Step, s.Product)
	if o.hasMomentumDecay {
		next.Product = o.productAt(s.Product, next.Step)
	}
	ofV := debias(o.b2, next.Step)
	if o.squareUncorrected {
		ofV = scalar(1)
	}
	if o.maximum || o.rawMaximum {
		next.Largest = with(s.Largest, updates, func(_ int, g Leaf, largest nx.Tensor) nx.Tensor {
			v := next.V[g.Path]
			if o.maximum {
				v = nx.Mul(v, like(ofV, v))
			}
			return nx.Maximum(largest, v)
		})
	}
	return each(updates, func(_ int, g Leaf) nx.Tensor {
		m, v, factor := next.M[g.Path], next.V[g.Path], ofV
		switch {
		case o.maximum:
			v, factor = next.Largest[g.Path], scalar(1)
		case o.rawMaximum:
			v = next.Largest[g.Path]
		}
		u := times(m, like(ofM, m))
		if !ofG.IsZero() {
			u = nx.Add(u, times(g.Tensor, like(ofG, g.Tensor)))
		}
		return o.quotient(u, v, factor)
	}), next
}

func (o settings) initAdam(params []Leaf) AdamState {
	s := AdamState{Step: newCount(), M: zeros(params), V: filledReal(params, o.initial)}
	if o.maximum || o.rawMaximum {
		s.Largest = filledReal(params, 0)
	}
	if o.hasMomentumDecay {
		s.Product = scalar(1)
		if o.narrowProduct {
			s.Product = nx.Cast(s.Product, nx.F32)
		}
	}
	return s
}

// factors returns those of m and of the gradient in the direction of Adam at step t; that of the gradient is absent
// without Nesterov's momentum.
func (o settings) factors(t, product nx.Tensor) (ofM, ofG nx.Tensor) {
	switch {
	case o.hasMomentumDecay:
		now, next := o.decayAt(t), o.decayAt(nx.Add(t, 1))
		product = nx.Cast(o.productAt(product, t), nx.F64)
		return nx.Div(next, nx.Sub(1, nx.Mul(product, next))), nx.Div(nx.Sub(1, now), nx.Sub(1, product))
	case o.meanUncorrected:
		return scalar(1), nx.Tensor{}
	case o.nesterov:
		return nx.Mul(o.b1, debias(o.b1, nx.Add(t, 1))), nx.Mul(1-o.b1, debias(o.b1, t))
	}
	return debias(o.b1, t), nx.Tensor{}
}

// productAt returns the product of the decays up to step t.
func (o settings) productAt(before, t nx.Tensor) nx.Tensor {
	return nx.Mul(before, nx.Cast(o.decayAt(t), before.DType()))
}

// decayAt returns the decay of gradients at a step with [MomentumDecay].
func (o settings) decayAt(t nx.Tensor) nx.Tensor {
	return nx.Mul(o.b1, nx.Sub(1, nx.Mul(.5, nx.Exp(nx.Mul(nx.Cast(t, nx.F64), o.momentumDecay*math.Log(.96))))))
}

// quotient returns u/(√(v·factor+ε_root)+ε).
func (o settings) quotient(u, v, factor nx.Tensor) nx.Tensor {
	var root nx.Tensor
	if o.epsilonUncorrected {
		root = nx.Mul(nx.Add(nx.Sqrt(o.rooted(v)), o.epsilon), like(nx.Sqrt(factor), v))
	} else {
		root = nx.Add(nx.Sqrt(o.rooted(nx.Mul(v, like(factor, v)))), o.epsilon)
	}
	return over(u, root)
}

// rooted adds the epsilon under a root.
func (o settings) rooted(v nx.Tensor) nx.Tensor {
	if o.epsilonRoot == 0 {
		return v
	}
	return nx.Add(v, o.epsilonRoot)
}
