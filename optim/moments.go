package optim

import (
	"github.com/go-nx/nx"
)

// MomentsState is the state of relatives of Adam.
type MomentsState struct {
	// Step is the number of updates made.
	Step nx.Tensor
	// M are averages of gradients, and V of a measure of their size.
	M, V Tensors
}

// moments is a relative of Adam: it averages gradients and updates V, and its direction is that of use.
func (o settings) moments(name string, size func(g, m, v nx.Tensor) nx.Tensor,
	use func(step nx.Tensor) func(g, m, v nx.Tensor) nx.Tensor) Transform {
	return stateful[MomentsState]{name, func(params []Leaf) MomentsState {
		return MomentsState{newCount(), filled(params, o.initial), filledReal(params, o.initial)}
	}, func(updates []Leaf, s MomentsState, _ Step) ([]Leaf, MomentsState) {
		next := MomentsState{Step: after(s.Step), M: average(o.b1, s.M, updates)}
		next.V = with(s.V, updates, func(_ int, g Leaf, v nx.Tensor) nx.Tensor {
			return size(g.Tensor, next.M[g.Path], v)
		})
		direction := use(next.Step)
		return each(updates, func(_ int, g Leaf) nx.Tensor {
			return direction(g.Tensor, next.M[g.Path], next.V[g.Path])
		}), next
	}}
}

// corrected is the direction of Adam at a step.
func (o settings) correctedMoments(step nx.Tensor) func(g, m, v nx.Tensor) nx.Tensor {
	ofM, ofG := o.factors(step, nx.Tensor{})
	ofV := debias(o.b2, step)
	return func(g, m, v nx.Tensor) nx.Tensor { return o.quotient(o.numerator(g, m, ofM, ofG), v, ofV) }
}

// numerator returns m and g by their factors.
func (o settings) numerator(g, m, ofM, ofG nx.Tensor) nx.Tensor {
	u := times(m, like(ofM, m))
	if ofG.IsZero() {
		return u
	}
	return nx.Add(u, times(g, like(ofG, g)))
}

// AdaBelief divides by the deviation of gradients from their average (arXiv:2010.07468). Its defaults are
// Betas(.9, .999), Epsilon(1e-16) and EpsilonRoot(1e-16), which is added to the average of squares at each step.
func AdaBelief[R Rate](learningRate R, opts ...BeliefOption) Transform {
	return Chain(ScaleByBelief(opts...), Descend(learningRate))
}

// ScaleByBelief is the direction of [AdaBelief].
func ScaleByBelief(opts ...BeliefOption) Transform {
	o := apply(settings{b1: .9, b2: .999, epsilon: 1e-16, epsilonRoot: 1e-16}, opts)
	root := o.epsilonRoot
	o.epsilonRoot = 0
	return o.moments("ScaleByBelief", func(g, m, v nx.Tensor) nx.Tensor {
		return nx.Add(moment(o.b2, v, square(nx.Sub(g, m))), root)
	}, o.correctedMoments)
}

// Yogi changes the average of squares by their sign only, so that it falls slowly (Zaheer et al. 2018). Its defaults
// are Betas(.9, .999), Epsilon(1e-3) and Initial(1e-6).
func Yogi[R Rate](learningRate R, opts ...YogiOption) Transform {
	return Chain(ScaleByYogi(opts...), Descend(learningRate))
}

// ScaleByYogi is the direction of [Yogi].
func ScaleByYogi(opts ...YogiOption) Transform {
	o := apply(settings{b1: .9, b2: .999, epsilon: 1e-3, initial: 1e-6}, opts)
	return o.moments("ScaleByYogi", func(g, _, v nx.Tensor) nx.Tensor {
		s := square(g)
		return nx.Sub(v, nx.Mul(1-o.b2, nx.Mul(nx.Sign(nx.Sub(v, s)), s)))
	}, o.correctedMoments)
}

// RAdam is [Adam] whose first steps, in which the average of squares is short, are those of momentum
// (arXiv:1908.03265). Its defaults are those of Adam and Threshold(5).
func RAdam[R Rate](learningRate R, opts ...RAdamOption) Transform {
	return Chain(ScaleByRAdam(opts...), Descend(learningRate))
}

// ScaleByRAdam is the direction of [RAdam].
func ScaleByRAdam(opts ...RAdamOption) Transform {
	o := apply(settings{b1: .9, b2: .999, epsilon: 1e-8, threshold: 5}, opts)
	inf := 2/(1-o.b2) - 1
	return o.moments("ScaleByRAdam", func(g, _, v nx.Tensor) nx.Tensor { return moment(o.b2, v, square(g)) },
		func(step nx.Tensor) func(g, m, v nx.Tensor) nx.Tensor {
			t := nx.Cast(step, nx.F64)
			rest := oneMinusPow(o.b2, step)
			length := nx.Sub(inf, nx.Div(nx.Mul(2, nx.Mul(t, nx.Sub(1, rest))), rest))
			long := nx.GreaterEqual(length, o.threshold)
			r := nx.Div(nx.Mul(nx.Mul(nx.Sub(length, 4), nx.Sub(length, 2)), inf),
				nx.Mul((inf-4)*(inf-2), length))
			r = nx.Sqrt(nx.Where(long, r, 1.0))
			ofM, ofG := o.factors(step, nx.Tensor{})
			ofV := debias(o.b2, step)
			return func(g, m, v nx.Tensor) nx.Tensor {
				u := o.numerator(g, m, ofM, ofG)
				return nx.Where(long, times(o.quotient(u, v, ofV), like(r, v)), u)
			}
		})
}

