package token

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/go-nx/nx/encoding/gguf"
)

// The kinds of tokens of GGUF files.
const (
	ggufNormal = 1 + iota
	ggufUnknown
	ggufControl
	ggufUserDefined
	ggufUnused
	ggufByte
)

// ggufLongest is the number of bytes of a token at most, since all pairs that make it are looked up.
const ggufLongest = 512

// ggufPre is how a model of GPT-2's kind splits texts into words.
type ggufPre struct {
	patterns     []string
	nfc          bool // texts are composed first
	ignoreMerges bool // a word that is a token is not merged of parts
	bos          bool // a text begins with a special token where the file does not say
}

// ggufPres are the values of tokenizer.ggml.pre that are known.
var ggufPres = func() map[string]ggufPre {
	gpt2 := ggufPre{patterns: []string{gpt2Pattern}}
	digits := ggufPre{patterns: []string{`\p{N}`, gpt2Pattern}}
	llama3 := ggufPre{patterns: []string{cl100kHead + `{1,3}` + cl100kTail}, ignoreMerges: true, bos: true}
	o200k := ggufPre{patterns: []string{o200kPattern(contraction, `\p{N}{1,3}`)}}
	return map[string]ggufPre{
		"gpt-2": gpt2, "phi-2": gpt2,
		"smollm": digits, "starcoder": digits, "refact": digits, "command-r": digits, "codeshell": digits,
		"llama-bpe": llama3, "llama3": llama3, "llama-v3": llama3, "falcon3": llama3,
		"dbrx": {patterns: llama3.patterns}, "smaug-bpe": {patterns: llama3.patterns},
		"qwen2":            {patterns: []string{cl100kHead + cl100kTail}, nfc: true},
		"deepseek-r1-qwen": {patterns: []string{cl100kHead + cl100kTail}},
		"tekken":           {patterns: []string{o200kPattern("", `\p{N}`)}, ignoreMerges: true, bos: true},
		"gpt-4o":           o200k, "llama4": o200k,
		"default": {patterns: []string{`[\p{P}\$\+<=>\^~\|]+`, gpt2Pattern, `\p{N}+`, `[0-9][0-9][0-9]`}},
	}
}()

// ggufTokens are the metadata of tokens.
type ggufTokens struct {
	f      *gguf.File
	tokens []string
	kinds  []int64
	vocab  map[string]int // without the tokens that are not used
	err    error
}

// FromGGUF makes a tokenizer of the metadata of a GGUF file: of the model gpt2, byte pairs of GPT-2's kind, whose
// words tokenizer.ggml.pre names, or llama, byte pairs of SentencePiece. What is missing, another model or other
// words are an error that names the metadata. Ids are those of the tokenizer.json that the file was made of.
func FromGGUF(f *gguf.File) (*Tokenizer, error) {
	g := &ggufTokens{f: f, vocab: map[string]int{}}
	model := ggufMust[string](g, "model")
	if g.err == nil && model != "gpt2" && model != "llama" {
		g.fail("tokenizer.ggml.model = %q is not known, only gpt2 and llama are", model)
	}
	g.read(model)
	var file map[string]any
	if g.err == nil && model == "gpt2" {
		file = g.bytePairs()
	} else if g.err == nil {
		file = g.pieces()
	}
	if g.err != nil {
		return nil, g.err
	}
	data, err := json.Marshal(file)
	if err != nil {
		return nil, fmt.Errorf("token: %w", err)
	}
	return Parse(data)
}

// ChatFromGGUF reads the chat template of a GGUF file, as [ParseChat] does.
func ChatFromGGUF(f *gguf.File) (*Chat, error) {
	template, err := gguf.Value[string](f, "tokenizer.chat_template")
	if err != nil {
		return nil, errors.New("token: tokenizer.chat_template: it is missing: this model has no form for conversations")
	}
	g := &ggufTokens{f: f}
	if g.tokens = ggufMust[[]string](g, "tokens"); g.err != nil {
		return nil, g.err
	}
	config := map[string]any{"chat_template": template}
	for _, name := range []string{"bos", "eos"} {
		if _, text, ok := g.special(name); ok {
			config[name+"_token"] = text
		}
	}
	data, err := json.Marshal(config)
	if err != nil {
		return nil, fmt.Errorf("token: %w", err)
	}
	return parseChat(data, "")
}

// isGGUF reports whether a path is named as GGUF files are.
func isGGUF(path string) bool { return strings.EqualFold(filepath.Ext(path), ".gguf") }

// fromFile opens a GGUF file and returns what read makes of it.
func fromFile[T any](path string, read func(f *gguf.File) (*T, error)) (*T, error) {
	f, err := gguf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("token: %w", err)
	}
	defer f.Close()
	v, err := read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// fail keeps the first error.
