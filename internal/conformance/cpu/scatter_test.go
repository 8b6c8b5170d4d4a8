package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/conformance"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/stablehlo"
)

// TestScatterBodies compares scatters of every element type with well-known and other
// bodies, for windows of one element, of a row, and partly outside, with the interpreter.
func TestScatterBodies(t *testing.T) {
	windows := []struct{ name, operand, indices, updates, dims, index string }{
		{"elements", "13", "40x1", "40",
			"inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1", "i32"},
		{"elements, indices of 64 bits", "13", "40", "40",
			"inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1", "i64"},
		{"elements, narrow indices", "13", "40", "40",
			"inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1", "ui8"},
		{"two components", "5x7", "4x2x10", "4x10",
			"inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1", "i32"},
		{"a grid of indices", "13", "4x10", "4x10",
			"inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2", "i32"},
		{"rows", "9x6", "12", "12x6",
			"update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1",
			"i32"},
		{"columns", "6x9", "12", "6x12",
			"update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1",
			"i32"},
		{"rows of several planes", "3x9x5", "12", "3x12x5",
			"update_window_dims = [0, 2], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1",
			"i64"},
		{"blocks partly outside", "6x9", "12x2", "12x2x3",
			"update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1", "i32"},
		{"batches", "4x9", "4x10x1", "4x10",
			"inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], " +
				"scatter_dims_to_operand_dims = [1], index_vector_dim = 2", "i32"},
		{"longer batches of elements", "3x9", "3x40x1", "3x40",
			"inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], " +
				"scatter_dims_to_operand_dims = [1], index_vector_dim = 2", "i64"},
		{"two dimensions of batches of rows", "2x9x3x5", "2x3x11x1", "2x5x3x11",
			"update_window_dims = [1], inserted_window_dims = [1], input_batching_dims = [0, 2], " +
				"scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [1], index_vector_dim = 3", "i32"},
	}
	types := []string{"i1", "i4", "i8", "i16", "i32", "i64", "ui4", "ui8", "ui16", "ui32", "ui64", "f8E4M3FN", "bf16",
		"f16", "f32", "f64", "complex<f32>", "complex<f64>"}
	bodies := []string{"", "add", "multiply", "maximum", "minimum", "and", "or", "xor", "subtract", "add after negate"}
	r := rand.New(rand.NewPCG(3, 4))
	for _, w := range windows {
		for _, typ := range types {
			for _, body := range bodies {
				if bits := body == "and" || body == "or" || body == "xor"; bits && !strings.Contains(typ, "i") ||
					typ == "i1" && (body == "subtract" || body == "add after negate") || bits &&
					strings.HasPrefix(typ, "complex") {
					continue
				}
				operand, index, updates := tensorText(w.operand, typ), tensorText(w.indices, w.index),
					tensorText(w.updates, typ)
				code := ""
				result := "%y"
				switch body {
				case "":
				case "add after negate":
					code, result = fmt.Sprintf(
						"%%n = stablehlo.negate %%y : tensor<%[1]s>\n%%z = stablehlo.add %%x, %%n : tensor<%[1]s>\n", typ), "%z"
				default:
					code, result = fmt.Sprintf("%%z = stablehlo.%s %%x, %%y : tensor<%s>\n", body, typ), "%z"
				}
				text := fmt.Sprintf(`func.func @main(%%a: %[1]s, %%i: %[2]s, %%u: %[3]s) -> %[1]s {
  %%0 = "stablehlo.scatter"(%%a, %%i, %%u) <{scatter_dimension_numbers = #stablehlo.scatter<%[4]s>}> ({
  ^bb0(%%x: tensor<%[5]s>, %%y: tensor<%[5]s>):
    %[6]sstablehlo.return %[7]s : tensor<%[5]s>
  }) : (%[1]s, %[2]s, %[3]s) -> %[1]s
  return %%0 : %[1]s
}`, operand, index, updates, w.dims, typ, code, result)
				if err := compareIndexed(text, r); err != nil {
					t.Errorf("%s, %s of %s: %v\n%s", w.name, body, typ, err, text)
				}
			}
		}
	}
}

