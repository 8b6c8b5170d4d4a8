package exec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit/fused"
)

// A convolution reads transposed, sliced and split operands in place, with the bits of copies, which it takes if they
// are results, too.
func TestConvolutionOfViews(t *testing.T) {
	const nchw = "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]"
	const image, kernel, out = "tensor<2x4x11x13xf32>", "tensor<6x4x3x3xf32>", "tensor<2x6x11x13xf32>"
	const grouped = "tensor<2x8x11x13xf32>"
	transposed := "%%v = stablehlo.transpose %%x, dims = [0, 3, 1, 2] : (%s) -> %s"
	for name, c := range map[string]struct {
		x, k, op, image, kernel string
		groups                  int
	}{
		"an image of lines of features": {"tensor<2x11x13x4xf32>", kernel,
			fmt.Sprintf(transposed, "tensor<2x11x13x4xf32>", image), image, "%k", 1},
		"a part of an image": {"tensor<3x9x15x20xf32>", kernel,
			"%v = stablehlo.slice %x [1:3, 2:6, 3:14, 5:18] : (tensor<3x9x15x20xf32>) -> " + image, image, "%k", 1},
		"every second line": {"tensor<2x4x22x13xf32>", kernel,
			"%v = stablehlo.slice %x [0:2, 0:4, 1:22:2, 0:13] : (tensor<2x4x22x13xf32>) -> " + image, image, "%k", 1},
		"two groups of a transposed image": {"tensor<2x11x13x8xf32>", kernel,
			fmt.Sprintf(transposed, "tensor<2x11x13x8xf32>", grouped), grouped, "%k", 2},
		"a transposed kernel": {image, "tensor<3x3x4x6xf32>",
			"%v = stablehlo.transpose %k, dims = [3, 2, 0, 1] : (tensor<3x3x4x6xf32>) -> " + kernel, kernel, "%v", 1},
		"a kernel of two": {image, "tensor<2x6x4x3x3xf32>",
			`%s = stablehlo.slice %k [1:2, 0:6, 0:4, 0:3, 0:3] : (tensor<2x6x4x3x3xf32>) -> tensor<1x6x4x3x3xf32>
  %v = stablehlo.reshape %s : (tensor<1x6x4x3x3xf32>) -> ` + kernel, kernel, "%v", 1},
	} {
		t.Run(name, func(t *testing.T) {
			x, imageType := "%v", c.image
			if c.kernel == "%v" {
				x, imageType = "%x", image
			}
			text := func(results, types string) string {
				return fmt.Sprintf(`func.func @main(%%x: %s, %%k: %s) -> (%s) {
  %s
  %%r = stablehlo.convolution(%s, %s) dim_numbers = %s, window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = %d : i64} : (%s, %s) -> %s
  return %s : %s
}`, c.x, c.k, types, c.op, x, c.kernel, nchw, c.groups, imageType, kernel, out, results, types)
			}
			separate := fused.Program(t, text("%r, %v", out+", "+c.image))
			fused := fused.Program(t, text("%r", out))
			if !strings.Contains(separate.String(), "= kernel") || strings.Contains(fused.String(), "= kernel") {
				t.Fatalf("%s\n%s", separate, fused)
			}
			compareFirst(t, separate, fused)
		})
	}
}
