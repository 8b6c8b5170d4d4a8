package amd64_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/kernel/random"
	"github.com/go-nx/nx/internal/cpu/plan"
	"github.com/go-nx/nx/internal/testkit/guard"
)

// strided is a kernel of rows that adds strided elements, in ascending or descending order, to contiguous ones.
func strided(t dtype.Type, rows, row, stride int64) *kernel.Kernel {
	distance := max(stride, -stride)
	reach := (row-1)*distance + 1
	k := &kernel.Kernel{Name: "strided", Dims: []int64{rows, row}, Params: []kernel.Param{
		{Type: t, Elems: rows * reach}, {Type: t, Elems: rows * row}, {Type: t, Elems: rows * row}}}
	from := &kernel.Access{Strides: []int64{reach, stride}}
	if stride < 0 {
		from.Offset = reach - 1
	}
	x := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t, At: from})
	y := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: t, At: &kernel.Access{Param: 1, Strides: []int64{row, 1}}})
	v := k.Body.Add(kernel.Instr{Op: kernel.Add, Type: t, Args: [3]kernel.Value{x, y}})
	k.Stores = []kernel.Store{{Value: v, Type: t, At: kernel.Access{Param: 2, Strides: []int64{row, 1}}}}
	return k
}

// TestStrided reads strided elements in rows of all remainders, between guard pages, on the processor and in the
// emulator.
func TestStrided(t *testing.T) {
	regions := make([]*guard.Region, 4)
	for i := range regions {
		regions[i] = guard.NewRegion(t, 1<<18)
	}
	r := rand.New(rand.NewPCG(7, 7))
	lengths := []int64{16, 31, 40, 64, 65, 130, 255, 257, 1044}
	if testing.Short() {
		lengths = []int64{23, 135}
	}
	for _, typ := range []dtype.Type{dtype.F32, dtype.S32, dtype.F64, dtype.C64, dtype.U64} {
		for stride := int64(-9); stride <= 9; stride++ {
			for _, n := range lengths {
				for _, rows := range []int64{1, 3} {
					ks := []*kernel.Kernel{strided(typ, rows, n, stride)}
					if typ == dtype.F32 && stride > 1 {
						reach := (n-1)*stride + 1
						ks = append(ks, reducing(kernel.Add, kernel.Neg, typ, []int64{rows, n}, []int64{reach, stride},
							1, false))
						ks[1].Params[0].Elems = rows * reach
					}
					for _, k := range ks {
						if err := k.Verify(); err != nil {
							t.Fatal(err)
						}
						t.Run(fmt.Sprintf("%s %s %d of %d, stride %d", k.Name, typ, rows, n, stride),
							func(t *testing.T) {
								runEverywhere(t, k, random.Params(r, k))
								for _, w := range codetest.Widths(t) {
									guarded(t, w, k, plan.Of(k), regions)
								}
							})
					}
				}
			}
		}
	}
}