// TestScatterRows compares scatters of rows that workers share, by columns and by planes, with the interpreter.
func TestScatterRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, w := range []struct{ operand, updates, dims string }{
		{"9x201", "300x201", "update_window_dims = [1], inserted_window_dims = [0]"},
		{"9x208", "300x208", "update_window_dims = [1], inserted_window_dims = [0]"},
		{"2x9x36", "2x400x36", "update_window_dims = [0, 2], inserted_window_dims = [1]"},
		{"9x33", "1200x33", "update_window_dims = [1], inserted_window_dims = [0]"},
		{"2x9x101", "2x400x101", "update_window_dims = [0, 2], inserted_window_dims = [1]"},
		{"7x9x11", "7x400x11", "update_window_dims = [0, 2], inserted_window_dims = [1]"},
		{"9x2x70000", "3x2x70000", "update_window_dims = [1, 2], inserted_window_dims = [0]"},
	} {
		dim, windows := 0, strings.Split(w.updates, "x")[0]
		if strings.Contains(w.dims, "inserted_window_dims = [1]") {
			dim, windows = 1, strings.Split(w.updates, "x")[1]
		}
		for _, typ := range []string{"f32", "bf16", "i64", "i8", "ui16"} {
			for _, body := range []string{"add", "maximum", ""} {
				code, result := "", "%y"
				if body != "" {
					code, result = fmt.Sprintf("%%z = stablehlo.%s %%x, %%y : tensor<%s>\n", body, typ), "%z"
				}
				text := fmt.Sprintf(`func.func @main(%%a: %[1]s, %%i: %[2]s, %%u: %[3]s) -> %[1]s {
  %%0 = "stablehlo.scatter"(%%a, %%i, %%u) <{scatter_dimension_numbers = #stablehlo.scatter<%[4]s,
    scatter_dims_to_operand_dims = [%[8]d], index_vector_dim = 1>}> ({
  ^bb0(%%x: tensor<%[5]s>, %%y: tensor<%[5]s>):
    %[6]sstablehlo.return %[7]s : tensor<%[5]s>
  }) : (%[1]s, %[2]s, %[3]s) -> %[1]s
  return %%0 : %[1]s
}`, tensorText(w.operand, typ), tensorText(windows, "i32"), tensorText(w.updates, typ), w.dims, typ, code, result, dim)
				if err := compareIndexedBy(kit.ThreeWorkers, text, r); err != nil {
					t.Errorf("%s, %s of %s: %v\n%s", w.updates, body, typ, err, text)
				}
			}
		}
	}
}

// TestScatterNothing scatters windows of two batch dimensions, one of which is empty.
func TestScatterNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, batch := range []string{"0x3", "3x0", "0x0", "2x3"} {
		text := fmt.Sprintf(`func.func @main(%%a: tensor<8x4xf32>, %%i: tensor<%[1]sx1xi32>, %%u: tensor<%[1]sx4xf32>) -> tensor<8x4xf32> {
  %%0 = "stablehlo.scatter"(%%a, %%i, %%u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2],
    inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%%x: tensor<f32>, %%y: tensor<f32>):
    %%z = stablehlo.add %%x, %%y : tensor<f32>
    stablehlo.return %%z : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<%[1]sx1xi32>, tensor<%[1]sx4xf32>) -> tensor<8x4xf32>
  return %%0 : tensor<8x4xf32>
}`, batch)
		if err := compareIndexed(text, r); err != nil {
			t.Errorf("%s windows: %v", batch, err)
		}
	}
}

func tensorText(dims, elem string) string { return "tensor<" + dims + "x" + elem + ">" }

// compareIndexed compares the first result of a program, whose second argument is indices, inside and out of
// bounds, with the interpreter.
func compareIndexed(text string, r *rand.Rand) error { return compareIndexedBy(kit.OneWorker, text, r) }

// compareIndexedBy is compareIndexed by any executor.
func compareIndexedBy(by conformance.Executor, text string, r *rand.Rand) error {
	m, err := stablehlo.Parse("indexed", []byte(text))
	if err != nil {
		return err
	}
	f, _ := m.Func("main")
	var args [][]byte
	for i, typ := range f.Type().Ins {
		t := typ.(*stablehlo.TensorType)
		d := t.DType()
		n, _ := t.NumElems()
		b := make([]byte, int(n)*d.Size())
		for j := range int(n) {
			x := r.IntN(14) - 3 // indices may be out of bounds
			if i != 1 {
				x = r.IntN(7) - 3
			}
			if d.IsUnsigned() || d.Bits() == 1 {
				x = max(x, 0)
			}
			switch {
			case d.Bits() == 1:
				b[j] = byte(x & 1)
			case d.IsComplex():
				d.StoreComplex(b, j, complex(float64(x)/8, float64(j%5)))
			case d.IsFloat():
				d.StoreFloat(b, j, float64(x)/8)
			default:
				d.StoreInt(b, j, int64(x))
			}
		}
		args = append(args, b)
	}
	return kit.Compare(by, m, args)
}

