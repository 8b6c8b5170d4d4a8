package portable

import (
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// The variance of 64 channels takes 16 rows per tile; rows that are not adjacent take one.
func TestBatchRows(t *testing.T) {
	for _, c := range []struct {
		row  int64 // stride between rows
		want int64
	}{{64, 16}, {65, 1}} {
		k := &kernel.Kernel{Name: "variance", Dims: []int64{64, 500}, NumReduced: 1, Params: []kernel.Param{
			{Type: dtype.F32, Elems: 500 * c.row}, {Type: dtype.F32, Elems: 64}, {Type: dtype.F32, Elems: 1},
			{Type: dtype.F32, Elems: 64}}}
		x := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32, At: &kernel.Access{Strides: []int64{1, c.row}}})
		mean := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: dtype.F32,
			At: &kernel.Access{Param: 1, Strides: []int64{1, 0}}})
		v := k.Body.Add(kernel.Instr{Op: kernel.Sub, Type: dtype.F32, Args: [3]kernel.Value{x, mean}})
		combine, result := kernel.ReduceBy(kernel.Add, dtype.F32)
		k.Reduces = []kernel.Reduction{{Values: []kernel.Value{v}, Types: []dtype.Type{dtype.F32},
			Inits: []kernel.Access{{Param: 2}}, Combine: combine, Results: []kernel.Value{result}, Kind: kernel.Add,
			At: []kernel.Access{{Param: 3, Strides: []int64{1}}}}}
		code, err := Generator{}.compile(k, plan.Of(k))
		if err != nil {
			t.Fatal(err)
		}
		if code.batchRows != c.want {
			t.Errorf("row stride %d: %d rows per tile, want %d", c.row, code.batchRows, c.want)
		}
	}
}
