package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/conformance/kit"
)

// TestGradientsOfPools compares select_and_scatter of several images with the interpreter: windows that overlap or not,
// with padding and without, features first and last, chunks of many images and images of many chunks.
func TestGradientsOfPools(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	for n := range 60 {
		images, features := []int{0, 1, 3, 40}[r.IntN(4)], []int{1, 5, 17}[r.IntN(3)]
		rows, cols := 3+r.IntN(40), 3+r.IntN(12)
		size, stride, pad := 1+r.IntN(3), 1+r.IntN(3), r.IntN(2)
		if pad >= size {
			pad = 0
		}
		over := func(n int) int { return (n+2*pad-size)/stride + 1 }
		first := r.IntN(2) == 0
		shape := func(rows, cols int) string {
			if first {
				return fmt.Sprintf("%dx%dx%dx%d", images, features, rows, cols)
			}
			return fmt.Sprintf("%dx%dx%dx%d", images, rows, cols, features)
		}
		layout := func(x, other int) string {
			if first {
				return fmt.Sprintf("%[2]d, %[2]d, %[1]d, %[1]d", x, other)
			}
			return fmt.Sprintf("%[2]d, %[1]d, %[1]d, %[2]d", x, other)
		}
		none, some := "[0, 0]", fmt.Sprintf("[%[1]d, %[1]d]", pad)
		padding := fmt.Sprintf("%[1]s, %[2]s, %[2]s, %[1]s", none, some)
		if first {
			padding = fmt.Sprintf("%[1]s, %[1]s, %[2]s, %[2]s", none, some)
		}
		typ := []string{"f32", "f64", "bf16", "i32", "i8"}[r.IntN(5)]
		combine := []string{"add", "maximum", "multiply"}[r.IntN(3)]
		text := fmt.Sprintf(`func.func @main(%%x: tensor<%[1]sx%[3]s>, %%u: tensor<%[2]sx%[3]s>, %%z: tensor<%[3]s>) -> tensor<%[1]sx%[3]s> {
  %%s = "stablehlo.select_and_scatter"(%%x, %%u, %%z) ({
  ^bb0(%%p: tensor<%[3]s>, %%q: tensor<%[3]s>):
    %%r = stablehlo.compare GE, %%p, %%q : (tensor<%[3]s>, tensor<%[3]s>) -> tensor<i1>
    stablehlo.return %%r : tensor<i1>
  }, {
  ^bb0(%%p: tensor<%[3]s>, %%q: tensor<%[3]s>):
    %%r = stablehlo.%[4]s %%p, %%q : tensor<%[3]s>
    stablehlo.return %%r : tensor<%[3]s>
  }) {window_dimensions = array<i64: %[5]s>, window_strides = array<i64: %[6]s>, padding = dense<[%[7]s]> : tensor<4x2xi64>}
    : (tensor<%[1]sx%[3]s>, tensor<%[2]sx%[3]s>, tensor<%[3]s>) -> tensor<%[1]sx%[3]s>
  return %%s : tensor<%[1]sx%[3]s>
}`, shape(rows, cols), shape(over(rows), over(cols)), typ, combine, layout(size, 1), layout(stride, 1), padding)
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			kit.EachOther(t, func(t *testing.T, e kit.Executor) {
				if err := compareIndexedBy(e, text, r); err != nil {
					t.Errorf("%v\n%s", err, text)
				}
			})
		})
	}
}
