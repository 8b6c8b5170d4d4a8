package main

import (
	"github.com/go-nx/nx"
	"github.com/go-nx/nx/tree"
)

// state is the state of training: the model and the moments of Adam (Kingma, Ba 2015, arXiv:1412.6980).
type state struct {
	Model model
	M, V  model
	Step  nx.Tensor
}

func newState(m model) state {
	return state{Model: m, M: tree.ZerosLike(m), V: tree.ZerosLike(m), Step: nx.Zeros(nx.Shape{}, nx.F32)}
}

const (
	beta1, beta2 = 0.9, 0.999
	epsilon      = 1e-8
	decay        = 1e-4
)

// trainer trains on one mini-batch and returns the loss before the step. The learning rate is a tensor, so
// that changing it does not compile the step again.
type trainer func(s state, rate, x, y nx.Tensor) (state, nx.Tensor)

// newTrainer returns the trainer of a loss.
func newTrainer(loss func(m model, x, y nx.Tensor) nx.Tensor) trainer {
	return nx.Jit(trainer(func(s state, rate, x, y nx.Tensor) (state, nx.Tensor) {
		l, g := nx.ValueAndGrad(func(m model) nx.Tensor { return loss(m, x, y) })(s.Model)
		return s.after(g, rate), l
	}))
}

// after is the state after a step along a gradient.
func (s state) after(g model, rate nx.Tensor) state {
	s.Step = nx.Add(s.Step, 1)
	s.M = tree.Map2(func(m, g nx.Tensor) nx.Tensor { return mix(beta1, m, g) }, s.M, g)
	s.V = tree.Map2(func(v, g nx.Tensor) nx.Tensor { return mix(beta2, v, nx.Mul(g, g)) }, s.V, g)
	toM := nx.Sub(1, nx.Pow(beta1, s.Step)) // corrections of the start at zero
	toV := nx.Sub(1, nx.Pow(beta2, s.Step))
	change := tree.Map2(func(m, v nx.Tensor) nx.Tensor {
		return nx.Div(nx.Div(m, toM), nx.Add(nx.Sqrt(nx.Div(v, toV)), epsilon))
	}, s.M, s.V)
	s.Model = tree.Map2(func(w, d nx.Tensor) nx.Tensor {
		return nx.Sub(w, nx.Mul(rate, nx.Add(d, nx.Mul(decay, w))))
	}, s.Model, change)
	return s
}

// mix returns beta*a + (1-beta)*b.
func mix(beta float64, a, b nx.Tensor) nx.Tensor { return nx.Add(nx.Mul(beta, a), nx.Mul(1-beta, b)) }
