package token_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/encoding/gguf"
	"github.com/go-nx/nx/token"
)

// ggufDir has the files that encoding/gguf/testdata/make.py wrote.
var ggufDir = filepath.Join("..", "encoding", "gguf", "testdata")

// ggufFiles are the files with tokenizers, by the names in tokens.json.
var ggufFiles = map[string]string{"gpt-2": "gpt2", "qwen2": "qwen2", "llama-bpe": "tokens-llama-bpe",
	"smollm": "tokens-smollm", "llama": "llama"}

// TestGGUF: tokens are those of the libraries that the tokenizers are of, and for those of GPT-2's kind all that a
// tokenizer.json says.
func TestGGUF(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(ggufDir, "tokens.json"))
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Samples []string
		IDs     map[string][][]int32
	}
	if err := json.Unmarshal(data, &recorded); err != nil {
		t.Fatal(err)
	}
	for name, file := range ggufFiles {
		tokens, err := token.Open(filepath.Join(ggufDir, file+".gguf"))
		if err != nil {
			t.Error(err)
			continue
		}
		var other *token.Tokenizer
		if name != "llama" {
			if other, err = token.Open(filepath.Join(ggufDir, name+".json")); err != nil {
				t.Fatal(err)
			}
			if tokens.Len() != other.Len() {
				t.Errorf("%s: %d tokens, want %d", name, tokens.Len(), other.Len())
			}
		}
		for i, text := range recorded.Samples {
			if name == "llama" && strings.Contains(text, "<s>") { // SentencePiece has no special tokens in texts
				continue
			}
			e, err := tokens.Encode(text)
			if err != nil || !slices.Equal(e.IDs, recorded.IDs[name][i]) {
				t.Errorf("%s: %q is %v (%v), want %v", name, text, e.IDs, err, recorded.IDs[name][i])
				continue
			}
			want := strings.ReplaceAll(text, "▁", " ") // SentencePiece writes spaces so
			if other != nil {
				if want, err = other.Decode(e.IDs); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := tokens.Decode(e.IDs); err != nil || got != want {
				t.Errorf("%s: %v is %q (%v), want %q", name, e.IDs, got, err, want)
			}
		}
		for _, special := range []string{"<|im_end|>", "</s>"} {
			id, ok := tokens.ID(special)
			if ok != (special == "</s>" == (name == "llama")) || ok && !tokens.IsSpecial(id) {
				t.Errorf("%s: %s is the token %d, %v", name, special, id, ok)
			}
		}
	}
	tokens, err := token.Open(filepath.Join(ggufDir, "llama.gguf"))
	if err != nil {
		t.Fatal(err)
	}
	if ids, err := tokens.AppendIDs(nil, "<s>in the</s>"); err != nil || ids[0] != 1 || ids[len(ids)-1] != 2 {
		t.Errorf("special tokens in a text: %v, %v", ids, err)
	}
}

func TestGGUFChat(t *testing.T) {
	for file, want := range map[string]string{"qwen2": "chatml", "llama": "llama2"} {
		chat, err := token.OpenChat(filepath.Join(ggufDir, file+".gguf"))
		if err != nil || chat.Name() != want {
			t.Errorf("%s: %v, %v", file, chat, err)
			continue
		}
		text, err := chat.Prompt([]token.Message{{Role: "user", Content: "Hi"}})
		if err != nil || want == "llama2" && text != "<s>[INST] Hi [/INST]" {
			t.Errorf("%s: %q, %v", file, text, err)
		}
	}
	_, err := token.OpenChat(filepath.Join(ggufDir, "gemma.gguf"))
	if err == nil || !strings.Contains(err.Error(), "tokenizer.chat_template: it is missing") {
		t.Error(err)
	}
}

func TestGGUFErrors(t *testing.T) {
	for _, c := range []struct{ file, from, to, want string }{
		{"llama", "tokenizer.ggml.model\x08\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00llama",
			"tokenizer.ggml.model\x08\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00lamma",
			`tokenizer.ggml.model = "lamma" is not known, only gpt2 and llama are`},
		{"qwen2", "\x00qwen2\x15", "\x00qwen9\x15", `tokenizer.ggml.pre = "qwen9" is not known; known are codeshell, command-r,`},
		{"qwen2", "tokenizer.ggml.merges", "tokenizer.ggml.merger", "the metadata tokenizer.ggml.merges is missing"},
		{"qwen2", "tokenizer.ggml.tokens", "tokenizer.ggml.tokenz", "the metadata tokenizer.ggml.tokens is missing"},
		{"llama", "tokenizer.ggml.scores", "tokenizer.ggml.scorez", "the metadata tokenizer.ggml.scores is missing"},
		{"llama", "tokenizer.ggml.bos_token_id", "tokenizer.ggml.boz_token_id",
			"tokenizer.ggml.bos_token_id names no token"},
		{"llama", "<0x41>", "<0x4\xff>", "is not UTF-8"},
	} {
		data, err := os.ReadFile(filepath.Join(ggufDir, c.file+".gguf"))
		if err != nil {
			t.Fatal(err)
		}
		bad := bytes.Replace(data, []byte(c.from), []byte(c.to), 1)
		if bytes.Equal(bad, data) {
			t.Errorf("%q: nothing was changed", c.from)
		}
		f, err := gguf.New(bytes.NewReader(bad), int64(len(bad)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := token.FromGGUF(f); err == nil || !strings.HasPrefix(err.Error(), "token: ") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func FuzzFromGGUF(f *testing.F) {
	for _, file := range ggufFiles {
		data, err := os.ReadFile(filepath.Join(ggufDir, file+".gguf"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, "It's 12 ▁x")
	}
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		file, err := gguf.New(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		token.ChatFromGGUF(file)
		tokens, err := token.FromGGUF(file)
		if err != nil {
			return
		}
		if e, err := tokens.Encode(text); err == nil {
			tokens.Decode(e.IDs)
		}
	})
}

func ExampleChatFromGGUF() {
	f, err := gguf.Open(filepath.Join("..", "encoding", "gguf", "testdata", "qwen2.gguf"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	chat, err := token.ChatFromGGUF(f)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(chat.Name())
	// Output: chatml
}

func ExampleFromGGUF() {
	f, err := gguf.Open(filepath.Join("..", "encoding", "gguf", "testdata", "llama.gguf"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	tokens, err := token.FromGGUF(f)
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := tokens.Encode("the end of")
	fmt.Println(e.Tokens, err)
	// Output:
	// [<s> ▁the ▁ en d ▁of] <nil>
}
