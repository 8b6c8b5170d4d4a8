package transformers_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/tinymodel"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/transformers"
	"github.com/go-nx/nx/tree"
)

// TestQuantize compares quantised models with those in f32: their results differ by rounding, more with 4 bits, and all
// that is not an integer is f32.
func TestQuantize(t *testing.T) {
	for name, write := range map[string]func(dir string) error{"llama": llama, "bert": tinymodel.WriteEncoder,
		"whisper": tinymodel.WriteWhisper} {
		t.Run(name, func(t *testing.T) {
			dir := tiny(write)
			defer os.RemoveAll(dir)
			wide, err := transformers.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			in := inputsOf(t, wide, []int{5, 9, 33, 71, 2})
			want, err := wide.Forward(in)
			if err != nil {
				t.Fatal(err)
			}
			previous := 0.0
			for _, bits := range []int{8, 4} {
				if bits == 4 && name != "llama" {
					continue // the layers of these models are narrower than a group
				}
				m, err := transformers.Open(dir, transformers.Quantize(bits))
				if err != nil {
					t.Fatal(err)
				}
				integers := 0
				for path, w := range tree.Leaves(m.Network) {
					switch {
					case w.DType() == nx.S8 || w.DType() == nx.U8:
						integers++
					case w.DType().IsFloat() && w.DType() != nx.F32:
						t.Errorf("%s is %s", path, w.DType())
					}
				}
				if integers < 5 {
					t.Fatalf("%d bits: %d weights are integers", bits, integers)
				}
				got, err := m.Forward(in)
				if err != nil {
					t.Fatal(err)
				}
				x, y := nx.Data[float64](got.LastHiddenState), nx.Data[float64](want.LastHiddenState)
				diff, largest := 0.0, 0.0
				for i := range x {
					diff, largest = math.Max(diff, math.Abs(x[i]-y[i])), math.Max(largest, math.Abs(y[i]))
				}
				bound := 0.1 * largest
				if bits == 4 { // the weights of the model are large
					bound = 2 * largest
				}
				if !(diff <= bound) || diff <= previous {
					t.Errorf("%d bits: results differ by %v of %v", bits, diff, largest)
				}
				previous = diff
			}
		})
	}
}

func TestQuantizeErrors(t *testing.T) {
	dir := tiny(llama)
	defer os.RemoveAll(dir)
	for want, opt := range map[string]transformers.Option{
		"model.safetensors: ": transformers.Quantize(3),
		"must be 8 or 4":      transformers.Quantize(5),
		"negative":            transformers.Quantize(8, nn.Group(-2)),
	} {
		if _, err := transformers.Open(dir, opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
}
