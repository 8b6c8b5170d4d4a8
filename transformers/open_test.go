package transformers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/tinymodel"
	"github.com/go-nx/nx/transformers"
)

// TestOpenErrors opens folders that are wrong; the error must name what is.
func TestOpenErrors(t *testing.T) {
	type change = func(c map[string]any, s map[string][]int)
	set := func(name string, v any) change { return func(c map[string]any, _ map[string][]int) { c[name] = v } }
	for name, test := range map[string]struct {
		change change
		want   string
	}{
		"model type":    {set("model_type", "mamba"), `the model type "mamba" is not known`},
		"no model type": {set("model_type", nil), `the model type "" is not known`},
		"architecture":  {set("architectures", []string{"LlamaForTokens"}), `the architecture "LlamaForTokens"`},
		"activation":    {set("hidden_act", "swoosh"), `the activation "swoosh" of the field hidden_act`},
		"option":        {set("clip_qkv", 8), "the option clip_qkv = 8 is not known"},
		"quantised":     {set("quantization_config", map[string]any{"bits": 4}), "quantization_config"},
		"rope":          {set("rope_scaling", map[string]any{"rope_type": "spiral"}), `"spiral" is not known`},
		"rope option": {set("rope_scaling", map[string]any{"type": "linear", "factor": 2, "x": 1}),
			"rope_scaling.x"},
		"rope factor": {set("rope_scaling", map[string]any{"rope_type": "linear"}), "a positive factor"},
		"field size":  {set("hidden_size", 1<<40), `hidden_size must be an integer from 1 to 2147483647, got 1099511627776`},
		"field type":  {set("hidden_size", "wide"), `the field hidden_size must be an integer from 1 to 2147483647, got "wide"`},
		"negative":    {set("vocab_size", -1), "vocab_size"},
		"missing field": {func(c map[string]any, _ map[string][]int) { delete(c, "vocab_size") },
			"vocab_size is missing"},
		"heads":       {set("num_key_value_heads", 3), "cannot share 3 heads"},
		"many layers": {set("num_hidden_layers", 1e9), "num_hidden_layers"},
		"wide":        {set("vocab_size", 1<<31-1), "lm_head"},
		"missing weight": {func(_ map[string]any, s map[string][]int) { delete(s, "model.norm.weight") },
			"Norm.Weight"},
		"missing head": {func(_ map[string]any, s map[string][]int) { delete(s, "lm_head.weight") }, "Head.Weight"},
		"superfluous":  {func(_ map[string]any, s map[string][]int) { s["model.extra"] = []int{2} }, "extra"},
		"superfluous one": {func(_ map[string]any, s map[string][]int) {
			s["model.layers.0.mlp.up_proj.bias"] = []int{48}
		}, "superfluous"},
		"misshapen": {func(_ map[string]any, s map[string][]int) { s["model.norm.weight"] = []int{31} },
			"f32[31]"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			config, shapes := tinymodel.Llama()
			test.change(config, shapes)
			if err := tinymodel.Write(dir, config, shapes); err != nil {
				t.Fatal(err)
			}
			_, err := transformers.Open(dir)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), dir) {
				t.Errorf("got %v, want an error with %q and the folder", err, test.want)
			}
		})
	}
}

// TestIgnore opens a model with an option that is not known.
func TestIgnore(t *testing.T) {
	dir := t.TempDir()
	config, shapes := tinymodel.Llama()
	config["clip_qkv"] = 8
	if err := tinymodel.Write(dir, config, shapes); err != nil {
		t.Fatal(err)
	}
	if _, err := transformers.Open(dir, transformers.Ignore("clip_qkv")); err != nil {
		t.Error(err)
	}
}

// TestNoHead opens models whose configuration names a head, with and without the weights of one.
func TestNoHead(t *testing.T) {
	dir := t.TempDir()
	if err := tinymodel.WriteEncoder(dir); err != nil {
		t.Fatal(err)
	}
	in := transformers.Inputs{InputIDs: nx.New([][]int{{5, 9, 33}})}
	whole, err := transformers.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	want, err := whole.Forward(in)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "config.json")
	config, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range []string{"BertModel", "BertForMaskedLM", "BertForSequenceClassification"} {
		text := strings.Replace(string(config), "BertModel", class, 1)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := transformers.Open(dir); (err == nil) != (class == "BertModel") {
			t.Errorf("%s: %v", class, err)
		}
		m, err := transformers.Open(dir, transformers.NoHead)
		if err != nil {
			t.Errorf("%s: %v", class, err)
			continue
		}
		got, err := m.Forward(in)
		if err != nil || !nx.ArrayEqual(got.LastHiddenState, want.LastHiddenState) || !got.PoolerOutput.IsZero() {
			t.Errorf("%s: %v, or its last hidden state differs", class, err)
		}
	}
	decoder := t.TempDir()
	c, shapes := tinymodel.Llama()
	if err := tinymodel.Write(decoder, c, shapes); err != nil {
		t.Fatal(err)
	}
	m, err := transformers.Open(decoder, transformers.NoHead)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := m.Forward(in); err != nil || !out.Logits.IsZero() || out.LastHiddenState.IsZero() {
		t.Errorf("a decoder: %v, or it has logits", err)
	}
	whisper := t.TempDir()
	if err := tinymodel.WriteWhisper(whisper); err != nil {
		t.Fatal(err)
	}
	_, err = transformers.Open(whisper, transformers.NoHead)
	if err == nil || !strings.Contains(err.Error(), "NoHead") {
		t.Errorf("Whisper without a head: %v", err)
	}
}

// TestForwardErrors computes inputs that are wrong.
func TestForwardErrors(t *testing.T) {
	dir := t.TempDir()
	config, shapes := tinymodel.Llama()
	if err := tinymodel.Write(dir, config, shapes); err != nil {
		t.Fatal(err)
	}
	m, err := transformers.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for want, in := range map[string]transformers.Inputs{
		"InputIDs is missing":              {},
		"has the token 96, the vocabulary": {InputIDs: nx.New([][]int{{1, 96}})},
		"has the token -1":                 {InputIDs: nx.New([][]int{{-1}})},
		"must be integers [batch, time]":   {InputIDs: nx.New([]int{1})},
	} {
		if _, err := m.Forward(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
