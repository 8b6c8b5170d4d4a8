// Package bound compiles bound methods.
package bound

import "github.com/go-nx/nx"

type Model struct {
	W       nx.Tensor
	Forward func(nx.Tensor) nx.Tensor
}

func (m Model) Apply(x nx.Tensor) nx.Tensor                { return nx.Mul(m.W, x) }
func (m *Model) Loss(x nx.Tensor) nx.Tensor                { return nx.Sum(m.Apply(x)) }
func (m Model) Step(c, x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Add(c, x), m.W }

func f(m Model, x nx.Tensor) {
	nx.Jit(
		m.Apply) // want `m.Apply is bound to its receiver, whose tensors would become constants: compile Model.Apply`
	nx.Jit((&m).Loss, nx.Donate(0))        // want `compile \(\*Model\).Loss`
	_, _ = nx.Compile(m.Apply, nx.Args(x)) // want `compile Model.Apply`
	_ = nx.Stream(nil, m.Step, m.W)        // want `compile Model.Step`
	nx.Jit(Model.Apply)
	nx.Jit((*Model).Loss)
	nx.Jit(m.Forward)
	nx.Grad(m.Apply)
}
