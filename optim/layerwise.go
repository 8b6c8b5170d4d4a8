package optim

import "github.com/go-nx/nx"

// ScaleByTrustRatio multiplies each update by ‖p‖/(‖u‖+ε)·coefficient, p being the parameter; by 1 where one of the
// norms is 0. Norms are minNorm at least.
func ScaleByTrustRatio(coefficient, epsilon, minNorm float64) Transform {
	return mapped(func(u, p nx.Tensor) nx.Tensor {
		pNorm, uNorm := nx.Maximum(norm(p), minNorm), nx.Maximum(norm(u), minNorm)
		ratio := nx.Div(nx.Mul(coefficient, pNorm), nx.Add(uNorm, epsilon))
		zero := nx.LogicalOr(nx.Equal(pNorm, 0), nx.Equal(uNorm, 0))
		return times(u, nx.Where(zero, 1.0, ratio))
	})
}

// LAMB is [Adam] with decay and trust ratios (arXiv:1904.00962). Its defaults are Betas(.9, .999), Epsilon(1e-6) and no
// decay.
func LAMB[R Rate](learningRate R, opts ...LAMBOption) Transform {
	o := apply(settings{b1: .9, b2: .999, epsilon: 1e-6}, opts)
	return Chain(o.adam(), o.decayed(), ScaleByTrustRatio(1, 0, 0), Descend(learningRate))
}

// LARS is momentum with trust ratios (arXiv:1708.03888). Its defaults are TrustCoefficient(1e-3), Momentum(.9),
// Epsilon(0) and no decay. The updates that the momentum sums have the rate in them already; with [RateAfterVelocity]
// not.
func LARS[R Rate](learningRate R, opts ...LARSOption) Transform {
	o := apply(settings{trust: 1e-3, momentum: .9, rateInVelocity: true}, opts)
	trusted := o.trustOf
	if trusted == nil {
		trusted = All
	}
	direction := Chain(o.decayed(), Where(trusted, ScaleByTrustRatio(o.trust, o.epsilon, 0)))
	if o.rateInVelocity {
		return Chain(direction, Descend(learningRate), o.trace())
	}
	return Chain(direction, o.trace(), Descend(learningRate))
}

// Fromage is descent along normalised gradients that keeps the norms of parameters (arXiv:2002.03432); norms are
// minNorm at least, 1e-6 in Optax.
func Fromage[R Rate](learningRate R, minNorm float64) Transform {
	r := rateOf(learningRate)
	shrink := r.then(func(v float64) float64 { return 1 / hypot(v) }, func(v nx.Tensor) nx.Tensor {
		return nx.Rsqrt(nx.Add(nx.Square(v), 1))
	})
	scaled := r.then(func(v float64) float64 { return v / hypot(v) }, func(v nx.Tensor) nx.Tensor {
		return nx.Mul(v, nx.Rsqrt(nx.Add(nx.Square(v), 1)))
	})
	less := shrink.then(func(v float64) float64 { return v - 1 }, func(v nx.Tensor) nx.Tensor { return nx.Sub(v, 1) })
	return Chain(ScaleByTrustRatio(1, 0, minNorm), Descend(scaled.function()), decaying{less})
}

// NovoGradState is the state of [ScaleByNovoGrad].
type NovoGradState struct {
	// Step is the number of updates made.
	Step nx.Tensor
	// V are averages of squared norms, a scalar for each parameter.
	V Tensors
}

// NovoGrad normalises gradients by parameter and sums them with momentum (arXiv:1905.11286). Its defaults are
// Betas(.9, .25), Epsilon(1e-6) and no decay.
func NovoGrad[R Rate](learningRate R, opts ...NovoGradOption) Transform {
	return Chain(ScaleByNovoGrad(opts...), Descend(learningRate))
}

// ScaleByNovoGrad is the direction of [NovoGrad].
func ScaleByNovoGrad(opts ...NovoGradOption) Transform {
	o := apply(settings{b1: .9, b2: .25, epsilon: 1e-6}, opts)
	normalised := stateful[NovoGradState]{"ScaleByNovoGrad", func(params []Leaf) NovoGradState {
		s := NovoGradState{newCount(), Tensors{}}
		for _, p := range params {
			s.V[p.Path] = nx.Full(nx.Shape{}, 0, realOf(p.Tensor.DType()))
		}
		return s
	}, func(updates []Leaf, s NovoGradState, _ Step) ([]Leaf, NovoGradState) {
		first := nx.Equal(s.Step, 0)
		next := NovoGradState{Step: after(s.Step)}
		next.V = with(s.V, updates, func(_ int, g Leaf, v nx.Tensor) nx.Tensor {
			n := nx.Sum(square(g.Tensor))
			return nx.Where(first, n, moment(o.b2, v, n))
		})
		return each(updates, func(_ int, g Leaf) nx.Tensor {
			return over(g.Tensor, nx.Add(nx.Sqrt(o.rooted(next.V[g.Path])), o.epsilon))
		}), next
	}}
	return Chain(normalised, o.decayed(), Trace(o.b1))
}
