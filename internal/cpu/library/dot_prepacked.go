package library

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernels"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Prepacked is a contraction in a loop that leaves its right operand as it is, while the loop runs. It belongs to
// one execution.
type Prepacked interface {
	// Run computes it. All runs up to the next End have the same elements in the right operand.
	Run(env *rt.Env, ins, outs [][]byte) error
	// End gives back the memory.
	End()
}

// PrepackedContract returns what makes one of a contraction; nil for those that gain nothing by it.
func PrepackedContract(n *program.Contraction, p *program.Program) func() Prepacked {
	if !program.IsPlainGemm(p, n) {
		return nil
	}
	d := gemm{a: layoutOf(&n.Left), b: layoutOf(&n.Right), c: layoutOf(&n.Out)}
	switch n.Acc {
	case dtype.F32:
		return func() Prepacked { return &prepacked[float32]{gemm: d} }
	case dtype.F64:
		return func() Prepacked { return &prepacked[float64]{gemm: d} }
	}
	return nil
}

type prepacked[T float32 | float64] struct {
	gemm
	by kernels.PrepackedMatMul[T]
}

func (r *prepacked[T]) Run(env *rt.Env, ins, outs [][]byte) error {
	return r.by.Run(env, matrix[T](outs[0], r.c), matrix[T](ins[0], r.a), matrix[T](ins[1], r.b))
}

func (r *prepacked[T]) End() { r.by.End() }
