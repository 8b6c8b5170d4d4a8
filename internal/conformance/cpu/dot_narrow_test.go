package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/stablehlo"
)

// TestLargestSumsOfIntegers multiplies matrices of the largest integers of narrow types, of depths
// around those up to which floats have all sums: the results are exact, modulo 2 to the width of
// theirs.
func TestLargestSumsOfIntegers(t *testing.T) {
	for _, c := range []struct {
		x, y, out string
		a, b      int64
		depths    []int
	}{
		{"i8", "i8", "i32", -128, -128, []int{1023, 1024, 1025, 3000}},
		{"ui8", "ui8", "ui32", 255, 255, []int{255, 256, 257, 259, 600}},
		{"ui8", "i8", "i32", 255, -128, []int{511, 512, 513, 514, 1100}},
		{"i8", "i8", "i8", 127, -128, []int{70, 1025}},
		{"i16", "i16", "i32", -32768, -32767, []int{3, 70, 300}},
		{"ui16", "ui16", "ui32", 65535, 65535, []int{70, 300}},
		{"i8", "i16", "i16", -128, 32767, []int{70, 300}},
	} {
		for _, depth := range c.depths {
			t.Run(fmt.Sprintf("%s x %s to %s/%d", c.x, c.y, c.out, depth), func(t *testing.T) {
				text := fmt.Sprintf(`func.func @main(%%x: tensor<9x%[1]dx%[2]s>, %%y: tensor<%[1]dx7x%[3]s>) -> tensor<9x7x%[4]s> {
  %%0 = stablehlo.dot_general %%x, %%y, contracting_dims = [1] x [0] : (tensor<9x%[1]dx%[2]s>, tensor<%[1]dx7x%[3]s>) -> tensor<9x7x%[4]s>
  return %%0 : tensor<9x7x%[4]s>
}`, depth, c.x, c.y, c.out)
				m, err := stablehlo.Parse("dot", []byte(text))
				if err != nil {
					t.Fatal(err)
				}
				kit.EachOther(t, func(t *testing.T, e kit.Executor) {
					got, err := kit.Run(e, m, [][]byte{filled(t, c.x, 9*depth, c.a), filled(t, c.y, 7*depth, c.b)})
					if err != nil {
						t.Fatal(err)
					}
					if want := filled(t, c.out, 63, int64(depth)*c.a*c.b); string(got[0].Data) != string(want) {
						t.Errorf("%x, not %x", got[0].Data[:8], want[:8])
					}
				})
			})
		}
	}
}

// TestNarrowMatmulsOfViews compares matrix multiplications of narrow operands that are views with the
// interpreter: with enough rows and columns for blocks, and with one.
func TestNarrowMatmulsOfViews(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, rows := range []int{1, 2, 40} {
		for _, typ := range []string{"i8", "ui8", "i16", "f8E5M2", "bf16", "f16"} {
			out := map[bool]string{true: typ, false: "i32"}[strings.Contains(typ, "f")]
			text := fmt.Sprintf(`func.func @main(%%x: tensor<30x%[1]dx%[2]s>, %%w: tensor<20x30x%[2]s>) -> tensor<%[1]dx20x%[3]s> {
  %%0 = stablehlo.transpose %%x, dims = [1, 0] : (tensor<30x%[1]dx%[2]s>) -> tensor<%[1]dx30x%[2]s>
  %%1 = stablehlo.reshape %%w : (tensor<20x30x%[2]s>) -> tensor<4x5x30x%[2]s>
  %%2 = stablehlo.transpose %%1, dims = [2, 0, 1] : (tensor<4x5x30x%[2]s>) -> tensor<30x4x5x%[2]s>
  %%3 = stablehlo.reshape %%2 : (tensor<30x4x5x%[2]s>) -> tensor<30x20x%[2]s>
  %%4 = stablehlo.dot_general %%0, %%3, contracting_dims = [1] x [0]
    : (tensor<%[1]dx30x%[2]s>, tensor<30x20x%[2]s>) -> tensor<%[1]dx20x%[3]s>
  return %%4 : tensor<%[1]dx20x%[3]s>
}`, rows, typ, out)
			if err := compareIndexed(text, r); err != nil {
				t.Errorf("%d rows of %s: %v\n%s", rows, typ, err, text)
			}
		}
	}
}

// TestVectorsOfBytes compares multiplications of int8 matrices with a vector on either side, of row-major and
// column-major matrices and of depths that are not multiples of four, with the interpreter.
func TestVectorsOfBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, types := range [][3]string{
		{"i8", "i8", "i32"}, {"ui8", "ui8", "i32"}, {"ui8", "i8", "i32"}, {"i8", "i8", "i8"}} {
		for _, size := range [][2]int{{257, 128}, {128, 131}, {67, 1030}} {
			for _, dim := range []int{0, 1} {
				for _, isLeft := range []bool{false, true} {
					lines, depth := size[0], size[1]
					matrix := fmt.Sprintf("tensor<%dx%dx", lines, depth)
					if dim == 0 {
						matrix = fmt.Sprintf("tensor<%dx%dx", depth, lines)
					}
					x, y, dims := matrix, fmt.Sprintf("tensor<%dx", depth), fmt.Sprintf("[%d] x [0]", dim)
					if isLeft {
						x, y, dims = y, x, fmt.Sprintf("[0] x [%d]", dim)
					}
					text := fmt.Sprintf(`func.func @main(%%x: %[1]s, %%y: %[2]s) -> tensor<%[3]dx%[4]s> {
  %%0 = stablehlo.dot_general %%x, %%y, contracting_dims = %[5]s : (%[1]s, %[2]s) -> tensor<%[3]dx%[4]s>
  return %%0 : tensor<%[3]dx%[4]s>
}`, x+types[0]+">", y+types[1]+">", lines, types[2], dims)
					if err := compareIndexed(text, r); err != nil {
						t.Errorf("%v\n%s", err, text)
					}
				}
			}
		}
	}
}

// filled returns n integers of a type of MLIR, which are v.
func filled(t *testing.T, of string, n int, v int64) []byte {
	t.Helper()
	d, err := dtype.Parse(stableName(of))
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, n*d.Size())
	for i := range n {
		d.StoreInt(b, i, v)
	}
	return b
}

// stableName is the name of an integer type of MLIR in package dtype.
func stableName(mlir string) string {
	if unsigned, ok := strings.CutPrefix(mlir, "u"); ok {
		return "u" + strings.TrimPrefix(unsigned, "i")
	}
	return "s" + strings.TrimPrefix(mlir, "i")
}
