package cpu

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
)

// TestCopiesKeepBits copies signalling NaN of narrow floats: arrays of one pattern preserve it, and
// so do small ones, which are scalar code.
func TestCopiesKeepBits(t *testing.T) {
	moves := map[string]string{
		"slice":     "stablehlo.slice %a [0:N, 1:2] : (tensor<Nx3xT>) -> tensor<Nx1xT>",
		"transpose": "stablehlo.transpose %a, dims = [1, 0] : (tensor<Nx3xT>) -> tensor<3xNxT>",
		"reverse":   "stablehlo.reverse %a, dims = [0, 1] : tensor<Nx3xT>",
		"pad": "stablehlo.pad %a, %p, low = [1, -1], high = [0, 1], interior = [0, 1]" +
			" : (tensor<Nx3xT>, tensor<T>) -> tensor<Mx5xT>",
		"concatenate": "stablehlo.concatenate %a, %a, dim = 1 : (tensor<Nx3xT>, tensor<Nx3xT>) -> tensor<Nx6xT>",
		"broadcast":   "stablehlo.broadcast_in_dim %p, dims = [] : (tensor<T>) -> tensor<Nx4xT>",
	}
	for _, d := range []dtype.Type{dtype.F16, dtype.BF16, dtype.F8E5M2, dtype.F8E4M3} {
		pattern := d.FromFloat64(d.MaxFinite()) + 2 // the mantissa's last bit above infinity's pattern
		spelled := d.String()                       // f16, f8E5M2
		if d.Size() == 1 {
			spelled = "f" + strings.ToUpper(spelled[1:])
		}
		for name, move := range moves {
			for _, n := range []int{2, 6, 40, 300} {
				text := strings.NewReplacer("T", spelled, "N", fmt.Sprint(n), "M", fmt.Sprint(n+1)).Replace(move)
				at := strings.LastIndex(text, "tensor<")
				text = fmt.Sprintf("func.func @main(%%a: tensor<%dx3x%s>, %%p: tensor<%s>) -> %s {\n  %%0 = %s\n"+
					"  return %%0 : %s\n}", n, spelled, spelled, text[at:], text, text[at:])
				full := func(dims ...int64) ([]byte, backend.Buffer) {
					of := backend.Type{DType: d, Dims: dims}
					data := make([]byte, of.SizeBytes())
					for i := range len(data) / d.Size() {
						d.StoreBits(data, i, pattern)
					}
					b, err := Default().Put(context.Background(), of, data, device{})
					if err != nil {
						t.Fatal(err)
					}
					return data, b
				}
				e := compile(t, text)
				_, a := full(int64(n), 3)
				_, p := full()
				got := execute(t, e, a, p)[0]
				want, _ := full(int64(len(got) / d.Size()))
				if !bytes.Equal(got, want) {
					t.Errorf("%s of %d × 3 of %s: bits have changed", name, n, d)
				}
			}
		}
	}
}
