package library

import (
	"fmt"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// withPrologue returns the function of a product whose right operand is computed during packing, from operands of the
// given types.
func withPrologue(n *program.Contraction, types []dtype.Type, prologue *codegen.Body) (Func, error) {
	switch n.Acc {
	case dtype.F32:
		return multiplyWithPrologue[float32](n, types, prologue), nil
	case dtype.F64:
		return multiplyWithPrologue[float64](n, types, prologue), nil
	}
	return nil, fmt.Errorf("cpu: %s: a prologue with accumulation type %s is not supported", n.Op.Name(), n.Acc)
}

func multiplyWithPrologue[T float32 | float64](n *program.Contraction, types []dtype.Type,
	prologue *codegen.Body) Func {
	a, c := layoutOf(&n.Left), layoutOf(&n.Out)
	from := []layout{layoutOf(&n.Right)}
	for i := range n.PrologueIns {
		from = append(from, layoutOf(&n.PrologueIns[i]))
	}
	apply := func(count int, to unsafe.Pointer, from []unsafe.Pointer) {
		app := prologue.Begin(nil)
		for i, p := range from {
			app.Arg(i, p)
		}
		app.Result(0, to)
		app.Apply(count)
		app.End()
	}
	var idle freeList[gemm.ComputedOperand]
	return func(env *rt.Env, ins, outs [][]byte) error {
		b := idle.get()
		b.Apply = apply
		b.From, b.Sizes = b.From[:0], b.Sizes[:0]
		for i, l := range from {
			b.From = append(b.From, matrix[byte](ins[1+i], l))
			b.Sizes = append(b.Sizes, types[i].Size())
		}
		err := gemm.MatMulPrologue(env, matrix[T](outs[0], c), matrix[T](ins[0], a), b)
		clear(b.From)
		idle.put(b)
		return err
	}
}