// Adamax divides by the largest decayed gradient (arXiv:1412.6980). Its defaults are Betas(.9, .999) and Epsilon(1e-8),
// which is added to the gradient; with [EpsilonOutside] to the largest one, as Keras does.
func Adamax[R Rate](learningRate R, opts ...AdamaxOption) Transform {
	o := apply(settings{b1: .9, b2: .999, epsilon: 1e-8}, opts)
	return Chain(o.adamax(), o.decayed(), Descend(learningRate))
}

// ScaleByAdamax is the direction of [Adamax].
func ScaleByAdamax(opts ...AdamaxOption) Transform {
	return apply(settings{b1: .9, b2: .999, epsilon: 1e-8}, opts).adamax()
}

func (o settings) adamax() Transform {
	return o.moments("ScaleByAdamax", func(g, _, v nx.Tensor) nx.Tensor {
		g = nx.Abs(g)
		if !o.epsilonOutside {
			g = nx.Add(g, o.epsilon)
		}
		return nx.Maximum(nx.Mul(o.b2, v), g)
	}, func(step nx.Tensor) func(g, m, v nx.Tensor) nx.Tensor {
		ofM := debias(o.b1, step)
		return func(_, m, v nx.Tensor) nx.Tensor {
			if o.epsilonOutside {
				v = nx.Add(v, o.epsilon)
			}
			return over(times(m, like(ofM, m)), v)
		}
	})
}

// LionState is the state of [ScaleByLion].
type LionState struct {
	// M are averages of gradients.
	M Tensors
}

// Lion steps by the sign of an average of gradients (arXiv:2302.06675). Its defaults are Betas(.9, .99) and no decay;
// Optax has Decay(1e-3).
func Lion[R Rate](learningRate R, opts ...LionOption) Transform {
	o := apply(settings{b1: .9, b2: .99}, opts)
	return Chain(o.lion(), o.decayed(), Descend(learningRate))
}

// ScaleByLion is the direction of [Lion].
func ScaleByLion(opts ...LionOption) Transform { return apply(settings{b1: .9, b2: .99}, opts).lion() }

func (o settings) lion() Transform {
	return stateful[LionState]{"ScaleByLion", func(params []Leaf) LionState {
		return LionState{zeros(params)}
	}, func(updates []Leaf, s LionState, _ Step) ([]Leaf, LionState) {
		return each(updates, func(_ int, g Leaf) nx.Tensor {
			return nx.Sign(moment(o.b1, s.M[g.Path], g.Tensor))
		}), LionState{average(o.b2, s.M, updates)}
	}}
}

// AdanState is the state of [ScaleByAdan].
type AdanState struct {
	// Step is the number of updates made.
	Step nx.Tensor
	// M, D and V are averages of gradients, of their differences, and of squares; Last are the last gradients.
	M, D, V, Last Tensors
}

// Adan has Nesterov's momentum by differences of gradients (arXiv:2208.06677). Its defaults are AdanBetas(.98, .92,
// .99), Epsilon(1e-8), EpsilonRoot(1e-8) and no decay.
func Adan[R Rate](learningRate R, opts ...AdanOption) Transform {
	o := apply(adanDefaults, opts)
	return Chain(o.adan(), o.decayed(), Descend(learningRate))
}

var adanDefaults = settings{b1: .98, b2: .92, b3: .99, epsilon: 1e-8, epsilonRoot: 1e-8}

// ScaleByAdan is the direction of [Adan].
func ScaleByAdan(opts ...AdanOption) Transform { return apply(adanDefaults, opts).adan() }

func (o settings) adan() Transform {
	return stateful[AdanState]{"ScaleByAdan", func(params []Leaf) AdanState {
		return AdanState{newCount(), zeros(params), zeros(params), filledReal(params, 0), zeros(params)}
	}, func(updates []Leaf, s AdanState, _ Step) ([]Leaf, AdanState) {
		first := nx.Equal(s.Step, 0)
		differences := each(updates, func(_ int, g Leaf) nx.Tensor {
			return nx.Where(first, nx.ZerosLike(g.Tensor), nx.Sub(g.Tensor, s.Last[g.Path]))
		})
		ahead := each(updates, func(i int, g Leaf) nx.Tensor {
			return nx.Add(g.Tensor, nx.Mul(1-o.b2, differences[i].Tensor))
		})
		next := AdanState{
			Step: after(s.Step),
			M:    average(o.b1, s.M, updates),
			D:    average(o.b2, s.D, differences),
			V:    averageSquares(o.b3, s.V, ahead),
			Last: with(s.Last, updates, func(_ int, g Leaf, _ nx.Tensor) nx.Tensor { return g.Tensor }),
		}
		ofM, ofV := debias(o.b1, next.Step), debias(o.b3, next.Step)
		ofD := nx.Mul(1-o.b2, debias(o.b2, next.Step))
		return each(updates, func(_ int, g Leaf) nx.Tensor {
			return o.quotient(o.numerator(next.D[g.Path], next.M[g.Path], ofM, ofD), next.V[g.Path], ofV)
		}), next
	}}
}
