package optim

import (
	"math"

	"github.com/go-nx/nx"
)

func hypot(v float64) float64 { return math.Hypot(1, v) }

// ScaleBySign replaces updates by their signs.
func ScaleBySign() Transform {
	return mapped(func(u, _ nx.Tensor) nx.Tensor { return nx.Sign(u) })
}

// SignSGD steps by the sign of the gradient (arXiv:1802.04434).
func SignSGD[R Rate](learningRate R) Transform { return Chain(ScaleBySign(), Descend(learningRate)) }

// Signum steps by the sign of an average of gradients with the decay beta (arXiv:1802.04434).
func Signum[R Rate](learningRate R, beta float64) Transform {
	return Chain(EMA(beta), ScaleBySign(), Descend(learningRate))
}

// SM3State is the state of [ScaleBySM3].
type SM3State struct {
	// Largest has, for each parameter, one vector per axis: the largest sums of squares along the others.
	Largest map[string][]nx.Tensor
	// M are averages of directions.
	M Tensors
}

// SM3 is [Adagrad] whose sums of squares take the memory of one vector per axis (arXiv:1901.11150). The momentum is the
// decay of an average of directions, .9 in Optax.
func SM3[R Rate](learningRate R, momentum float64) Transform {
	return Chain(ScaleBySM3(momentum), Descend(learningRate))
}

// ScaleBySM3 is the direction of [SM3].
func ScaleBySM3(momentum float64) Transform {
	return stateful[SM3State]{"ScaleBySM3", func(params []Leaf) SM3State {
		s := SM3State{map[string][]nx.Tensor{}, zeros(params)}
		for _, p := range params {
			if p.Tensor.Rank() == 0 {
				s.Largest[p.Path] = []nx.Tensor{nx.ZerosLike(p.Tensor)}
			}
			for _, n := range p.Tensor.Shape() {
				s.Largest[p.Path] = append(s.Largest[p.Path], nx.Zeros(nx.Shape{n}, p.Tensor.DType()))
			}
		}
		return s
	}, func(updates []Leaf, s SM3State, _ Step) ([]Leaf, SM3State) {
		next := SM3State{Largest: map[string][]nx.Tensor{}}
		for path, v := range s.Largest {
			next.Largest[path] = v
		}
		directions := each(updates, func(_ int, g Leaf) nx.Tensor {
			sum, largest := sm3Sum(g.Tensor, s.Largest[g.Path])
			next.Largest[g.Path] = largest
			return nx.Where(nx.Greater(sum, 0), nx.Mul(g.Tensor, nx.Rsqrt(nx.Add(sum, 1e-8))), nx.ZerosLike(g.Tensor))
		})
		next.M = average(momentum, s.M, directions)
		return each(updates, func(_ int, g Leaf) nx.Tensor { return next.M[g.Path] }), next
	}}
}

// sm3Sum returns the bound of the sum of squares of a gradient, and the vectors after it.
func sm3Sum(g nx.Tensor, vectors []nx.Tensor) (sum nx.Tensor, largest []nx.Tensor) {
	rank := g.Rank()
	if rank < 2 { // a scalar, and a vector, are their sums
		sum = nx.Add(nx.Square(g), vectors[0])
		return sum, []nx.Tensor{sum}
	}
	for i, v := range vectors {
		shape := make([]int, rank)
		for k := range shape {
			shape[k] = 1
		}
		shape[i] = g.Shape()[i]
		v = nx.Reshape(v, shape...)
		if i == 0 {
			sum = v
		} else {
			sum = nx.Minimum(sum, v)
		}
	}
	sum = nx.Add(nx.Square(g), sum)
	for i := range vectors {
		var others []int
		for k := range rank {
			if k != i {
				others = append(others, k)
			}
		}
		largest = append(largest, nx.Max(sum, nx.Axis(others...)))
	}
	return sum, largest
}

// RpropState is the state of [ScaleByRprop].
type RpropState struct {
	// Size are the sizes of steps, and Last the last steps.
	Size, Last Tensors
}

// Rprop steps by the sign of the gradient, with a size for each element that grows while the sign stays and shrinks
// when it changes (Riedmiller, Braun 1993). The rate is the first size. Its defaults are StepFactors(.5, 1.2) and
// StepBounds(1e-6, 50). It is for gradients of all the data, not of batches.
func Rprop(learningRate float64, opts ...RpropOption) Transform {
	return Chain(ScaleByRprop(learningRate, opts...), Scale(-1))
}

// ScaleByRprop is the direction of [Rprop], with its size.
func ScaleByRprop(firstSize float64, opts ...RpropOption) Transform {
	o := apply(settings{shrink: .5, growth: 1.2, smallest: 1e-6, largest: 50}, opts)
	return stateful[RpropState]{"ScaleByRprop", func(params []Leaf) RpropState {
		return RpropState{filled(params, firstSize), zeros(params)}
	}, func(updates []Leaf, s RpropState, _ Step) ([]Leaf, RpropState) {
		turned := each(updates, func(_ int, g Leaf) nx.Tensor { return nx.Mul(g.Tensor, s.Last[g.Path]) })
		next := RpropState{Size: with(s.Size, turned, func(_ int, t Leaf, size nx.Tensor) nx.Tensor {
			factor := nx.Where(nx.Greater(t.Tensor, 0), o.growth, o.shrink)
			changed := nx.Clip(nx.Mul(size, like(factor, size)), o.smallest, o.largest)
			return nx.Where(nx.Equal(t.Tensor, 0), size, changed)
		})}
		next.Last = with(s.Last, updates, func(i int, g Leaf, _ nx.Tensor) nx.Tensor {
			step := nx.Mul(next.Size[g.Path], nx.Sign(g.Tensor))
			return nx.Where(nx.Less(turned[i].Tensor, 0), nx.ZerosLike(step), step)
		})
		return each(updates, func(i int, g Leaf) nx.Tensor {
			if o.late {
				last := s.Last[g.Path]
				return nx.Where(nx.Less(turned[i].Tensor, 0), nx.ZerosLike(last), last)
			}
			return next.Last[g.Path]
		}), next
	}}
}
