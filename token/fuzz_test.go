package token_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-nx/nx/token"
)

// recorded opens the tokenizers that record.py made.
func recorded(tb testing.TB) (all []*token.Tokenizer, files [][]byte) {
	tb.Helper()
	paths, err := filepath.Glob("testdata/recorded/*/tokenizer.json")
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no recorded tokenizers: %v", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		t, err := token.Parse(data)
		if err != nil {
			tb.Fatalf("%s: %v", path, err)
		}
		all, files = append(all, t), append(files, data)
	}
	return all, files
}

// small is a tokenizer of few words, as a seed of other files.
const small = `{"version":"1.0","added_tokens":[{"id":3,"content":"<s>","single_word":false,"lstrip":true,"rstrip":false,
"normalized":false,"special":true}],"normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Replace",
"pattern":{"Regex":"a+"},"content":"b"}]},"pre_tokenizer":{"type":"Split","pattern":{"Regex":"\\s+(?!\\S)|\\w"},
"behavior":"MergedWithNext","invert":false},"post_processor":{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A",
"type_id":0}}],"pair":[{"Sequence":{"id":"B","type_id":0}}],"special_tokens":{}},"decoder":{"type":"Fuse"},
"model":{"type":"BPE","unk_token":"x","byte_fallback":true,"vocab":{"a":0,"b":1,"ab":2},"merges":[["a","b"]]},
"truncation":{"max_length":4,"strategy":"LongestFirst","stride":1},"padding":null}`

// FuzzParse: any bytes are a tokenizer or an error, and what is a tokenizer encodes and decodes without a panic.
func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	_, files := recorded(f)
	for _, data := range files {
		if len(data) < 20000 {
			f.Add(data)
		}
	}
	for _, part := range []string{`{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"lowercase":true}`,
		`{"type":"Precompiled","precompiled_charsmap":"BAAAAAAAAABhAA=="}`,
		`{"type":"Strip","strip_left":true,"strip_right":true}`} {
		f.Add([]byte(`{"normalizer":` + part + `,"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["ab",-1.5]]}}`))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tokenizer, err := token.Parse(data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "token: ") {
				t.Errorf("the error does not say where it is from: %v", err)
			}
			return
		}
		check(t, tokenizer, "ab <s> é\xff\n", "a b")
	})
}

// FuzzEncode: any text is encoded or refused, its offsets lie in it, and what is encoded decodes.
func FuzzEncode(f *testing.F) {
	tokenizers, _ := recorded(f)
	for _, text := range []string{
		"", "Hello, world!", "\xff\xfe\xc3", "  <s>\n", "é́ 한 👩‍👧 ﬁ", "İſ\u0345", "\u2028\ufffd",
	} {
		f.Add(uint8(0), text)
	}
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		check(t, tokenizers[int(which)%len(tokenizers)], text, "pair")
	})
}

// check encodes a text in all ways.
func check(t *testing.T, tokenizer *token.Tokenizer, text, pair string) {
	t.Helper()
	for _, opts := range [][]token.EncodeOption{nil, {token.RuneOffsets, token.NoSpecial}, {token.Pair(pair)}} {
		e, err := tokenizer.Encode(text, opts...)
		if err != nil {
			continue
		}
		if n := len(e.IDs); len(e.Tokens) != n || len(e.Offsets) != n || len(e.Words) != n || len(e.Types) != n ||
			len(e.Mask) != n || len(e.Special) != n {
			t.Fatalf("%q: the lists have different lengths: %+v", text, e)
		}
		for i, o := range e.Offsets {
			limit := len(text)
			if len(opts) == 2 {
				limit = utf8.RuneCountInString(text)
			}
			if o.Start < 0 || o.End < o.Start || o.End > max(limit, len(pair)) {
				t.Fatalf("%q: token %d of %q is at %v", text, i, e.Tokens, o)
			}
		}
		if _, err := tokenizer.Decode(e.IDs, token.KeepSpecial); err != nil {
			t.Fatalf("%q: %v does not decode: %v", text, e.IDs, err)
		}
		stream := tokenizer.Stream()
		var out strings.Builder
		for _, id := range e.IDs {
			piece, err := stream.Push(id)
			if err != nil || !utf8.ValidString(piece) {
				t.Fatalf("%q: piece %q, %v", text, piece, err)
			}
			out.WriteString(piece)
		}
	}
	tokenizer.EncodeWords([]string{text, pair})
	tokenizer.AppendIDs(nil, text)
}
