package conformance

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// TestGathersAtComputedIndices compares gathers whose indices a kernel computes, and whose places depend on the point
// otherwise, too, with the interpreter: inside the table, before it and behind it.
func TestGathersAtComputedIndices(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for _, typ := range []string{"f32", "f64", "bf16", "i32", "i8", "complex<f32>"} {
		for _, index := range []string{"i32", "i64", "ui8"} {
			for _, heads := range []int{1, 3} {
				m, err := stablehlo.Parse("bias", fmt.Appendf(nil, `func.func @main(%%q: tensor<%[3]dx9x14x%[1]s>, %%t: tensor<%[3]dx21x%[1]s>, %%from: tensor<%[2]s>) -> tensor<%[3]dx9x14x%[1]s> {
  %%i = stablehlo.iota dim = 0 : tensor<9x14x%[2]s>
  %%j = stablehlo.iota dim = 1 : tensor<9x14x%[2]s>
  %%d = stablehlo.subtract %%i, %%j : tensor<9x14x%[2]s>
  %%f = stablehlo.broadcast_in_dim %%from, dims = [] : (tensor<%[2]s>) -> tensor<9x14x%[2]s>
  %%k = stablehlo.add %%d, %%f : tensor<9x14x%[2]s>
  %%s = stablehlo.reshape %%k : (tensor<9x14x%[2]s>) -> tensor<9x14x1x%[2]s>
  %%g = "stablehlo.gather"(%%t, %%s) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: %[3]d, 1>} : (tensor<%[3]dx21x%[1]s>, tensor<9x14x1x%[2]s>) -> tensor<%[3]dx9x14x%[1]s>
  %%y = stablehlo.add %%q, %%g : tensor<%[3]dx9x14x%[1]s>
  return %%y : tensor<%[3]dx9x14x%[1]s>
}`, typ, index, heads))
				if err != nil {
					t.Fatal(err)
				}
				for _, from := range []int64{10, 0, -7, 90} {
					f, _ := m.Func("main")
					var args [][]byte
					for _, in := range f.Type().Ins[:2] {
						d := in.(*stablehlo.TensorType).DType()
						n, _ := in.(*stablehlo.TensorType).NumElems()
						b := make([]byte, int(n)*d.Size())
						for i := range int(n) {
							switch v := r.IntN(200) - 100; {
							case d.IsComplex():
								d.StoreComplex(b, i, complex(float64(v), 1))
							case d.IsFloat():
								d.StoreFloat(b, i, float64(v))
							default:
								d.StoreInt(b, i, int64(v))
							}
						}
						args = append(args, b)
					}
					d, err := dtype.Parse(stableName(index))
					if err != nil {
						t.Fatal(err)
					}
					start := make([]byte, d.Size())
					d.StoreInt(start, 0, from)
					args = append(args, start)
					t.Run(fmt.Sprintf("%s/%s/%d/%d", typ, index, heads, from), func(t *testing.T) {
						want, err := run(oracle, m, args)
						if err != nil {
							t.Fatal(err)
						}
						eachOther(t, func(t *testing.T, e executor) {
							got, err := run(e, m, args)
							if err != nil {
								t.Fatal(err)
							}
							if why := differs(want[0], got[0].Data); why != "" {
								t.Error(why)
							}
						})
					})
				}
			}
		}
	}
}
