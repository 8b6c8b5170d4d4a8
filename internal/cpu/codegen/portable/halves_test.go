package portable_test

import (
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
	"github.com/go-nx/nx/internal/cpu/eval"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Sums of 16-bit floats add in float32 and round once: rounded after each addition, 5,000 ones stop at 2,048 in f16 and
// at 256 in bf16. The evaluator and the generator agree, whichever dimension is tiled and however many blocks there
// are.
func TestHalvesAddInFloat32(t *testing.T) {
	for _, d := range []dtype.Type{dtype.F16, dtype.BF16} {
		for _, c := range []struct {
			name      string
			dims      []int64 // results, terms
			strides   []int64
			term, sum float64
		}{
			{"one after another", []int64{3, 5000}, []int64{5000, 1}, 1, 5000},
			{"by rows", []int64{300, 5000}, []int64{1, 300}, 1, 5000},
			{"in blocks", []int64{1, 200_000}, []int64{200_000, 1}, 0x1p-5, 6250},
		} {
			t.Run(d.String()+" "+c.name, func(t *testing.T) {
				k := &kernel.Kernel{Name: "sum", Dims: c.dims, NumReduced: 1, Params: []kernel.Param{
					{Type: d, Elems: c.dims[0] * c.dims[1]}, {Type: d, Elems: 1}, {Type: d, Elems: c.dims[0]}}}
				v := k.Body.Add(kernel.Instr{Op: kernel.Load, Type: d, At: &kernel.Access{Strides: c.strides}})
				combine, sum := kernel.ReduceBy(kernel.Add, d)
				k.Reduces = []kernel.Reduction{{Values: []kernel.Value{v}, Types: []dtype.Type{d},
					Inits: []kernel.Access{{Param: 1}}, Combine: combine, Results: []kernel.Value{sum},
					Kind: kernel.Add, At: []kernel.Access{{Param: 2, Strides: []int64{1}}}}}
				var params [][]byte
				for _, p := range k.Params {
					params = append(params, make([]byte, int(p.Elems)*p.Type.Size()))
				}
				for i := range int(k.Params[0].Elems) {
					d.StoreFloat(params[0], i, c.term)
				}
				p, of := plan.Of(k), clone(params)
				if err := eval.Run(k, p, of, eval.Options{}); err != nil {
					t.Fatal(err)
				}
				code, err := portable.Generator{}.Compile(k, p)
				if err != nil {
					t.Fatal(err)
				}
				run(p, code, params)
				want := make([]byte, 2)
				d.StoreFloat(want, 0, c.sum)
				for i := range int(c.dims[0]) {
					got, oracle := d.LoadFloat(params[2], i), d.LoadFloat(of[2], i)
					if sum := d.LoadFloat(want, 0); got != sum || oracle != sum {
						t.Fatalf("result %d: %v, from the evaluator %v, want %v", i, got, oracle, sum)
					}
				}
			})
		}
	}
}
