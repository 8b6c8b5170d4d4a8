package textmodel_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/textmodel"
	"github.com/go-nx/nx/token"
)

// TestGGUF: a file of llama.cpp says how its conversations look and where answers end, and generates.
func TestGGUF(t *testing.T) {
	dir := filepath.Join("..", "..", "encoding", "gguf", "testdata")
	for file, want := range map[string]struct {
		chat string
		eos  []string
	}{"qwen2": {"chatml", []string{"<|im_end|>", "<|endoftext|>"}}, "llama": {"llama2", []string{"</s>"}}} {
		path := filepath.Join(dir, file+".gguf")
		if !textmodel.IsModel(path) || textmodel.Name(path) != file {
			t.Errorf("%s is %v, %q", path, textmodel.IsModel(path), textmodel.Name(path))
		}
		m, err := textmodel.Open(path, 0)
		if err != nil {
			t.Error(err)
			continue
		}
		var eos []string
		for _, id := range m.Defaults.EOS {
			text, _ := m.Tokens.Token(int32(id))
			eos = append(eos, text)
		}
		if !m.HasTemplate || m.NoChat != nil || m.Chat.Name() != want.chat || !slices.Equal(eos, want.eos) {
			t.Errorf("%s: %v %v, ends %v", file, m.Chat, m.NoChat, eos)
		}
		// What the makers recommend is the default.
		if o := m.Defaults; o.Sample != (file == "llama") || o.Sample && (o.Temperature != 0.5 || o.TopP != 0.75 ||
			o.TopK != 40 || o.MinP != 0) {
			t.Errorf("%s: %+v", file, o)
		}
		prompt, err := m.Conversation([]token.Message{{Role: "user", Content: "Hi"}})
		if err != nil {
			t.Fatal(err)
		}
		g, err := m.Generator(1, 0)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		opts := m.Defaults
		opts.MaxNewTokens = 3
		for _, err := range g.Stream(t.Context(), prompt, opts) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n < 1 || n > 3 {
			t.Errorf("%s: %d tokens", file, n)
		}
	}
	if textmodel.IsModel(filepath.Join(dir, "qwen2.json")) || textmodel.IsModel(filepath.Join(dir, "none.gguf")) {
		t.Error("a file that is not a model is one")
	}
}

// TestGGUFWithoutTemplate: a missing template is named.
func TestGGUFWithoutTemplate(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "encoding", "gguf", "testdata", "qwen2.gguf"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "m.gguf")
	data = bytes.Replace(data, []byte("tokenizer.chat_template"), []byte("tokenizer.chat_templaty"), 1)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := textmodel.Open(file, 0)
	if err != nil {
		t.Fatal(err)
	}
	if m.Chat != nil || m.HasTemplate || !strings.Contains(m.NoChat.Error(), "m.gguf has no tokenizer.chat_template") {
		t.Errorf("%v %v", m.Chat, m.NoChat)
	}
}
