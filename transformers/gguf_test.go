package transformers_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/transformers"
	"github.com/go-nx/nx/tree"
)

// ggufDir has the files that encoding/gguf/testdata/make.py wrote.
var ggufDir = filepath.Join("..", "encoding", "gguf", "testdata")

// TestGGUF: logits of models in GGUF files are those that transformers computes of the weights as the files have them.
func TestGGUF(t *testing.T) {
	var want map[string]nx.Tensor
	if err := nx.LoadTensors(filepath.Join(ggufDir, "logits.safetensors"), &want); err != nil {
		t.Fatal(err)
	}
	for name, kind := range map[string]string{"llama": "llama", "gpt2": "gpt2", "qwen2": "qwen2", "smollm3": "smollm3",
		"qwen3": "qwen3", "gemma": "gemma", "gemma2": "gemma2", "gemma3": "gemma3_text", "phi3": "phi3"} {
		m, err := transformers.Open(filepath.Join(ggufDir, name+".gguf"))
		if err != nil {
			t.Error(err)
			continue
		}
		if m.Type != kind || m.Vocabulary != want[name].Shape()[0] || m.Context == 0 {
			t.Errorf("%s: %s, %d tokens, context %d", name, m.Type, m.Vocabulary, m.Context)
		}
		ids := want[name+".ids"]
		out, err := m.Forward(transformers.Inputs{InputIDs: ids})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := nx.Data[float32](out.Logits.At(0, -1))
		for i, w := range nx.Data[float32](want[name]) {
			if d := math.Abs(float64(got[i] - w)); !(d <= 1e-4*(1+math.Abs(float64(w)))) {
				t.Errorf("%s: logit %d is %v, want %v", name, i, got[i], w)
				break
			}
		}
	}
}

// TestGGUFBlocks: Q8_0 and Q4_0 stay as they are in the file, and all other types become f32.
func TestGGUFBlocks(t *testing.T) {
	m, err := transformers.Open(filepath.Join(ggufDir, "llama.gguf"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]nx.DType{}
	for path, x := range tree.Leaves(m.Network) {
		got[path] = x.DType()
	}
	for path, want := range map[string]nx.DType{"EmbedTokens.Weight": nx.S8, "EmbedTokens.Scale": nx.F32,
		"Head.Weight": nx.U8, "Head.Scale": nx.F32, "Layers[0].SelfAttn.QProj.Weight": nx.U8,
		"Layers[0].SelfAttn.VProj.Weight": nx.S8, "Layers[0].SelfAttn.KProj.Weight": nx.F32,
		"Layers[0].MLP.UpProj.Weight": nx.F32, "Norm.Weight": nx.F32} {
		if got[path] != want {
			t.Errorf("%s is %v, want %v", path, got[path], want)
		}
	}
}

// TestGGUFErrors: what a file says and the package does not know is named as the file names it.
func TestGGUFErrors(t *testing.T) {
	good, err := os.ReadFile(filepath.Join(ggufDir, "llama.gguf"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "m.gguf")
	for what, c := range map[string]struct{ from, to, want string }{
		"architecture": {"\x05\x00\x00\x00\x00\x00\x00\x00llama\x14", "\x05\x00\x00\x00\x00\x00\x00\x00lamma\x14",
			`the architecture general.architecture = "lamma" is not known; known are gemma, gemma2,`},
		"option": {"llama.rope.freq_base", "llama.rope.freq_bass",
			"the option llama.rope.freq_bass = 10000 is not known; transformers.Ignore(\"llama.rope.freq_bass\")"},
		"missing":     {"llama.block_count", "llama.block_counx", "the field llama.block_count is missing"},
		"no table":    {"token_embd.weight", "token_embd.weighs", "the tensor token_embd.weight is missing"},
		"superfluous": {"blk.0.ffn_down.weight", "blk.0.ffn_doom.weight", "ffn_doom"},
		"kind":        {"general.architecture", "general.architecturf", "the metadata general.architecture is missing"},
	} {
		bad := strings.Replace(string(good), c.from, c.to, 1)
		if bad == string(good) {
			t.Errorf("%s: nothing was changed", what)
		}
		if err := os.WriteFile(file, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := transformers.Open(file)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: got %v, want %s", what, err, c.want)
		}
	}
	bad := strings.Replace(string(good), "llama.rope.freq_base", "llama.rope.freq_bass", 1)
	if err := os.WriteFile(file, []byte(bad), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := transformers.Open(file, transformers.Ignore("llama.rope.freq_bass")); err != nil {
		t.Error(err)
	}
	if _, err := transformers.Open(filepath.Join(ggufDir, "types.gguf")); err == nil ||
		!strings.Contains(err.Error(), `general.architecture = "test"`) {
		t.Error(err)
	}
}

// FuzzGGUF: whatever a file says, it is opened or refused.
func FuzzGGUF(f *testing.F) {
	for _, name := range []string{"gemma", "phi3", "qwen3"} {
		data, err := os.ReadFile(filepath.Join(ggufDir, name+".gguf"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		file := filepath.Join(t.TempDir(), "m.gguf")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := transformers.Open(file)
		if err == nil && m.Network == nil {
			t.Fatal("no network and no error")
		}
	})
}