// TestGatherRows compares gathers of rows of all lengths, adjacent and separate, in one chunk and in several,
// with the interpreter.
func TestGatherRows(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, w := range []struct{ operand, indices, result, dims, sizes string }{
		{"9xROW", "700", "700xROW", "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], " +
			"index_vector_dim = 1", "1, ROW"},
		{"9xROW", "70000", "70000xROW", "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], " +
			"index_vector_dim = 1", "1, ROW"},
		{"9xROW", "0", "0xROW", "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], " +
			"index_vector_dim = 1", "1, ROW"},
		{"3x9xROW", "301", "3x301xROW", "offset_dims = [0, 2], collapsed_slice_dims = [1], start_index_map = [1], " +
			"index_vector_dim = 1", "3, 1, ROW"},
		{"60x9xROW", "5x60", "60x5x60xROW", "offset_dims = [0, 3], collapsed_slice_dims = [1], start_index_map = [1], " +
			"index_vector_dim = 2", "60, 1, ROW"},
		{"2x9x5xROW", "77x2", "2x77xROW", "offset_dims = [0, 2], collapsed_slice_dims = [1, 2], " +
			"start_index_map = [2, 1], index_vector_dim = 1", "2, 1, 1, ROW"},
		{"9x4xROW", "31", "31x3x4xROW", "offset_dims = [1, 2, 3], start_index_map = [0], index_vector_dim = 1",
			"3, 4, ROW"},
		{"9x4xROW", "31", "3x31x4xROW", "offset_dims = [0, 2, 3], start_index_map = [0], index_vector_dim = 1",
			"3, 4, ROW"},
		{"9x4xROW", "31", "4x31xROW", "offset_dims = [0, 2], collapsed_slice_dims = [0], start_index_map = [0], " +
			"index_vector_dim = 1", "1, 4, ROW"},
		{"20x9xROW", "20x12", "20x12xROW", "offset_dims = [2], collapsed_slice_dims = [1], start_index_map = [1], " +
			"operand_batching_dims = [0], start_indices_batching_dims = [0], index_vector_dim = 2", "1, 1, ROW"},
		{"4x9x5xROW", "4x3x7x2", "4x3x7xROW", "offset_dims = [3], collapsed_slice_dims = [1, 2], " +
			"start_index_map = [2, 1], operand_batching_dims = [0], start_indices_batching_dims = [0], " +
			"index_vector_dim = 3", "1, 1, 1, ROW"},
		{"3x9xROW", "3x20000", "3x20000xROW", "offset_dims = [2], collapsed_slice_dims = [1], start_index_map = [1], " +
			"operand_batching_dims = [0], start_indices_batching_dims = [0], index_vector_dim = 2", "1, 1, ROW"},
	} {
		for _, typ := range []string{"i8", "bf16", "f32", "f64", "complex<f64>"} {
			for _, index := range []string{"i32", "i64"} {
				for _, row := range []string{"1", "2", "4", "7", "8", "16", "32"} {
					if len(w.result) > 11 && typ != "f32" { // the interpreter takes its time
						continue
					}
					text := strings.ReplaceAll(fmt.Sprintf(`func.func @main(%%a: %[1]s, %%i: %[2]s) -> %[3]s {
  %%0 = "stablehlo.gather"(%%a, %%i) <{dimension_numbers = #stablehlo.gather<%[4]s>, slice_sizes = array<i64: %[5]s>}>
    : (%[1]s, %[2]s) -> %[3]s
  return %%0 : %[3]s
}`, tensorText(w.operand, typ), tensorText(w.indices, index), tensorText(w.result, typ), w.dims, w.sizes), "ROW", row)
					if err := compareIndexedBy(kit.ThreeWorkers, text, r); err != nil {
						t.Errorf("%v\n%s", err, text)
					}
				}
			}
		}
	}
}
