package transformers_test

import (
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/tinymodel"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/transformers"
	"github.com/go-nx/nx/tree"
)

// nearness is how far results in bf16 may be from those in f32, by the largest of these. The weights of the tests'
// models are large, so that errors grow: PyTorch's logits of the decoder differ by 0.05.
const nearness = 0.1

// inputsOf are inputs of the models that tinymodel writes.
func inputsOf(t *testing.T, m *transformers.Model, ids []int) (in transformers.Inputs) {
	t.Helper()
	if s, ok := m.Network.(*transformers.Seq2Seq); ok {
		in.DecoderInputIDs = nx.New([][]int{ids})
		frames := 2 * s.Encoder.EmbedPositions.Weight.Shape()[0]
		x := nx.Iota(nx.Shape{1, 80, frames}, nx.F32, nx.Axis(2))
		in.InputFeatures = nx.Sin(nx.Mul(x, nx.Add(nx.Iota(nx.Shape{1, 80, frames}, nx.F32, nx.Axis(1)), 1)))
		return in
	}
	in.InputIDs = nx.New([][]int{ids})
	return in
}

// TestBF16 compares models in bf16 with those in f32.
func TestBF16(t *testing.T) {
	for name, write := range map[string]func(dir string) error{"llama": llama, "bert": tinymodel.WriteEncoder,
		"whisper": tinymodel.WriteWhisper} {
		t.Run(name, func(t *testing.T) {
			dir := tiny(write)
			defer os.RemoveAll(dir)
			wide, err := transformers.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			narrow, err := transformers.Open(dir, transformers.DType(nx.BF16))
			if err != nil {
				t.Fatal(err)
			}
			for path, w := range tree.Leaves(narrow.Network) {
				if w.DType() != nx.BF16 {
					t.Errorf("%s is %s", path, w.DType())
				}
			}
			ids := []int{5, 9, 33, 71, 2, 0, 94, 8, 8, 8, 1}
			want, err := wide.Forward(inputsOf(t, wide, ids))
			if err != nil {
				t.Fatal(err)
			}
			got, err := narrow.Forward(inputsOf(t, narrow, ids))
			if err != nil {
				t.Fatal(err)
			}
			if name != "bert" {
				if got.Logits.DType() != nx.F32 {
					t.Errorf("logits are %s", got.Logits.DType())
				}
				near(t, "logits", got.Logits, want.Logits)
			}
			if got.LastHiddenState.DType() != nx.BF16 {
				t.Errorf("the last hidden state is %s", got.LastHiddenState.DType())
			}
			near(t, "last hidden state", got.LastHiddenState, want.LastHiddenState)
		})
	}
}

// near checks that results in bf16 are not those in f32, but near to them.
func near(t *testing.T, name string, got, want nx.Tensor) {
	t.Helper()
	x, y := nx.Data[float64](got), nx.Data[float64](want)
	largest, distance := 0.0, 0.0
	for i := range y {
		largest, distance = max(largest, math.Abs(y[i])), max(distance, math.Abs(x[i]-y[i]))
	}
	if !(distance <= nearness*largest) || distance == 0 || len(x) != len(y) {
		t.Errorf("%s: they differ by %g, the largest is %g", name, distance, largest)
	}
}

// TestF32InBF16: norms, angles of positions and softmax are computed in f32 or f64, whatever the weights are.
func TestF32InBF16(t *testing.T) {
	dir := tiny(llama)
	defer os.RemoveAll(dir)
	m, err := transformers.Open(dir, transformers.DType(nx.BF16))
	if err != nil {
		t.Fatal(err)
	}
	apply := func(d *transformers.Decoder, in transformers.Inputs) transformers.Outputs {
		return d.Apply(&nn.Ctx{Model: d}, in)
	}
	in := transformers.Inputs{InputIDs: nx.New([][]int{{5, 9}}), PositionIDs: nx.New([][]int{{3, 4}})}
	program, err := nx.Lower(apply, nx.Args(m.Network.(*transformers.Decoder), in))
	if err != nil {
		t.Fatal(err)
	}
	inner := regexp.MustCompile(`stablehlo\.(rsqrt|exponential|cosine|sine|divide)\b`)
	found := map[string]bool{}
	for line := range strings.Lines(program.Text()) {
		if op := inner.FindString(line); op != "" {
			found[op] = true
			if strings.Contains(line, "bf16") {
				t.Errorf("in bf16: %s", line)
			}
		}
	}
	for _, op := range []string{"rsqrt", "exponential", "cosine", "sine"} {
		if !found["stablehlo."+op] {
			t.Errorf("the program has no %s", op)
		}
	}
	if !strings.Contains(program.Text(), "tensor<1x2x48xbf16>") {
		t.Error("nothing is computed in bf16")
	}
}
