// Package textmodel opens a folder with a model of text: the network, its tokenizer, the form of its conversations and
// the options that it generates with. It is what nx chat and package serve/openai have in common.
package textmodel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/go-nx/nx/generate"
	"github.com/go-nx/nx/token"
	"github.com/go-nx/nx/transformers"
)

// Model is an opened folder.
type Model struct {
	Network *transformers.Model
	Tokens  *token.Tokenizer
	// Chat is nil where no template is known; NoChat says why then. HasTemplate tells whether there is one.
	Chat        *token.Chat
	NoChat      error
	HasTemplate bool
	// Defaults are the options of generation_config.json, with all tokens that end a text, and the decoder of text.
	Defaults generate.Options
}

// IsModel reports whether a path is a folder that is laid out as a model hub lays it, or a file of llama.cpp.
func IsModel(path string) bool {
	info, err := os.Stat(filepath.Join(path, "config.json"))
	return err == nil && info.Mode().IsRegular() || isGGUF(path)
}

// Name is the name of a model in a path: that of its folder, or of its file without the extension.
func Name(path string) string {
	name := filepath.Base(path)
	if isGGUF(path) {
		return strings.TrimSuffix(name, filepath.Ext(name))
	}
	return name
}

// Open opens a folder or a GGUF file, with weights of 8 or 4 bits if bits is not 0. Errors name the file, what is wrong
// and what to do.
func Open(path string, bits int) (m *Model, err error) {
	var opts []transformers.Option
	switch bits {
	case 0:
	case 4, 8:
		opts = append(opts, transformers.Quantize(bits))
	default:
		return nil, fmt.Errorf("weights have 8 or 4 bits, or 0 for those of the file, got %d", bits)
	}
	if isGGUF(path) {
		return openGGUF(path, opts)
	}
	return openFolder(path, opts)
}

func openFolder(dir string, opts []transformers.Option) (m *Model, err error) {
	if !IsModel(dir) {
		return nil, fmt.Errorf("%s: want a folder with config.json, model.safetensors and tokenizer.json, as "+
			"save_pretrained writes it, or a .gguf file", dir)
	}
	m = &Model{}
	m.Tokens, err = token.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing: write it with save_pretrained of a fast tokenizer",
			filepath.Join(dir, "tokenizer.json"))
	}
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, "modules.json")); err == nil {
		opts = append(opts, transformers.NoHead) // sentence-transformers keep encoders only, whatever config.json says
	}
	if m.Network, err = transformers.Open(dir, opts...); err != nil {
		return nil, err
	}
	if err := m.losesNothing(filepath.Join(dir, "tokenizer.json"), "model.vocab"); err != nil {
		return nil, err
	}
	if err := m.options(dir); err != nil {
		return nil, err
	}
	if err := m.Defaults.Check(m.Network.Vocabulary); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "generation_config.json"), err)
	}
	return m, nil
}

// losesNothing checks that the tokenizer of a decoder has all bytes.
func (m *Model) losesNothing(file, field string) error {
	if _, ok := m.Network.Network.(*transformers.Decoder); !ok {
		return nil
	}
	for _, c := range oneOfEachByte() {
		ids, err := m.Tokens.AppendIDs(nil, string(c))
		if err != nil { // requests with it get this error
			continue
		}
		text, err := m.Tokens.Decode(ids, token.KeepSpecial)
		if len(ids) == 0 || err == nil && strings.ContainsRune(text, utf8.RuneError) {
			return fmt.Errorf("%s: %s: it lacks %q or a byte of it, and there is no unk_token: texts would lose it; "+
				"train the tokenizer with all bytes", file, field, c)
		}
	}
	return nil
}

// oneOfEachByte are letters, digits and signs whose encodings have all bytes that those of such characters have.
var oneOfEachByte = sync.OnceValue(func() (list []rune) {
	seen := map[byte]bool{}
	for c := '!'; c < 0x30000; c++ {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && c > '~' {
			continue
		}
		fresh := false
		for _, b := range []byte(string(c)) {
			fresh = fresh || !seen[b]
			seen[b] = true
		}
		if fresh {
			list = append(list, c)
		}
	}
	return list
})

