package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/stablehlo"
)

// TestLargestSumsOfConvolutions convolves the largest integers, of depths around those up to which floats have all
// sums: the results are exact, modulo 2 to the width of theirs.
func TestLargestSumsOfConvolutions(t *testing.T) {
	for _, c := range []struct {
		in, out string
		x, k    int64
		depths  []int
	}{
		{"i8", "i32", -128, -128, []int{341, 342, 1000}}, {"i8", "i8", 127, -128, []int{341, 342}},
		{"ui8", "ui32", 255, 255, []int{85, 86, 200}}, {"i16", "i32", -32768, -32767, []int{2, 100}},
		{"ui16", "ui64", 65535, 65535, []int{2, 100}}, {"i32", "i64", -1 << 31, 1<<31 - 1, []int{1, 2, 50}},
		{"i32", "i32", -1 << 31, 1<<31 - 1, []int{2, 50}}, {"ui32", "ui32", 1<<32 - 1, 1<<32 - 1, []int{2, 50}},
	} {
		for _, depth := range c.depths {
			t.Run(fmt.Sprintf("%s to %s/%d", c.in, c.out, depth), func(t *testing.T) {
				m, err := stablehlo.Parse("convolution", fmt.Appendf(nil, `func.func @main(%%x: tensor<1x%[1]dx6x%[2]s>, %%k: tensor<2x%[1]dx3x%[2]s>) -> tensor<1x2x4x%[3]s> {
  %%0 = stablehlo.convolution(%%x, %%k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x%[1]dx6x%[2]s>, tensor<2x%[1]dx3x%[2]s>) -> tensor<1x2x4x%[3]s>
  return %%0 : tensor<1x2x4x%[3]s>
}`, depth, c.in, c.out))
				if err != nil {
					t.Fatal(err)
				}
				want := filled(t, c.out, 8, 3*int64(depth)*c.x*c.k)
				kit.EachOther(t, func(t *testing.T, e kit.Executor) {
					got, err := kit.Run(e, m, [][]byte{filled(t, c.in, 6*depth, c.x), filled(t, c.in, 6*depth, c.k)})
					if err != nil {
						t.Fatal(err)
					}
					if string(got[0].Data) != string(want) {
						t.Errorf("%x, not %x", got[0].Data, want)
					}
				})
			})
		}
	}
}

// TestConvolutionsOfIntegers compares convolutions of integers with the interpreter: strides, dilations, padding,
// reversal and groups of features and of batches.
func TestConvolutionsOfIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	windows := []string{"stride = [2, 1], pad = [[1, 2], [0, 1]]", "rhs_dilate = [2, 1], reverse = [true, false]",
		"lhs_dilate = [2, 2], pad = [[0, 1], [2, 0]], reverse = [false, true]", ""}
	sizes := []string{"6x7", "6x6", "18x15", "8x6"}
	for _, in := range []string{"i8", "ui8", "i16", "ui16", "i32", "ui32", "i64"} {
		out := in
		if strings.HasSuffix(in, "8") {
			out = "i32"
		}
		for i, w := range windows {
			for _, groups := range [][2]int{{1, 1}, {2, 1}, {1, 2}} {
				features := 4 / groups[0]
				batch := 2 / groups[1]
				m, err := stablehlo.Parse("convolution", fmt.Appendf(nil, `func.func @main(%%x: tensor<2x10x8x4x%[1]s>, %%k: tensor<3x3x%[2]dx6x%[1]s>) -> tensor<%[3]dx%[4]sx6x%[5]s> {
  %%0 = stablehlo.convolution(%%x, %%k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {%[6]s} {batch_group_count = %[7]d : i64, feature_group_count = %[8]d : i64} : (tensor<2x10x8x4x%[1]s>, tensor<3x3x%[2]dx6x%[1]s>) -> tensor<%[3]dx%[4]sx6x%[5]s>
  return %%0 : tensor<%[3]dx%[4]sx6x%[5]s>
}`, in, features, batch, sizes[i], out, w, groups[1], groups[0]))
				if err != nil {
					t.Fatal(err)
				}
				args := [][]byte{filled(t, in, 640, 0), filled(t, in, 9*features*6, 0)}
				for _, b := range args {
					for i := range b {
						b[i] = byte(r.Uint32())
					}
				}
				t.Run(fmt.Sprintf("%s/%d/%v", in, i, groups), func(t *testing.T) {
					kit.EachOther(t, func(t *testing.T, e kit.Executor) {
						if err := kit.Compare(e, m, args); err != nil {
							t.Error(err)
						}
					})
				})
			}
		}
	}
}
