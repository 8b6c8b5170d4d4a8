package optim

import (
	"github.com/go-nx/nx"
)

// FactoredState is the state of [ScaleByFactoredRMS].
type FactoredState struct {
	// Step is the number of updates made.
	Step nx.Tensor
	// Row and Column are averages of squares along the larger and the smaller one of two axes, for parameters that are
	// factored; V are averages of squares for the others.
	Row, Column, V Tensors
}

// Adafactor is like [Adam] without momentum and with factored averages of squares, which take the memory of a row and a
// column (arXiv:1804.04235). The rate is relative to the root mean square of a parameter, 1e-3 at least; with
// [Unscaled] absolute. Its defaults are DecayPower(.8), Epsilon(1e-30), MinFactored(128), ClipRMS(1), no momentum and
// no decay.
func Adafactor[R Rate](learningRate R, opts ...AdafactorOption) Transform {
	o := apply(adafactorDefaults, opts)
	list := []Transform{o.factoredRMS()}
	if o.blockRMS > 0 {
		list = append(list, ClipBlockRMS(o.blockRMS))
	}
	list = append(list, Scale(rateOf(learningRate).function()))
	if !o.unscaled {
		list = append(list, ScaleByParamRMS(o.floor))
	}
	if o.hasMomentum {
		list = append(list, EMA(o.momentum))
	}
	return Chain(append(list, o.decayed(), Scale(-1))...)
}

var adafactorDefaults = settings{power: .8, epsilon: 1e-30, minimum: 128, blockRMS: 1, floor: 1e-3}

// ScaleByFactoredRMS is the direction of [Adafactor]: g/√v, v being an average of g²+ε whose decay is 1-t^-power,
// factored along the two largest axes where both have MinFactored elements at least.
func ScaleByFactoredRMS(opts ...AdafactorOption) Transform {
	return apply(adafactorDefaults, opts).factoredRMS()
}

// factored returns the smaller and the larger one of the axes along which a shape is factored.
func (o settings) factored(shape []int) (small, large int, ok bool) {
	rank := len(shape)
	if rank < 2 {
		return 0, 0, false
	}
	if o.lastAxes {
		return rank - 2, rank - 1, true
	}
	small, large = -1, 0
	for i, n := range shape[1:] {
		switch {
		case n >= shape[large]: // the later one of two equal ones
			small, large = large, i+1
		case small < 0 || n >= shape[small]:
			small = i + 1
		}
	}
	return small, large, shape[small] >= o.minimum
}

func (o settings) factoredRMS() Transform {
	return stateful[FactoredState]{"ScaleByFactoredRMS", func(params []Leaf) FactoredState {
		s := FactoredState{newCount(), Tensors{}, Tensors{}, Tensors{}}
		for _, p := range params {
			d := realOf(p.Tensor.DType())
			if small, large, ok := o.factored(p.Tensor.Shape()); ok {
				s.Row[p.Path] = nx.Sum(nx.Zeros(p.Tensor.Shape(), d), nx.Axis(large))
				s.Column[p.Path] = nx.Sum(nx.Zeros(p.Tensor.Shape(), d), nx.Axis(small))
			} else {
				s.V[p.Path] = nx.Zeros(p.Tensor.Shape(), d)
			}
		}
		return s
	}, func(updates []Leaf, s FactoredState, _ Step) ([]Leaf, FactoredState) {
		next := FactoredState{Step: after(s.Step)}
		t := nx.Cast(nx.Sub(next.Step, o.offset), nx.F64)
		part := nx.Pow(t, -o.power) // 1 minus the decay
		mix := func(old, x nx.Tensor) nx.Tensor {
			return nx.Add(nx.Mul(old, like(nx.Sub(1, part), old)), nx.Mul(x, like(part, x)))
		}
		var factored, whole []Leaf
		for _, g := range updates {
			if _, ok := s.V[g.Path]; ok {
				whole = append(whole, g)
			} else {
				factored = append(factored, g)
			}
		}
		squares := func(g nx.Tensor) nx.Tensor {
			if o.epsilonFloor {
				return square(g)
			}
			return nx.Add(square(g), o.epsilon)
		}
		along := func(g nx.Tensor, larger bool) nx.Tensor {
			small, large, _ := o.factored(g.Shape())
			if larger {
				small = large
			}
			return nx.Mean(squares(g), nx.Axis(small))
		}
		next.V = with(s.V, whole, func(_ int, g Leaf, v nx.Tensor) nx.Tensor { return mix(v, squares(g.Tensor)) })
		next.Row = with(s.Row, factored, func(_ int, g Leaf, v nx.Tensor) nx.Tensor {
			return mix(v, along(g.Tensor, true))
		})
		next.Column = with(s.Column, factored, func(_ int, g Leaf, v nx.Tensor) nx.Tensor {
			return mix(v, along(g.Tensor, false))
		})
		return each(updates, func(_ int, g Leaf) nx.Tensor {
			v, ok := next.V[g.Path]
			if !ok {
				v = o.product(g.Tensor.Shape(), next.Row[g.Path], next.Column[g.Path])
			}
			if o.epsilonFloor {
				v = nx.Maximum(v, o.epsilon*o.epsilon)
			}
			return times(g.Tensor, nx.Rsqrt(v))
		}), next
	}}
}

// product returns the averages of squares that a row and a column stand for.
func (o settings) product(shape []int, row, column nx.Tensor) nx.Tensor {
	small, large, _ := o.factored(shape)
	row, column = nx.ExpandAxis(row, nx.Axis(large)), nx.ExpandAxis(column, nx.Axis(small))
	mean := nx.Mean(row, nx.Axis(small), nx.KeepAxes)
	if o.epsilonFloor {
		mean = nx.Maximum(mean, o.epsilon)
	}
	return nx.Mul(nx.Div(row, mean), column)
}
