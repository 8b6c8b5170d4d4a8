package amd64_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// TestNarrowLookups looks up elements of one and two bytes, by computed indices and by indices in memory, in tables
// with any alignment of the last four bytes, between guard pages.
func TestNarrowLookups(t *testing.T) {
	regions := []*guard.Region{guard.NewRegion(t, 1<<12), guard.NewRegion(t, 1<<12), guard.NewRegion(t, 1<<12)}
	r := rand.New(rand.NewPCG(7, 8))
	for _, w := range codetest.Widths(t) {
		for _, typ := range []dtype.Type{dtype.Bool, dtype.U8, dtype.S8, dtype.U16, dtype.S16, dtype.F16,
			dtype.BF16} {
			for i := range int64(120) {
				index := []dtype.Type{dtype.S32, dtype.U32, dtype.S64, dtype.U64}[i%4]
				n, limit, stride, offset := 1+i%40, 3+r.Int64N(40), 1+r.Int64N(3), r.Int64N(3)
				k := &kernel.Kernel{Name: "lookup", Dims: []int64{n}, Params: []kernel.Param{{Type: index, Elems: n},
					{Type: typ, Elems: offset + limit*stride + 1}, {Type: typ, Elems: n}}}
				at := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: index, At: &kernel.Access{Strides: []int64{1}}})
				if i%3 > 0 {
					mask := k.Body.Add(kernel.Instr{Op: kernel.Const, Type: index, Bits: [2]uint64{63}})
					at = k.Body.Add(kernel.Instr{Op: kernel.And, Type: index, Args: [3]kernel.Value{at, mask}})
				}
				v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: typ, At: &kernel.Access{Param: 1, Offset: offset,
					Strides: []int64{0}, Lookups: []kernel.Lookup{{Index: at, Limit: limit, Stride: stride}}}})
				k.Stores = []kernel.Store{{Value: v, Type: typ, At: kernel.Access{Param: 2, Strides: []int64{1}}}}
				if err := k.Verify(); err != nil {
					t.Fatal(err)
				}
				guarded(t, w, k, plan.Of(k), regions)
			}
		}
	}
}
