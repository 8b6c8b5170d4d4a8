package token_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/go-nx/nx/token"
)

// file is a tokenizer.json of few words.
const file = `{
	"version": "1.0", "truncation": null, "padding": null,
	"added_tokens": [
		{"id": 0, "content": "[UNK]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
		{"id": 1, "content": "[CLS]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
		{"id": 2, "content": "[SEP]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}
	],
	"normalizer": {"type": "Lowercase"},
	"pre_tokenizer": {"type": "BertPreTokenizer"},
	"post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]},
	"decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
	"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
		"vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "hello": 3, "world": 4, "token": 5, "##s": 6, ",": 7, "!": 8}}
}`

func open() *token.Tokenizer {
	t, err := token.Parse([]byte(file))
	if err != nil {
		log.Fatal(err)
	}
	return t
}

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "model")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), []byte(file), 0o600); err != nil {
		log.Fatal(err)
	}

	t, err := token.Open(dir) // the folder of a model
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Len())
	// Output: 9
}

func ExampleOpenChat() {
	dir, err := os.MkdirTemp("", "model")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	config := `{"eos_token": "</s>", "chat_template": "{% for m in messages %}<|user|>\\n{{ m['content'] + eos_token }}{% endfor %}"}`
	if err := os.WriteFile(filepath.Join(dir, "tokenizer_config.json"), []byte(config), 0o600); err != nil {
		log.Fatal(err)
	}

	chat, err := token.OpenChat(dir)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(chat.Name())
	// Output: zephyr
}

func ExampleParse() {
	t, err := token.Parse([]byte(file))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Len())

	_, err = token.Parse([]byte(`{"model": {"type": "Letters"}}`))
	fmt.Println(err)
	// Output:
	// 9
	// token: model: "Letters" is not known: this version cannot do what it does
}

func ExampleTokenizer_Encode() {
	t := open()
	e, err := t.Encode("Hello, tokens!")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.IDs)
	for i, name := range e.Tokens {
		fmt.Println(name, e.Offsets[i], e.Special[i])
	}
	// Output:
	// [1 3 7 5 6 8 2]
	// [CLS] {0 0} true
	// hello {0 5} false
	// , {5 6} false
	// token {7 12} false
	// ##s {12 13} false
	// ! {13 14} false
	// [SEP] {0 0} true
}

func ExamplePair() {
	t := open()
	e, err := t.Encode("Hello", token.Pair("world!"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Tokens)
	fmt.Println(e.Types)
	// Output:
	// [[CLS] hello [SEP] world ! [SEP]]
	// [0 0 0 1 1 1]
}

func ExampleTokenizer_EncodeBatch() {
	t := open()
	batch, err := t.EncodeBatch([]string{"Hello", "Hello, world!"}, token.Pad(&token.Padding{Token: "[UNK]"}))
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range batch {
		fmt.Println(e.IDs, e.Mask)
	}
	// Output:
	// [1 3 2 0 0 0] [1 1 1 0 0 0]
	// [1 3 7 4 8 2] [1 1 1 1 1 1]
}

func ExampleTokenizer_EncodeWords() {
	t := open()
	e, err := t.EncodeWords([]string{"hello", "tokens"}, token.NoSpecial)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Tokens, e.Words)
	// Output: [hello token ##s] [0 1 1]
}

func ExamplePairWords() {
	t := open()
	e, err := t.EncodeWords([]string{"hello"}, token.PairWords([]string{"world", "tokens"}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Tokens, e.Types)
	// Output: [[CLS] hello [SEP] world token ##s [SEP]] [0 0 0 1 1 1 1]
}

func ExampleTruncate() {
	t := open()
	e, err := t.Encode("hello, world!", token.Truncate(&token.Truncation{MaxLength: 4}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Tokens)
	for _, part := range e.Overflow {
		fmt.Println(part.Tokens)
	}
	// Output:
	// [[CLS] hello , [SEP]]
	// [[CLS] world ! [SEP]]
}

func ExampleTokenizer_AppendIDs() {
	t := open()
	ids, err := t.AppendIDs(make([]int32, 0, 16), "hello, world!")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ids)
	// Output: [3 7 4 8]
}

func ExampleTokenizer_Decode() {
	t := open()
	text, err := t.Decode([]int32{1, 3, 7, 5, 6, 8, 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text)
	text, err = t.Decode([]int32{1, 3, 2}, token.KeepSpecial)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text)
	// Output:
	// hello, tokens!
	// [CLS] hello [SEP]
}

func ExampleTokenizer_Stream() {
	// Tokens of bytes: é is two of them.
	t, err := token.Parse([]byte(`{
		"decoder": {"type": "ByteFallback"},
		"model": {"type": "Unigram", "unk_id": null, "vocab": [["<0xC3>", 0], ["<0xA9>", 0], ["caf", 0]]}
	}`))
	if err != nil {
		log.Fatal(err)
	}
	s := t.Stream()
	for _, id := range []int32{2, 0, 1} {
		text, err := s.Push(id)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q\n", text)
	}
	// Output:
	// "caf"
	// ""
	// "é"
}

func ExampleTokenizer_ID() {
	t := open()
	id, ok := t.ID("world")
	fmt.Println(id, ok)
	name, ok := t.Token(6)
	fmt.Println(name, ok, t.IsSpecial(1))
	// Output:
	// 4 true
	// ##s true true
}

func ExampleParseChat() {
	config := `{"chat_template": "{% for m in messages %}{{'<|im_start|>' + m['role'] + '\\n' + m['content'] + ` +
		`'<|im_end|>\\n'}}{% endfor %}{{ '<|im_start|>assistant\\n' }}"}`
	chat, err := token.ParseChat([]byte(config))
	if err != nil {
		log.Fatal(err)
	}
	prompt, err := chat.Prompt([]token.Message{{Role: "user", Content: "Hello!"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(chat.Name())
	fmt.Println(prompt)
	// Output:
	// chatml
	// <|im_start|>user
	// Hello!<|im_end|>
	// <|im_start|>assistant
}
