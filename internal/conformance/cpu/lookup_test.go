package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestLookupsInKernels compares kernels that read through gathers and dynamic slices of every element type
// with the interpreter: the elements are selected, transposed and reduced, with some indices out of bounds.
func TestLookupsInKernels(t *testing.T) {
	gather := func(dims, sizes string) string {
		return `"stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<` + dims +
			`>, slice_sizes = array<i64: ` + sizes + `>}> : (ARRAY, INDICES) -> RESULT`
	}
	for _, l := range []struct{ name, array, indices, index, rows, columns, op string }{
		{"elements", "13", "8x40x1", "i32", "8", "40",
			gather("collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2", "1")},
		{"elements, indices of 64 bits", "13", "8x40", "i64", "8", "40",
			gather("collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2", "1")},
		{"elements, narrow indices", "13", "8x40", "ui8", "8", "40",
			gather("collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2", "1")},
		{"two components", "5x7", "2x8x40", "i32", "8", "40",
			gather("collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 0", "1, 1")},
		{"batches", "8x9", "8x40x1", "i32", "8", "40",
			gather("collapsed_slice_dims = [1], operand_batching_dims = [0], "+
				"start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2", "1, 1")},
		{"long rows", "9x300", "4", "i32", "4", "300",
			gather("offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1", "1, 300")},
		{"parts of long rows", "9x303", "4x2", "i16", "4", "300",
			gather("offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1", "1, 300")},
		{"columns", "50x9", "12", "i32", "50", "12",
			gather("offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1", "50, 1")},
		{"a slice of long rows", "9x303", "", "i32", "4", "300",
			`stablehlo.dynamic_slice %a, %i, %i, sizes = [4, 300] : (ARRAY, INDICES, INDICES) -> RESULT`},
		{"a slice of short rows", "9x12", "", "i64", "5", "10",
			`stablehlo.dynamic_slice %a, %i, %i, sizes = [5, 10] : (ARRAY, INDICES, INDICES) -> RESULT`},
	} {
		t.Run(l.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 6))
			for _, typ := range []string{"i1", "i4", "i8", "i16", "i32", "ui8", "ui64", "f8E4M3FN", "bf16", "f16",
				"f32", "f64", "complex<f32>", "complex<f64>"} {
				text := lookupProgram(l.array, l.indices, l.index, l.rows, l.columns, l.op, typ)
				if err := compareIndexed(text, r); err != nil {
					t.Errorf("%s: %v\n%s", typ, err, text)
				}
			}
		})
	}
}

// lookupProgram returns a program with three kernels that read a lookup of an array with the given rows and
// columns: one in its order, one transposed, one that reduces it.
func lookupProgram(array, indices, index, rows, columns, op, typ string) string {
	a, result := tensorText(array, typ), tensorText(rows+"x"+columns, typ)
	i := "tensor<" + index + ">"
	if indices != "" {
		i = tensorText(indices, index)
	}
	reduced := "maximum" // exact in all types that have it
	if strings.HasPrefix(typ, "complex") {
		reduced = "add"
	}
	transposed := tensorText(columns+"x"+rows, typ)
	op = strings.NewReplacer("ARRAY", a, "INDICES", i, "RESULT", result).Replace(op)
	return fmt.Sprintf(`func.func @main(%%a: %[1]s, %%i: %[2]s, %%x: %[3]s, %%y: %[4]s, %%p: tensor<i1>, %%z: tensor<%[6]s>,
    %%b: %[1]s, %%c: %[1]s) -> %[3]s {
  %%0 = %[5]s
  %%1 = stablehlo.select %%p, %%0, %%x : tensor<i1>, %[3]s
  %%2 = %[9]s
  %%3 = stablehlo.transpose %%2, dims = [1, 0] : (%[3]s) -> %[4]s
  %%4 = stablehlo.select %%p, %%y, %%3 : tensor<i1>, %[4]s
  %%5 = stablehlo.transpose %%4, dims = [1, 0] : (%[4]s) -> %[3]s
  %%6 = %[10]s
  %%7 = stablehlo.reduce(%%6 init: %%z) applies stablehlo.%[8]s across dimensions = [1]
    : (%[3]s, tensor<%[6]s>) -> tensor<%[7]sx%[6]s>
  %%8 = stablehlo.broadcast_in_dim %%7, dims = [0] : (tensor<%[7]sx%[6]s>) -> %[3]s
  %%9 = stablehlo.add %%5, %%8 : %[3]s
  %%10 = stablehlo.select %%p, %%1, %%9 : tensor<i1>, %[3]s
  return %%10 : %[3]s
}`, a, i, result, transposed, op, typ, rows, reduced,
		strings.Replace(op, "%a", "%b", 1), strings.Replace(op, "%a", "%c", 1))
}
