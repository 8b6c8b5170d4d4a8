package optim

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/linalg"
)

// Coefficients are those of one Newton-Schulz iteration, x·a + (b·x·xᵀ + c·(x·xᵀ)²)·x.
type Coefficients struct{ A, B, C float64 }

// MuonState is the state of [ScaleByMuon].
type MuonState struct {
	// Step is the number of updates made.
	Step nx.Tensor
	// M are averages of gradients.
	M Tensors
}

// Muon steps matrices along the orthogonal matrix nearest to an average of gradients (Jordan et al. 2024), and the
// other parameters by Adam with [Nesterov]'s momentum at the same rate, or as [Rest] says. Embeddings and the last
// layer of a language model should be among the others: use Groups.
//
// Its defaults are Momentum(.95), five iterations with [NewtonSchulz] (3.4445, -4.775, 2.0315), Epsilon(1e-8), no
// decay, and the factor √max(1, rows/columns), rows being the outputs of a layer.
func Muon[R Rate](learningRate R, opts ...MuonOption) Transform {
	o := apply(muonDefaults, opts)
	rest := o.rest
	if rest == nil {
		adam := settings{b1: .9, b2: .999, epsilon: o.epsilon, nesterov: o.nesterov}
		rest = Chain(adam.adam(), Descend(learningRate))
	}
	matrix := func(l Leaf) string {
		if l.Tensor.Rank() == 2 {
			return "muon"
		}
		return "rest"
	}
	return Groups(matrix, map[string]Transform{
		"muon": Chain(o.muon(), o.decayed(), Descend(learningRate)),
		"rest": rest,
	})
}

var muonDefaults = settings{momentum: .95, epsilon: 1e-8, nesterov: true, steps: 5,
	coefficients: []Coefficients{{3.4445, -4.775, 2.0315}}}

// ScaleByMuon is the direction of [Muon], for matrices only.
func ScaleByMuon(opts ...MuonOption) Transform { return apply(muonDefaults, opts).muon() }

func (o settings) muon() Transform {
	return stateful[MuonState]{"ScaleByMuon", func(params []Leaf) MuonState {
		return MuonState{newCount(), zeros(params)}
	}, func(updates []Leaf, s MuonState, _ Step) ([]Leaf, MuonState) {
		next := MuonState{after(s.Step), average(o.momentum, s.M, updates)}
		b := settings{b1: o.momentum, nesterov: o.nesterov}
		ofM, ofG := b.factors(next.Step, nx.Tensor{})
		if o.meanUncorrected {
			ofM, ofG = scalar(1), nx.Tensor{}
			if o.nesterov {
				ofM, ofG = scalar(o.momentum), scalar(1-o.momentum)
			}
		}
		return each(updates, func(_ int, g Leaf) nx.Tensor {
			m := b.numerator(g.Tensor, next.M[g.Path], ofM, ofG)
			u := o.orthogonal(m)
			if o.adaptive {
				u = nx.Mul(nx.Sum(nx.Mul(m, u)), u)
			}
			return nx.Mul(o.shapeFactor(u.Shape()), u)
		}), next
	}}
}

// shapeFactor returns the factor of the direction of a matrix.
func (o settings) shapeFactor(shape []int) float64 {
	rows, columns := float64(shape[0]), float64(shape[1])
	if o.inputsFirst {
		rows, columns = columns, rows
	}
	switch {
	case o.targetRMS != 0:
		return math.Sqrt(max(rows, columns)) * o.targetRMS
	case o.unscaled:
		return 1
	}
	return math.Sqrt(max(1, rows/columns))
}

// rescaled returns a matrix x, and a = x·xᵀ, after the preconditioning of the first iteration.
func (o settings) rescaled(x, a nx.Tensor) (nx.Tensor, nx.Tensor) {
	var size nx.Tensor
	switch o.precondition {
	case ByRows:
		size = nx.Sum(nx.Abs(a), nx.Axis(-1), nx.KeepAxes)
	case BySchattenNorm:
		size = nx.Reshape(norm(a), 1, 1)
	default:
		return x, a
	}
	s := nx.Rsqrt(nx.Maximum(size, o.epsilon))
	return nx.Mul(x, s), nx.Mul(nx.Mul(a, s), nx.Transpose(s))
}

// orthogonal returns nearly the orthogonal factor of a matrix: its singular values become about 1. What an iteration
// computes is rounded to the type that the settings say, if any.
func (o settings) orthogonal(x nx.Tensor) nx.Tensor {
	d, round := x.DType(), func(x nx.Tensor) nx.Tensor { return x }
	if o.iterateIn.IsValid() {
		x = nx.Cast(x, nx.F32)
		round = func(x nx.Tensor) nx.Tensor { return nx.Cast(nx.Cast(x, o.iterateIn), x.DType()) }
	}
	tall := x.Shape()[0] > x.Shape()[1]
	if tall {
		x = nx.Transpose(x)
	}
	x = round(x)
	switch o.precondition {
	case "":
		x = round(nx.Div(x, round(nx.Add(norm(x), o.epsilon))))
	case BySpectralNorm:
		x = round(nx.Div(x, nx.Add(nx.Max(linalg.SVDVals(x)), o.epsilon)))
	}
	for i := range o.steps {
		c := o.coefficients[min(i, len(o.coefficients)-1)]
		a := round(nx.Dot(x, nx.Transpose(x)))
		if i == 0 {
			x, a = o.rescaled(x, a)
		}
		b := round(nx.Add(nx.Mul(c.B, a), nx.Mul(c.C, nx.Dot(a, a))))
		x = round(nx.Add(nx.Mul(c.A, x), nx.Dot(b, x)))
	}
	if tall {
		x = nx.Transpose(x)
	}
	return nx.Cast(x, d)
}