func (g *ggufTokens) fail(format string, args ...any) {
	if g.err == nil {
		g.err = fmt.Errorf("token: "+format, args...)
	}
}

// ggufMust is a value that must be there.
func ggufMust[T string | []string | []int64 | []float64](g *ggufTokens, name string) T {
	v, err := gguf.Value[T](g.f, "tokenizer.ggml."+name)
	if err != nil {
		g.fail("%w", err)
	}
	return v
}

// flag is a truth value, or the default.
func (g *ggufTokens) flag(name string, or bool) bool {
	if v, err := gguf.Value[bool](g.f, "tokenizer.ggml."+name); err == nil {
		return v
	}
	return or
}

// special is the token whose id has a name, such as bos.
func (g *ggufTokens) special(name string) (id int, text string, ok bool) {
	n, err := gguf.Value[int64](g.f, "tokenizer.ggml."+name+"_token_id")
	if err != nil || n < 0 || n >= int64(len(g.tokens)) {
		return 0, "", false
	}
	return int(n), g.tokens[n], true
}

// read reads the tokens and their kinds.
func (g *ggufTokens) read(model string) {
	g.tokens = ggufMust[[]string](g, "tokens")
	if g.f.Has("tokenizer.ggml.token_type") {
		g.kinds = ggufMust[[]int64](g, "token_type")
	} else {
		g.kinds = slices.Repeat([]int64{ggufNormal}, len(g.tokens))
		for _, name := range []string{"bos", "eos"} {
			if id, _, ok := g.special(name); ok {
				g.kinds[id] = ggufControl
			}
		}
	}
	if g.err == nil && len(g.kinds) != len(g.tokens) {
		g.fail("tokenizer.ggml.token_type has %d kinds for %d tokens", len(g.kinds), len(g.tokens))
	}
	if g.err != nil {
		return
	}
	for id, text := range g.tokens {
		switch {
		case !utf8.ValidString(text):
			g.fail("tokenizer.ggml.tokens: the token %d, %.80q, is not UTF-8", id, text)
		case len(text) > ggufLongest:
			g.fail("tokenizer.ggml.tokens: the token %d has %d bytes, at most %d are possible", id, len(text), ggufLongest)
		case g.kinds[id] < ggufNormal || g.kinds[id] > ggufByte:
			g.fail("tokenizer.ggml.token_type: the kind %d of the token %.80q is not known", g.kinds[id], text)
		case g.kinds[id] == ggufUnused && text != "":
		default:
			g.vocab[text] = id
		}
	}
	changes := g.flag("remove_extra_whitespaces", false) || g.f.Has("tokenizer.ggml.precompiled_charsmap")
	if model == "llama" && changes {
		g.fail("tokenizer.ggml.remove_extra_whitespaces and precompiled_charsmap are not known for the model llama")
	}
}

// addedTokens are those that are found in the text before the model sees it.
func (g *ggufTokens) addedTokens(model string) []any {
	// Files do not say which tokens take the white space behind them; those of Phi-3 do.
	arch, _ := gguf.Value[string](g.f, "general.architecture")
	strips := arch == "phi3" && model == "llama"
	added := []any{}
	for id, text := range g.tokens {
		kind := g.kinds[id]
		if text == "" || kind != ggufUnknown && kind != ggufControl && kind != ggufUserDefined {
			continue
		}
		added = append(added, map[string]any{"id": id, "content": text, "single_word": false, "lstrip": false,
			"rstrip": strips && !slices.Contains([]string{"<unk>", "<s>", "<|endoftext|>"}, text), "normalized": false,
			"special": kind != ggufUserDefined})
	}
	return added
}

// around is the processor that adds special tokens around a text, nil for none.
func (g *ggufTokens) around(bos bool) any {
	single := []any{map[string]any{"Sequence": map[string]any{"id": "A", "type_id": 0}}}
	special := map[string]any{}
	token := func(name string) any {
		id, text, ok := g.special(name)
		if !ok {
			g.fail("tokenizer.ggml.add_%s_token is set, and tokenizer.ggml.%s_token_id names no token", name, name)
		}
		special[text] = map[string]any{"id": text, "ids": []int{id}, "tokens": []string{text}}
		return map[string]any{"SpecialToken": map[string]any{"id": text, "type_id": 0}}
	}
	if g.flag("add_bos_token", bos) {
		single = append([]any{token("bos")}, single...)
	}
	if g.flag("add_eos_token", false) {
		single = append(single, token("eos"))
	}
	if len(special) == 0 {
		return nil
	}
	second := map[string]any{"Sequence": map[string]any{"id": "B", "type_id": 0}}
	return map[string]any{"type": "TemplateProcessing", "single": single, "pair": append(slices.Clone(single), second),
		"special_tokens": special}
}

