package portable

import (
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// A normalisation by a mean that is a sum times a constant, with weights, is one loop over the row; the mean is
// computed once.
func TestNormalisationIsOneLoop(t *testing.T) {
	const rows, cols = 40, 1000
	k := &kernel.Kernel{Name: "normalise", Dims: []int64{rows, cols}}
	load := func(elems int64, strides ...int64) kernel.Value {
		k.Params = append(k.Params, kernel.Param{Type: dtype.F32, Elems: elems})
		return k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32,
			At: &kernel.Access{Param: len(k.Params) - 1, Strides: strides}})
	}
	op := func(op kernel.Op, a, b kernel.Value) kernel.Value {
		return k.Body.Add(kernel.Instr{Op: op, Type: dtype.F32, Args: [3]kernel.Value{a, b}})
	}
	x, sum := load(rows*cols, cols, 1), load(rows, 1, 0)
	share := k.Body.Add(kernel.Instr{Op: kernel.Const, Type: dtype.F32, Bits: [2]uint64{0x3a83126f}})
	centred := op(kernel.Sub, x, op(kernel.Mul, sum, share))
	y := op(kernel.Mul, op(kernel.Mul, centred, load(rows, 1, 0)), load(cols, 0, 1))
	y = op(kernel.Add, y, load(cols, 0, 1))
	k.Stores = []kernel.Store{{Value: y, Type: dtype.F32,
		At: kernel.Access{Param: len(k.Params), Strides: []int64{cols, 1}}}}
	k.Params = append(k.Params, kernel.Param{Type: dtype.F32, Elems: rows * cols})
	if err := k.Verify(); err != nil {
		t.Fatal(err)
	}
	c, err := Generator{}.compile(k, plan.Of(k))
	if err != nil {
		t.Fatal(err)
	}
	loops := 0
	for _, i := range c.order {
		if in := &c.instrs[i]; in.Op != kernel.Load && !c.level[i].uniform {
			loops++
		}
	}
	if loops != 1 {
		t.Errorf("the elements of a row are computed in %d loops, want 1\n%s", loops, k)
	}
}
