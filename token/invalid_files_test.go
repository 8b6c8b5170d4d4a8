package token_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-nx/nx/token"
)

// TestBadFiles reads files that are wrong: each error names what is.
func TestBadFiles(t *testing.T) {
	bpe := func(vocab, merges string) string {
		return `{"model":{"type":"BPE","vocab":` + vocab + `,"merges":` + merges + `}}`
	}
	for _, c := range []struct{ file, want string }{
		{"", "not a tokenizer.json"},
		{"[1]", "not a tokenizer.json"},
		{`{"model":{"type":"BPE","vocab":{"a` + "\xff" + `":0},"merges":[]}}`, "not UTF-8"},
		{`{"model":null}`, "model: it is missing"},
		{`{"model":[]}`, "model"},
		{`{"version":"2.0","model":{}}`, "version"},
		{`{"model":{"type":"Markov"}}`, `"Markov"`},
		{`{"model":{"type":"BPE","merges":[]}}`, "vocab"},
		{bpe(`{"a":"x"}`, `[]`), "vocab"},
		{bpe(`{"a":-1}`, `[]`), "vocab"},
		{bpe(`{"a":0}`, `"a b"`), "merges"},
		{bpe(`{"a":0}`, `[["a"]]`), "merges[0]"},
		{bpe(`{"a":0}`, `[["a","b"]]`), `"b" is not in the vocabulary`},
		{bpe(`{"a":0,"b":1}`, `[["a","b"]]`), `become "ab", which is not in the vocabulary`},
		{`{"model":{"type":"BPE","dropout":0.5,"vocab":{},"merges":[]}}`, "dropout"},
		{`{"model":{"type":"Unigram","unk_id":7,"vocab":[["a",0]]}}`, "unk_id"},
		{`{"model":{"type":"WordLevel","unk_token":"x","vocab":{}},"normalizer":{"type":"Shout"}}`, "normalizer"},
		{`{"model":{"type":"WordLevel","unk_token":"x","vocab":{}},"padding":{"strategy":7}}`, "padding"},
		{`{"model":{"type":"WordLevel","unk_token":"x","vocab":{}},"added_tokens":[{"id":"x"}]}`, "added_tokens"},
		{`{"model":{"type":"WordLevel","unk_token":"x","vocab":{}},"normalizer":` + nested("normalizers", 100) + `}`, "nested"},
	} {
		_, err := token.Parse([]byte(c.file))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80s: %v, want an error with %q", c.file, err, c.want)
		}
	}
}

// nested is a sequence in a sequence, many times.
func nested(field string, depth int) string {
	return strings.Repeat(`{"type":"Sequence","`+field+`":[`, depth) + `{"type":"NFC"}` + strings.Repeat(`]}`, depth)
}

// TestCyclicMerges: merges whose results are parts of each other end, since each makes a word shorter by a token.
func TestCyclicMerges(t *testing.T) {
	tokens, err := token.Parse([]byte(`{"model":{"type":"BPE","continuing_subword_prefix":"##",
		"vocab":{"a":0,"##a":1,"aa":2,"##aa":3,"##":4,"aaa":5},
		"merges":[["a","##a"],["##a","##a"],["aa","##a"],["a","##aa"],["aaa","##"],["a","##"],["aa","##"]]}}`))
	if err != nil {
		t.Fatal(err)
	}
	e, err := tokens.Encode(strings.Repeat("a", 1001))
	if err != nil || len(e.IDs) == 0 || len(e.IDs) > 1001 {
		t.Errorf("%d tokens, %v", len(e.IDs), err)
	}
	if text, err := tokens.Decode(e.IDs); err != nil || strings.Count(text, "a") < 1001 {
		t.Errorf("%d letters come back, %v", strings.Count(text, "a"), err)
	}
}

// TestMissingCharacters encodes characters that a vocabulary does not have: without an unknown token there is an error
// that names it, but with BPE, which leaves them out as the reference does.
func TestMissingCharacters(t *testing.T) {
	for _, c := range []struct{ model, want string }{
		{`{"type":"Unigram","unk_id":null,"vocab":[["a",0]]}`, "no unk_id"},
		{`{"type":"WordLevel","unk_token":"[UNK]","vocab":{"a":0}}`, `unk_token "[UNK]"`},
		{`{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":9,
			"vocab":{"a":0}}`, `unk_token "[UNK]"`},
		{`{"type":"BPE","unk_token":"[UNK]","vocab":{"a":0},"merges":[]}`, `unk_token "[UNK]"`},
		{`{"type":"BPE","vocab":{"a":0},"merges":[]}`, ""},
	} {
		tokens, err := token.Parse([]byte(`{"model":` + c.model + `}`))
		if err != nil {
			t.Fatal(err)
		}
		e, err := tokens.Encode("b")
		if c.want == "" && (err != nil || len(e.IDs) != 0) ||
			c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, %v, want %q", c.model, e.IDs, err, c.want)
		}
	}
}

// TestChatFiles opens folders whose conversations have no known form.
func TestChatFiles(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no file":     {nil, "tokenizer_config.json"},
		"not JSON":    {map[string]string{"tokenizer_config.json": "{"}, "tokenizer_config.json"},
		"no template": {map[string]string{"tokenizer_config.json": "{}"}, "chat_template: it is missing"},
		"of another type": {map[string]string{"tokenizer_config.json": `{"chat_template":7}`},
			"chat_template"},
		"another family": {map[string]string{"tokenizer_config.json": `{}`, "chat_template.jinja": "{{ messages }}"},
			"chat_template.jinja"},
		"that includes itself": {map[string]string{"tokenizer_config.json": `{}`,
			"chat_template.jinja": "{% include 'chat_template.jinja' %}"}, "chat_template.jinja"},
	} {
		dir := t.TempDir()
		for file, text := range c.files {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := token.OpenChat(dir); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v, want an error with %q and the folder", name, err, c.want)
		}
	}
}

// FuzzChat: any template and conversation is a text or an error; what is said is in the text.
func FuzzChat(f *testing.F) {
	for _, template := range []string{"<|im_start|>system\nBe brief.<|im_end|>{{ messages[0] | trim }}</think>",
		"<|start_header_id|><|eot_id|>bos_token Cutting Knowledge Date", "<start_of_turn><end_of_turn>", "[INST]<<SYS>>",
		"[INST] [/INST] system_message loop.last and system_message", "<|user|><|end|>", "<|user|> eos_token",
		"<｜User｜><｜Assistant｜><think>\n", "{% for m in messages %}"} {
		f.Add(template, "user", "Hello", "assistant", "Hi</think> there")
		f.Add(template, "system", "Be brief.", "user", "\xff\n")
	}
	f.Fuzz(func(t *testing.T, template, role, content, otherRole, otherContent string) {
		chat, err := token.ParseChat([]byte(template))
		if err == nil {
			_, _ = chat.Prompt([]token.Message{{Role: role, Content: content}})
		}
		dir := t.TempDir()
		for file, text := range map[string]string{"tokenizer_config.json": `{"bos_token":"<s>","eos_token":"</s>"}`,
			"chat_template.jinja": template} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if chat, err = token.OpenChat(dir); err != nil {
			return
		}
		text, err := chat.Prompt([]token.Message{{Role: role, Content: content},
			{Role: otherRole, Content: otherContent}})
		whole := strings.Contains(text, strings.TrimSpace(content))
		if err == nil && utf8.ValidString(text) && role == "user" && !whole {
			t.Errorf("%q does not have the message %q", text, content)
		}
	})
}