// file is a tokenizer.json.
func (g *ggufTokens) file(name string, normalizer, pre, decoder any, bos bool, model map[string]any) map[string]any {
	model["type"], model["vocab"] = "BPE", g.vocab
	return map[string]any{"version": "1.0", "added_tokens": g.addedTokens(name), "normalizer": normalizer,
		"pre_tokenizer": pre, "post_processor": g.around(bos), "decoder": decoder, "model": model}
}

// bytePairs is the tokenizer.json of a model gpt2.
func (g *ggufTokens) bytePairs() map[string]any {
	name := "default"
	if g.f.Has("tokenizer.ggml.pre") {
		name = ggufMust[string](g, "pre")
	}
	pre, ok := ggufPres[name]
	if g.err == nil && !ok {
		g.fail("tokenizer.ggml.pre = %q is not known; known are %s", name,
			strings.Join(slices.Sorted(maps.Keys(ggufPres)), ", "))
	}
	var split []any
	for _, p := range pre.patterns {
		split = append(split, map[string]any{"type": "Split", "pattern": map[string]any{"Regex": p},
			"behavior": "Isolated", "invert": false})
	}
	split = append(split, map[string]any{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true,
		"use_regex": false})
	if g.flag("add_space_prefix", false) {
		g.fail("tokenizer.ggml.add_space_prefix is not known for the model gpt2")
	}
	var normalizer any
	if pre.nfc {
		normalizer = map[string]any{"type": "NFC"}
	}
	return g.file("gpt2", normalizer, map[string]any{"type": "Sequence", "pretokenizers": split},
		map[string]any{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true}, pre.bos,
		map[string]any{"merges": ggufMust[[]string](g, "merges"), "ignore_merges": pre.ignoreMerges})
}

// mark stands for a space in pieces.
const mark = "▁"

// pieces is the tokenizer.json of a model llama.
func (g *ggufTokens) pieces() map[string]any {
	scores := ggufMust[[]float64](g, "scores")
	if g.err == nil && len(scores) != len(g.tokens) {
		g.fail("tokenizer.ggml.scores has %d scores for %d tokens", len(scores), len(g.tokens))
	}
	if g.err != nil {
		return nil
	}
	replace := func(from, to string) any {
		return map[string]any{"type": "Replace", "pattern": map[string]any{"String": from}, "content": to}
	}
	normalizers := []any{replace(" ", mark)}
	decoders := []any{replace(mark, " "), map[string]any{"type": "ByteFallback"}, map[string]any{"type": "Fuse"}}
	if g.flag("add_space_prefix", true) {
		normalizers = append([]any{map[string]any{"type": "Prepend", "prepend": mark}}, normalizers...)
		decoders = append(decoders, map[string]any{"type": "Strip", "content": " ", "start": 1, "stop": 0})
	}
	model := map[string]any{"merges": g.merges(scores), "byte_fallback": slices.Contains(g.kinds, ggufByte),
		"fuse_unk": true}
	if _, text, ok := g.special("unknown"); ok {
		model["unk_token"] = text
	} else if id := slices.Index(g.kinds, ggufUnknown); id >= 0 {
		model["unk_token"] = g.tokens[id]
	}
	return g.file("llama", map[string]any{"type": "Sequence", "normalizers": normalizers}, nil,
		map[string]any{"type": "Sequence", "decoders": decoders}, true, model)
}

// merges are all pairs of tokens that make a token, that of the highest score first. Of pairs that make the same
// token, the one with the longer first part stands first, as in the files of tokenizers.
func (g *ggufTokens) merges(scores []float64) [][2]string {
	type pair struct {
		first, second int
		score         float64
	}
	joins := func(id int) bool { return g.kinds[id] == ggufNormal || g.kinds[id] == ggufUserDefined }
	var pairs []pair
	for id, text := range g.tokens {
		if !joins(id) || g.vocab[text] != id {
			continue
		}
		for i := range text {
			a, ok := g.vocab[text[:i]]
			b, okSecond := g.vocab[text[i:]]
			if i > 0 && ok && okSecond && joins(a) && joins(b) {
				pairs = append(pairs, pair{a, b, scores[id]})
			}
		}
	}
	length := func(id int) int { return utf8.RuneCountInString(g.tokens[id]) }
	sort.SliceStable(pairs, func(i, j int) bool {
		a, b := pairs[i], pairs[j]
		if a.score != b.score {
			return a.score > b.score
		}
		if x, y := length(a.first), length(b.first); x != y {
			return x > y
		}
		return length(a.second) > length(b.second)
	})
	list := make([][2]string, len(pairs))
	for i, p := range pairs {
		list[i] = [2]string{g.tokens[p.first], g.tokens[p.second]}
	}
	return list
}
