package amd64_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernel/random"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// strideKernel is a kernel of rows that reads or writes strided elements. The last element is at the end of the memory.
func strideKernel(t dtype.Type, rows, cols, stride int64, writes, computes bool) *kernel.Kernel {
	k := &kernel.Kernel{Name: "striding", Dims: []int64{3, rows, cols}}
	row := (cols-1)*stride + 2
	strided := kernel.Access{Strides: []int64{rows * row, row, stride}}
	size := 3*rows*row - 1
	dense := kernel.Access{Strides: []int64{rows * cols, cols, 1}}
	from, to := strided, dense
	elems := []int64{size, 3 * rows * cols}
	if writes {
		from, to, elems = dense, strided, []int64{elems[1], elems[0]}
	}
	to.Param = 1
	v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t, At: &from})
	if computes {
		v = k.Body.Add(kernel.Instr{Op: kernel.Neg, Type: t, Args: [3]kernel.Value{v}})
	}
	k.Params = []kernel.Param{{Type: t, Elems: elems[0]}, {Type: t, Elems: elems[1]}}
	k.Stores = []kernel.Store{{Value: v, Type: t, At: to}}
	return k
}

// TestStrides runs kernels that read and write strided elements, in rows of all lengths, between guard pages, on the
// processor and in the emulator.
func TestStrides(t *testing.T) {
	regions := []*guard.Region{guard.NewRegion(t, 1<<18), guard.NewRegion(t, 1<<18)}
	r := rand.New(rand.NewPCG(5, 6))
	for _, typ := range []dtype.Type{dtype.U8, dtype.S8, dtype.BF16, dtype.S16, dtype.F32, dtype.S32, dtype.F64} {
		for _, stride := range []int64{2, 3, 4, 8} {
			for cols := int64(2); cols < 75; cols += 1 + r.Int64N(20) {
				for _, writes := range []bool{false, true} {
					k := strideKernel(typ, 1+r.Int64N(20), cols, stride, writes, typ != dtype.BF16 && r.IntN(3) > 0)
					if err := k.Verify(); err != nil {
						t.Fatal(err)
					}
					p := plan.Of(k)
					params := random.Params(r, k)
					want := clone(params)
					if err := eval.Run(k, p, want, fused); err != nil {
						t.Fatal(err)
					}
					if r.IntN(4) == 0 {
						for _, w := range codetest.AllWidths {
							emulateAll(t, w, k, p, clone(params), want)
						}
					}
					for _, w := range codetest.Widths(t) {
						guarded(t, w, k, p, regions)
					}
				}
			}
		}
	}
}

// TestReversed runs kernels that read reversed rows of all lengths, with and without an operation, between guard pages,
// on the processor and in the emulator.
func TestReversed(t *testing.T) {
	regions := []*guard.Region{guard.NewRegion(t, 1<<18), guard.NewRegion(t, 1<<18)}
	r := rand.New(rand.NewPCG(7, 8))
	for _, typ := range []dtype.Type{dtype.U8, dtype.S8, dtype.BF16, dtype.S16, dtype.F32, dtype.S32, dtype.F64} {
		for cols := int64(1); cols < 300; cols += 1 + cols/35 {
			rows, stride := 1+r.Int64N(9), cols+r.Int64N(3)
			from := &kernel.Access{Offset: cols - 1, Strides: []int64{rows * stride, stride, -1}}
			k := &kernel.Kernel{Name: "reversed", Dims: []int64{2, rows, cols}, Params: []kernel.Param{
				{Type: typ, Elems: 2 * rows * stride}, {Type: typ, Elems: 2 * rows * cols}}}
			v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ, At: from})
			if typ != dtype.BF16 && r.IntN(3) == 0 {
				v = k.Body.Add(kernel.Instr{Op: kernel.Neg, Type: typ, Args: [3]kernel.Value{v}})
			}
			k.Stores = []kernel.Store{{Value: v, Type: typ,
				At: kernel.Access{Param: 1, Strides: []int64{rows * cols, cols, 1}}}}
			if err := k.Verify(); err != nil {
				t.Fatal(err)
			}
			p := plan.Of(k)
			params := random.Params(r, k)
			want := clone(params)
			if err := eval.Run(k, p, want, fused); err != nil {
				t.Fatal(err)
			}
			for _, w := range codetest.AllWidths {
				if r.IntN(4) == 0 {
					emulateAll(t, w, k, p, clone(params), want)
				}
			}
			for _, w := range codetest.Widths(t) {
				guarded(t, w, k, p, regions)
			}
		}
	}
}
