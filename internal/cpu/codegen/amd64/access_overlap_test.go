package amd64_test

import (
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// TestPartialRows computes rows of narrow elements in chunks that start and end within rows, in memory between guard
// pages: one operand is shared by all rows, another is read in reverse order of rows.
func TestPartialRows(t *testing.T) {
	regions := make([]*guard.Region, 3)
	for i := range regions {
		regions[i] = guard.NewRegion(t, 1<<15)
	}
	for _, w := range codetest.Widths(t) {
		for _, typ := range []dtype.Type{dtype.S8, dtype.U8, dtype.Bool, dtype.U16, dtype.BF16, dtype.F16, dtype.F32} {
			for _, row := range []int64{1019, 1021, 1023, 1025, 1027, 341, 205} {
				const rows = 6
				k := &kernel.Kernel{Name: "parts", Dims: []int64{rows, row},
					Params: []kernel.Param{{Type: typ, Elems: rows * row},
						{Type: typ, Elems: row}, {Type: typ, Elems: rows * row}}}
				x := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ,
					At: &kernel.Access{Offset: (rows - 1) * row, Strides: []int64{-row, 1}}})
				y := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ,
					At: &kernel.Access{Param: 1, Strides: []int64{0, 1}}})
				v := k.Body.Add(kernel.Instr{Op: kernel.Max, Type: kernel.Register(typ), Args: [3]kernel.Value{x, y}})
				k.Stores = []kernel.Store{{Value: v, Type: typ, At: kernel.Access{Param: 2, Strides: []int64{row, 1}}}}
				if err := k.Verify(); err != nil {
					t.Fatal(err)
				}
				p := plan.Of(k)
				p.Chunk, p.Tail = 1024, 0
				guarded(t, w, k, p, regions)
			}
		}
	}
}

// TestPartialReducedRows reduces narrow elements, and stores them, in tiles whose last one is shorter than a vector:
// along rows, and across rows, where a call takes several rows.
func TestPartialReducedRows(t *testing.T) {
	regions := make([]*guard.Region, 4)
	for i := range regions {
		regions[i] = guard.NewRegion(t, 1<<16)
	}
	for _, w := range codetest.Widths(t) {
		for _, typ := range []dtype.Type{dtype.S8, dtype.U16, dtype.BF16, dtype.F16} {
			for _, n := range []int64{1025, 1027, 1031, 2049, 2055, 3073} {
				for _, k := range []*kernel.Kernel{
					reducing(kernel.Max, kernel.Neg, typ, []int64{3, n}, []int64{n, 1}, 1, true),
					reducing(kernel.Max, kernel.Neg, typ, []int64{n, 3}, []int64{1, n}, 1, true),
					reducing(kernel.Max, kernel.Neg, typ, []int64{n, 3}, []int64{1, n}, 1, false),
				} {
					guarded(t, w, k, plan.Of(k), regions)
				}
			}
		}
	}
}
