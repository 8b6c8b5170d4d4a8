package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/conformance/kit"
)

// TestGathersAtComputedIndices compares gathers whose indices a kernel computes, and whose positions also
// depend on the point in other ways, with the interpreter: inside the table, before it and after it.
func TestGathersAtComputedIndices(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for _, typ := range []string{"f32", "f64", "bf16", "i32", "i8", "complex<f32>"} {
		for _, index := range []string{"i32", "i64", "ui8"} {
			for _, heads := range []int{1, 3} {
				text := fmt.Sprintf(`func.func @main(%%q: tensor<%[3]dx9x14x%[1]s>, %%from: tensor<%[2]s>, %%t: tensor<%[3]dx15x%[1]s>) -> tensor<%[3]dx9x14x%[1]s> {
  %%i = stablehlo.iota dim = 0 : tensor<9x14x%[2]s>
  %%j = stablehlo.iota dim = 1 : tensor<9x14x%[2]s>
  %%d = stablehlo.subtract %%i, %%j : tensor<9x14x%[2]s>
  %%f = stablehlo.broadcast_in_dim %%from, dims = [] : (tensor<%[2]s>) -> tensor<9x14x%[2]s>
  %%k = stablehlo.add %%d, %%f : tensor<9x14x%[2]s>
  %%s = stablehlo.reshape %%k : (tensor<9x14x%[2]s>) -> tensor<9x14x1x%[2]s>
  %%g = "stablehlo.gather"(%%t, %%s) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: %[3]d, 1>} : (tensor<%[3]dx15x%[1]s>, tensor<9x14x1x%[2]s>) -> tensor<%[3]dx9x14x%[1]s>
  %%y = stablehlo.add %%q, %%g : tensor<%[3]dx9x14x%[1]s>
  return %%y : tensor<%[3]dx9x14x%[1]s>
}`, typ, index, heads)
				for n := range 4 { // with other starts
					t.Run(fmt.Sprintf("%s/%s/%d/%d", typ, index, heads, n), func(t *testing.T) {
						kit.EachOther(t, func(t *testing.T, e kit.Executor) {
							if err := compareIndexedBy(e, text, r); err != nil {
								t.Error(err)
							}
						})
					})
				}
			}
		}
	}
}

// TestGathersBesideProductsOfViews compiles a gather whose index has components that no other op reads, next
// to a matmul of a view: the components that are read from memory are determined before the operands of the
// matmul.
func TestGathersBesideProductsOfViews(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 11))
	const text = `func.func @main(%m: tensor<6xf32>, %p: tensor<4x5x3xf32>, %t: tensor<7x8xf32>, %a: tensor<2x20xi32>, %b: tensor<2x20xi32>) -> tensor<2x20xf32> {
  %l = stablehlo.reshape %m : (tensor<6xf32>) -> tensor<2x3xf32>
  %q = stablehlo.reshape %p : (tensor<4x5x3xf32>) -> tensor<20x3xf32>
  %d = stablehlo.dot_general %l, %q, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<20x3xf32>) -> tensor<2x20xf32>
  %i = stablehlo.reshape %a : (tensor<2x20xi32>) -> tensor<2x20x1xi32>
  %j = stablehlo.reshape %b : (tensor<2x20xi32>) -> tensor<2x20x1xi32>
  %ij = stablehlo.concatenate %i, %j, dim = 2 : (tensor<2x20x1xi32>, tensor<2x20x1xi32>) -> tensor<2x20x2xi32>
  %g = "stablehlo.gather"(%t, %ij) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>} : (tensor<7x8xf32>, tensor<2x20x2xi32>) -> tensor<2x20xf32>
  %y = stablehlo.add %d, %g : tensor<2x20xf32>
  return %y : tensor<2x20xf32>
}`
	kit.EachOther(t, func(t *testing.T, e kit.Executor) {
		if err := compareIndexedBy(e, text, r); err != nil {
			t.Error(err)
		}
	})
}
