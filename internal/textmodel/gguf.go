package textmodel

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-nx/nx/encoding/gguf"
	"github.com/go-nx/nx/generate"
	"github.com/go-nx/nx/token"
	"github.com/go-nx/nx/transformers"
)

// isGGUF reports whether a path is a file that is named as those of llama.cpp are.
func isGGUF(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && strings.EqualFold(filepath.Ext(path), ".gguf")
}

// turnEnds are the special tokens that end an answer in some form of conversations, which files need not name.
var turnEnds = []string{"<|eot_id|>", "<|eom_id|>", "<|im_end|>", "<|end|>", "<end_of_turn>", "<|endoftext|>",
	"<|end_of_text|>"}

// openGGUF opens a file of llama.cpp.
func openGGUF(path string, opts []transformers.Option) (*Model, error) {
	f, err := gguf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m := &Model{}
	if m.Tokens, err = token.FromGGUF(f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if m.Network, err = transformers.Open(path, opts...); err != nil {
		return nil, err
	}
	if err := m.losesNothing(path, "tokenizer.ggml.tokens"); err != nil {
		return nil, err
	}
	m.Defaults.Text = func() generate.TextDecoder { return m.Tokens.Stream() }
	for _, name := range []string{"eos", "eot", "eom"} {
		id, err := gguf.Value[int64](f, "tokenizer.ggml."+name+"_token_id")
		if err == nil && !slices.Contains(m.Defaults.EOS, int(id)) {
			m.Defaults.EOS = append(m.Defaults.EOS, int(id))
		}
	}
	for _, text := range turnEnds {
		if id, ok := m.Tokens.ID(text); ok && m.Tokens.IsSpecial(id) && !slices.Contains(m.Defaults.EOS, int(id)) {
			m.Defaults.EOS = append(m.Defaults.EOS, int(id))
		}
	}
	m.sampling(f)
	if err := m.Defaults.Check(m.Network.Vocabulary); err != nil {
		return nil, fmt.Errorf("%s: general.sampling: %w", path, err)
	}
	if m.HasTemplate = f.Has("tokenizer.chat_template"); m.HasTemplate {
		if m.Chat, m.NoChat = token.ChatFromGGUF(f); m.NoChat != nil {
			m.NoChat = fmt.Errorf("%s: %w", path, m.NoChat)
		}
	} else {
		m.NoChat = fmt.Errorf("%s has no tokenizer.chat_template: this model has no form for conversations", path)
	}
	return m, nil
}

// sampling reads how the makers of a model recommend to draw tokens.
func (m *Model) sampling(f *gguf.File) {
	o := &m.Defaults
	for name, to := range map[string]*float64{"temp": &o.Temperature, "top_p": &o.TopP, "min_p": &o.MinP} {
		if x, err := gguf.Value[float64](f, "general.sampling."+name); err == nil {
			*to, o.Sample = x, true
		}
	}
	if k, err := gguf.Value[int64](f, "general.sampling.top_k"); err == nil {
		o.TopK, o.Sample = int(k), true
	}
	if o.Sample && f.Has("general.sampling.temp") && o.Temperature < 1e-3 { // scores divided by less are not finite
		o.Sample, o.Temperature = false, 0
	}
}
