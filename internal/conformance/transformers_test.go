package conformance

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/transformers"
)

// transformersCase is a line of cases.jsonl; FORMAT.md of the corpus describes it.
type transformersCase struct {
	Case, Kind      string
	Inputs, Outputs map[string]string
	Params          map[string]any
	Tol             map[string][2]float64
}

// transformersModel is a folder of the corpus.
type transformersModel struct {
	dir    string
	model  *transformers.Model
	arrays map[string]nx.Tensor
}

// transformersKinds compute the outputs of a kind of case.
var transformersKinds = map[string]func(m *transformersModel, c *transformersCase) (map[string]nx.Tensor, error){
	"forward": (*transformersModel).forward,
}

// TestTransformers computes the recorded cases of models of a folder of folders.
func TestTransformers(t *testing.T) {
	dir := os.Getenv("NX_TRANSFORMERS")
	if dir == "" {
		dir = testkit.Shared(t, "conformance", "transformers")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "cases.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", dir, err)
	}
	passed, failed := 0, 0
	for _, file := range files {
		m := &transformersModel{dir: filepath.Dir(file)}
		name := filepath.Base(m.dir)
		cases := m.read(t, file)
		opened := error(nil)
		if m.model, opened = transformers.Open(m.dir); opened != nil {
			if strings.Contains(opened.Error(), "the model type") {
				t.Logf("%s: not run: %v", name, opened)
				continue
			}
			t.Errorf("%s: %v", name, opened)
		}
		ok := 0
		for _, c := range cases {
			if transformersKinds[c.Kind] == nil {
				t.Logf("%s %s: not run, as the kind %s has no runner yet", name, c.Case, c.Kind)
				continue
			}
			err := opened
			if err == nil {
				if err = m.check(&c); err != nil {
					t.Errorf("%s %s (%s): %v", name, c.Case, c.Kind, err)
				}
			}
			if err == nil {
				ok++
			} else {
				failed++
			}
		}
		passed += ok
		t.Logf("%s: %d of %d", name, ok, len(cases))
	}
	t.Logf("transformers: %d passed, %d failed", passed, failed)
}

func (m *transformersModel) read(t *testing.T, file string) (cases []transformersCase) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var c transformersCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if c.Kind != "" {
			cases = append(cases, c)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if err := nx.LoadTensors(strings.TrimSuffix(file, ".jsonl")+".safetensors", &m.arrays); err != nil {
		t.Fatal(err)
	}
	return cases
}

// check computes a case and compares all of its outputs.
func (m *transformersModel) check(c *transformersCase) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	run, ok := transformersKinds[c.Kind]
	if !ok {
		return fmt.Errorf("no runner for the kind")
	}
	got, err := run(m, c)
	if err != nil {
		return err
	}
	for name, key := range c.Outputs {
		want, ok := m.arrays[key]
		if !ok {
			return fmt.Errorf("the corpus has no array %q", key)
		}
		if got[name].IsZero() {
			return fmt.Errorf("%s is missing", name)
		}
		if !slices.Equal(got[name].Shape(), want.Shape()) {
			return fmt.Errorf("%s is %v, want %v", name, got[name].Shape(), want.Shape())
		}
		if err := m.compare(c, name, got[name], want); err != nil {
			return err
		}
	}
	return nil
}

// compare compares an output; rows that the mask of its side leaves out are not compared.
func (m *transformersModel) compare(c *transformersCase, name string, got, want nx.Tensor) error {
	tol, inexact := c.Tol[name]
	a, b := nx.Data[float64](got), nx.Data[float64](want)
	mask := m.maskOf(c, name, want.Shape())
	for i := range b {
		if mask != nil && mask[i*len(mask)/len(b)] == 0 {
			continue
		}
		if !inexact && a[i] != b[i] {
			return fmt.Errorf("%s differs at %d: got %v, want %v", name, i, a[i], b[i])
		}
		if inexact && a[i] != b[i] && !(math.Abs(a[i]-b[i]) <= tol[1]+tol[0]*math.Abs(b[i])) {
			return fmt.Errorf("%s differs at %d of %d by %.3g: got %v, want %v", name, i, len(b), a[i]-b[i], a[i], b[i])
		}
	}
	return nil
}

// maskOf is the attention mask of the rows of an output [batch, time, …], or nil.
func (m *transformersModel) maskOf(c *transformersCase, name string, shape nx.Shape) []int64 {
	mask := m.input(c, "attention_mask")
	if mask.IsZero() || len(shape) < 2 || !slices.Equal(shape[:2], mask.Shape()) || c.Kind != "forward" {
		return nil
	}
	decoder := c.Inputs["decoder_input_ids"] != ""
	if decoder && !strings.HasPrefix(name, "encoder_") || strings.HasPrefix(name, "image_") {
		return nil
	}
	return nx.Data[int64](mask)
}

func (m *transformersModel) input(c *transformersCase, name string) nx.Tensor {
	return m.arrays[c.Inputs[name]]
}

func (m *transformersModel) forward(c *transformersCase) (map[string]nx.Tensor, error) {
	in := transformers.Inputs{
		InputIDs: m.input(c, "input_ids"), AttentionMask: m.input(c, "attention_mask"),
		PositionIDs: m.input(c, "position_ids"), TokenTypeIDs: m.input(c, "token_type_ids"),
		DecoderInputIDs: m.input(c, "decoder_input_ids"), InputFeatures: m.input(c, "input_features"),
		PixelValues: m.input(c, "pixel_values"),
	}
	for name := range c.Outputs {
		in.HiddenStates = in.HiddenStates || strings.Contains(name, "hidden_states.")
	}
	out, err := m.model.Forward(in)
	if err != nil {
		return nil, err
	}
	got := map[string]nx.Tensor{
		"logits": out.Logits, "last_hidden_state": out.LastHiddenState, "pooler_output": out.PoolerOutput,
		"start_logits": out.StartLogits, "end_logits": out.EndLogits,
		"encoder_last_hidden_state": out.EncoderLastHiddenState,
		"text_embeds":               out.TextEmbeds, "image_embeds": out.ImageEmbeds,
		"logits_per_image": out.LogitsPerImage, "logits_per_text": out.LogitsPerText,
		"text_pooled": out.TextPooled, "image_pooled": out.ImagePooled,
		"text_last_hidden_state": out.TextLastHiddenState, "image_last_hidden_state": out.ImageLastHiddenState,
	}
	for i, h := range out.HiddenStates {
		got[fmt.Sprintf("hidden_states.%d", i)] = h
		got[fmt.Sprintf("decoder_hidden_states.%d", i)] = h
	}
	for i, h := range out.EncoderHiddenStates {
		got[fmt.Sprintf("encoder_hidden_states.%d", i)] = h
	}
	return got, nil
}
