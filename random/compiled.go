package random

import (
	"sync"

	"github.com/go-nx/nx"
)

// compiled is a function that is compiled at its first call. Variables of this type are data that needs
// no code at the start of a program, so that a program contains only the draws that it makes.
type compiled[R any] struct {
	f    func(R) nx.Tensor
	once sync.Once
	jit  func(R) nx.Tensor
}

func (c *compiled[R]) call(r R) nx.Tensor {
	c.once.Do(func() { c.jit = nx.Jit(c.f) })
	return c.jit(r)
}
