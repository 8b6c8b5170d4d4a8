package library

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Prepacked is a contraction in a running loop with an invariant right operand. It belongs to one execution.
type Prepacked interface {
	// Run computes it. The right operand must have the same elements in all runs until End.
	Run(env *rt.Env, ins, outs [][]byte) error
	// End frees the memory.
	End()
}

// PrepackedContract returns a constructor for a contraction; nil if prepacking gains nothing.
func PrepackedContract(n *program.Contraction, p *program.Program) func() Prepacked {
	if !program.IsPlainGemm(p, n) {
		return nil
	}
	d := contraction{a: layoutOf(&n.Left), b: layoutOf(&n.Right), c: layoutOf(&n.Out)}
	switch n.Acc {
	case dtype.F32:
		return func() Prepacked { return &prepacked[float32]{contraction: d} }
	case dtype.F64:
		return func() Prepacked { return &prepacked[float64]{contraction: d} }
	}
	return nil
}

type prepacked[T float32 | float64] struct {
	contraction
	by gemm.PrepackedMatMul[T]
}

func (r *prepacked[T]) Run(env *rt.Env, ins, outs [][]byte) error {
	return r.by.Run(env, matrix[T](outs[0], r.c), matrix[T](ins[0], r.a), matrix[T](ins[1], r.b))
}

func (r *prepacked[T]) End() { r.by.End() }
