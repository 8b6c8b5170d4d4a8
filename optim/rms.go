package optim

import "github.com/go-nx/nx"

// RMSState is the state of [ScaleByRMS].
type RMSState struct {
	// Step is the number of updates made, absent without [Corrected].
	Step nx.Tensor
	// M are averages of gradients with [Centred], and V those of squares.
	M, V Tensors
}

// RMSProp divides gradients by the root of the average of their squares (Hinton 2012). Its defaults are Rho(.9),
// Epsilon(1e-8), under the root, and no momentum. Momentum is a sum of updates that have the rate in them already;
// with [RateAfterVelocity] of updates without.
func RMSProp[R Rate](learningRate R, opts ...RMSPropOption) Transform {
	o := apply(settings{rho: .9, epsilon: 1e-8, rateInVelocity: true}, opts)
	switch {
	case !o.hasMomentum:
		return Chain(o.rms(), Descend(learningRate))
	case o.rateInVelocity:
		return Chain(o.rms(), Descend(learningRate), o.trace())
	}
	return Chain(o.rms(), o.trace(), Descend(learningRate))
}

// ScaleByRMS is the direction of [RMSProp]: g/√(v+ε).
func ScaleByRMS(opts ...RMSPropOption) Transform {
	return apply(settings{rho: .9, epsilon: 1e-8}, opts).rms()
}

func (o settings) rms() Transform {
	return stateful[RMSState]{"ScaleByRMS", func(params []Leaf) RMSState {
		s := RMSState{V: filledReal(params, o.initial)}
		if o.centred {
			s.M = zeros(params)
		}
		if o.corrected {
			s.Step = newCount()
		}
		return s
	}, func(updates []Leaf, s RMSState, _ Step) ([]Leaf, RMSState) {
		next := RMSState{V: averageSquares(o.rho, s.V, updates)}
		factor := nx.Tensor{}
		if o.corrected {
			next.Step = after(s.Step)
			factor = debias(o.rho, next.Step)
		}
		if o.centred {
			next.M = average(o.rho, s.M, updates)
		}
		return each(updates, func(_ int, g Leaf) nx.Tensor {
			v := scaledBy(next.V[g.Path], factor)
			if o.centred {
				v = nx.Maximum(nx.Sub(v, square(scaledBy(next.M[g.Path], factor))), 0) // a variance, but for rounding
			}
			return over(g.Tensor, o.root(v))
		}), next
	}}
}

// root returns √(v+ε), or √v+ε.
func (o settings) root(v nx.Tensor) nx.Tensor {
	if o.epsilonOutside {
		return nx.Add(nx.Sqrt(v), o.epsilon)
	}
	return nx.Sqrt(nx.Add(v, o.epsilon))
}

// scaledBy multiplies by a factor, if there is one.
func scaledBy(x, factor nx.Tensor) nx.Tensor {
	if factor.IsZero() {
		return x
	}
	return times(x, like(factor, x))
}

// over divides a tensor, which may be complex, by a real one.
func over(x, by nx.Tensor) nx.Tensor {
	if x.DType().IsComplex() {
		by = nx.Cast(by, x.DType())
	}
	return nx.Div(x, by)
}

// average returns averages after those of the leaves have taken them in.
func average(b float64, old Tensors, leaves []Leaf) Tensors {
	return with(old, leaves, func(_ int, l Leaf, m nx.Tensor) nx.Tensor { return moment(b, m, l.Tensor) })
}

// averageSquares is average of squares.
func averageSquares(b float64, old Tensors, leaves []Leaf) Tensors {
	return with(old, leaves, func(_ int, l Leaf, v nx.Tensor) nx.Tensor { return moment(b, v, square(l.Tensor)) })
}

// AdagradState is the state of [ScaleByAdagrad].
type AdagradState struct {
	// Sum are the sums of squares.
	Sum Tensors
}

// Adagrad divides gradients by the root of the sum of their squares (Duchi, Hazan, Singer 2011). Its defaults are
// Initial(.1) and Epsilon(1e-7), under the root.
func Adagrad[R Rate](learningRate R, opts ...AdagradOption) Transform {
	return Chain(ScaleByAdagrad(opts...), Descend(learningRate))
}

// ScaleByAdagrad is the direction of [Adagrad]: g/√(s+ε), and 0 where s is 0.
func ScaleByAdagrad(opts ...AdagradOption) Transform {
	o := apply(settings{initial: .1, epsilon: 1e-7}, opts)
	return stateful[AdagradState]{"ScaleByAdagrad", func(params []Leaf) AdagradState {
		return AdagradState{filledReal(params, o.initial)}
	}, func(updates []Leaf, s AdagradState, _ Step) ([]Leaf, AdagradState) {
		next := AdagradState{with(s.Sum, updates, func(_ int, g Leaf, sum nx.Tensor) nx.Tensor {
			return nx.Add(square(g.Tensor), sum)
		})}
		return each(updates, func(_ int, g Leaf) nx.Tensor {
			sum := next.Sum[g.Path]
			return nx.Where(nx.Greater(sum, 0), over(g.Tensor, o.root(sum)), nx.ZerosLike(g.Tensor))
		}), next
	}}
}

// AdadeltaState is the state of [ScaleByAdadelta].
type AdadeltaState struct {
	// V are averages of squares of gradients, and X those of updates.
	V, X Tensors
}

// Adadelta has updates as large as those before it (arXiv:1212.5701). Its defaults are Rho(.9) and Epsilon(1e-6).
func Adadelta[R Rate](learningRate R, opts ...AdadeltaOption) Transform {
	return Chain(ScaleByAdadelta(opts...), Descend(learningRate))
}

// ScaleByAdadelta is the direction of [Adadelta]: g·√(x+ε)/√(v+ε).
func ScaleByAdadelta(opts ...AdadeltaOption) Transform {
	o := apply(settings{rho: .9, epsilon: 1e-6}, opts)
	return stateful[AdadeltaState]{"ScaleByAdadelta", func(params []Leaf) AdadeltaState {
		return AdadeltaState{filledReal(params, 0), filledReal(params, 0)}
	}, func(updates []Leaf, s AdadeltaState, _ Step) ([]Leaf, AdadeltaState) {
		next := AdadeltaState{V: averageSquares(o.rho, s.V, updates)}
		updates = each(updates, func(_ int, g Leaf) nx.Tensor {
			return times(g.Tensor, nx.Div(o.root(s.X[g.Path]), o.root(next.V[g.Path])))
		})
		next.X = averageSquares(o.rho, s.X, updates)
		return updates, next
	}}
}
