package library

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernels"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Repeated is a contraction in a loop that leaves its right operand as it is, while the loop runs. It belongs to
// one execution.
type Repeated interface {
	// Run computes it. All runs up to the next End have the same elements in the right operand.
	Run(env *rt.Env, ins, outs [][]byte) error
	// End gives back the memory.
	End()
}

// RepeatedContract returns what makes one of a contraction; nil for those that gain nothing by it.
func RepeatedContract(n *program.Contract, p *program.Program) func() Repeated {
	if !program.IsPlainProduct(p, n) {
		return nil
	}
	d := product{a: layoutOf(&n.Left), b: layoutOf(&n.Right), c: layoutOf(&n.Out)}
	switch n.Acc {
	case dtype.F32:
		return func() Repeated { return &repeated[float32]{product: d} }
	case dtype.F64:
		return func() Repeated { return &repeated[float64]{product: d} }
	}
	return nil
}

type repeated[T float32 | float64] struct {
	product
	by kernels.Repeated[T]
}

func (r *repeated[T]) Run(env *rt.Env, ins, outs [][]byte) error {
	return r.by.Run(env, matrix[T](outs[0], r.c), matrix[T](ins[0], r.a), matrix[T](ins[1], r.b))
}

func (r *repeated[T]) End() { r.by.End() }