// options reads the files that say how text is generated.
func (m *Model) options(dir string) error {
	err := readJSON(filepath.Join(dir, "generation_config.json"), &m.Defaults)
	if errors.Is(err, fs.ErrNotExist) { // older folders have the end in config.json
		var config struct {
			EOS generate.Tokens `json:"eos_token_id"`
		}
		err = readJSON(filepath.Join(dir, "config.json"), &config)
		m.Defaults.EOS = config.EOS
	}
	if err != nil {
		return err
	}
	var config struct {
		EOS      json.RawMessage `json:"eos_token"`
		Template json.RawMessage `json:"chat_template"`
	}
	err = readJSON(filepath.Join(dir, "tokenizer_config.json"), &config)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// A conversation has turns, which may end with another token than texts do.
	if id, ok := m.Tokens.ID(tokenText(config.EOS)); ok && !slices.Contains(m.Defaults.EOS, int(id)) {
		m.Defaults.EOS = append(slices.Clone(m.Defaults.EOS), int(id))
	}
	m.Defaults.Text = func() generate.TextDecoder { return m.Tokens.Stream() }
	_, noFile := os.Stat(filepath.Join(dir, "chat_template.jinja"))
	m.HasTemplate = noFile == nil || len(config.Template) > 0 && string(config.Template) != "null"
	if m.HasTemplate {
		m.Chat, m.NoChat = token.OpenChat(dir)
	} else {
		m.NoChat = fmt.Errorf("%s has no chat_template: this model has no form for conversations",
			filepath.Join(dir, "tokenizer_config.json"))
	}
	return nil
}

func readJSON(path string, to any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, to); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// tokenText reads a token, which is a string or an object with its content.
func tokenText(raw json.RawMessage) (text string) {
	var object struct{ Content string }
	if json.Unmarshal(raw, &text) != nil && json.Unmarshal(raw, &object) == nil {
		return object.Content
	}
	return text
}

// Generator returns a generator of the model with slots; capacity is that of a slot, or 0 for that of the model.
func (m *Model) Generator(slots, capacity int) (*generate.Generator, error) {
	if _, ok := m.Network.Network.(*transformers.Decoder); !ok {
		return nil, fmt.Errorf("config.json: the architecture %s does not continue a text: take a decoder, such as "+
			"LlamaForCausalLM", m.Network.Architecture)
	}
	return generate.New(m.Network, generate.Slots(slots), generate.Capacity(capacity))
}

// Prompt returns the tokens of a text with those that the tokenizer puts around it, whole.
func (m *Model) Prompt(text string) ([]int, error) {
	e, err := m.Tokens.Encode(text, token.Truncate(nil), token.Pad(nil))
	return ints(e.IDs), err
}

// Conversation returns the tokens of a conversation, up to where an answer begins. The error is that of the messages,
// or NoChat.
func (m *Model) Conversation(messages []token.Message) ([]int, error) {
	if m.Chat == nil {
		return nil, m.NoChat
	}
	text, err := m.Chat.Prompt(messages)
	if err != nil {
		return nil, err
	}
	ids, err := m.Tokens.AppendIDs(nil, text)
	return ints(ids), err
}

func ints(ids []int32) []int {
	list := make([]int, len(ids))
	for i, id := range ids {
		list[i] = int(id)
	}
	return list
}

// Sampling changes options: nil leaves what the model's folder says. A temperature of 0, or almost, takes
// the best token always.
type Sampling struct {
	Temperature, TopP *float64
	TopK              *int
	Seed              *uint64
}

// Apply returns options with what is given. Without a seed they have a random one.
func (s Sampling) Apply(o generate.Options) generate.Options {
	if s.TopP != nil {
		o.Sample, o.TopP = true, *s.TopP
	}
	if s.TopK != nil {
		o.Sample, o.TopK = true, *s.TopK
	}
	if s.Temperature != nil {
		o.Sample, o.Temperature = *s.Temperature >= 1e-3, *s.Temperature // scores divided by less are not finite
	}
	o.Seed = rand.Uint64()
	if s.Seed != nil {
		o.Seed = *s.Seed
	}
	return o
}
