package token

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
)

// Tokenizer turns text into tokens and back. It may be used by many goroutines at once.
type Tokenizer struct {
	raw        *addedTokens // found in the text as it is
	normalized *addedTokens // found in the normalised text
	normalizer normalizer
	pre        preTokenizer
	model      model
	processor  processor
	decoder    decoder
	truncation *Truncation
	padding    *Padding

	added    map[string]int32 // by content
	addedIDs map[int32]string // the texts of added tokens; of normalised ones in their normalised form
	special  map[string]bool
	size     int

	needsOrigin bool // the pre-tokenizer asks where words come from
	states      sync.Pool
}

// Open reads a tokenizer.json, the one in a folder, or what a .gguf file says of tokens.
func Open(path string) (*Tokenizer, error) {
	if isGGUF(path) {
		return fromFile(path, FromGGUF)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "tokenizer.json")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("token: %w", err)
	}
	t, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// Len returns how many tokens there are, added ones included.
func (t *Tokenizer) Len() int { return t.size }

// ID returns the id of a token.
func (t *Tokenizer) ID(token string) (int32, bool) {
	if id, ok := t.added[token]; ok {
		return id, true
	}
	id, ok := t.model.vocabulary().ids[token]
	return id, ok
}

// Token returns the text of a token, as the vocabulary has it.
func (t *Tokenizer) Token(id int32) (string, bool) {
	if token, ok := t.addedIDs[id]; ok {
		return token, true
	}
	return t.model.vocabulary().token(id)
}

// IsSpecial tells whether Decode leaves a token out.
func (t *Tokenizer) IsSpecial(id int32) bool {
	token, ok := t.Token(id)
	return ok && t.special[token]
}

// EncodeOption is an option of Encode, EncodeWords and EncodeBatch.
type EncodeOption interface{ encodeOption(*encodeConfig) }

type encodeConfig struct {
	pairs      []string
	words      []string // the second text of EncodeWords
	hasWords   bool
	plain      bool
	runes      bool
	truncation *Truncation
	padding    *Padding
}

type (
	pairOption     struct{ texts []string }
	wordsOption    struct{ words []string }
	plainOption    struct{}
	runesOption    struct{}
	truncateOption struct{ truncation *Truncation }
	padOption      struct{ padding *Padding }
)

func (o pairOption) encodeOption(c *encodeConfig)     { c.pairs = o.texts }
func (o wordsOption) encodeOption(c *encodeConfig)    { c.words, c.hasWords = o.words, true }
func (plainOption) encodeOption(c *encodeConfig)      { c.plain = true }
func (runesOption) encodeOption(c *encodeConfig)      { c.runes = true }
func (o truncateOption) encodeOption(c *encodeConfig) { c.truncation = o.truncation }
func (o padOption) encodeOption(c *encodeConfig)      { c.padding = o.padding }

// Pair gives the second text of a pair; for EncodeBatch, one for each text.
func Pair(texts ...string) EncodeOption { return pairOption{texts} }

// PairWords gives the second text of a pair to EncodeWords.
func PairWords(words []string) EncodeOption { return wordsOption{words} }

// NoSpecial adds no special tokens around the text.
var NoSpecial EncodeOption = plainOption{}

// RuneOffsets counts Offsets in runes rather than bytes. Each byte that is not UTF-8 counts as one.
var RuneOffsets EncodeOption = runesOption{}

// Truncate cuts encodings in the place of what the file says; nil cuts nothing.
func Truncate(p *Truncation) EncodeOption { return truncateOption{p} }

// Pad fills encodings up in the place of what the file says; nil fills nothing up.
func Pad(p *Padding) EncodeOption { return padOption{p} }

func (t *Tokenizer) config(opts []EncodeOption) *encodeConfig {
	c := &encodeConfig{truncation: t.truncation, padding: t.padding}
	for _, opt := range opts {
		if opt != nil {
			opt.encodeOption(c)
		}
	}
	return c
}

// Encode returns the tokens of a text, or with Pair of two: normalised, split, cut, completed by special tokens and
// filled up as the file says. Each byte that is not UTF-8 counts as U+FFFD.
func (t *Tokenizer) Encode(text string, opts ...EncodeOption) (Encoding, error) {
	c := t.config(opts)
	if c.hasWords {
		return Encoding{}, fmt.Errorf("token: PairWords goes with EncodeWords: use Pair")
	}
	if len(c.pairs) > 1 {
		return Encoding{}, fmt.Errorf("token: Pair has %d texts for one: give one", len(c.pairs))
	}
	e, err := t.encodeText(text, c, 0)
	if err != nil {
		return Encoding{}, err
	}
	return t.padded(e, c), nil
}

func (t *Tokenizer) padded(e Encoding, c *encodeConfig) Encoding {
	if c.padding == nil {
		return e
	}
	list := []Encoding{e}
	c.padding.pad(list)
	return list[0]
}

// encodeText encodes a text, with the i-th of the second texts.
func (t *Tokenizer) encodeText(text string, c *encodeConfig, i int) (Encoding, error) {
	s := t.states.Get().(*state)
	defer t.states.Put(s)
	var first Encoding
	if err := s.encode(text, c, 0, &first, -1); err != nil {
		return Encoding{}, err
	}
	if i >= len(c.pairs) {
		return t.finish(first, nil, c)
	}
	var second Encoding
	if err := s.encode(c.pairs[i], c, 1, &second, -1); err != nil {
		return Encoding{}, err
	}
	return t.finish(first, &second, c)
}

// EncodeWords encodes a text that has been split into words before, or with PairWords two. Offsets are those in the
// word, and Words are places in the list.
func (t *Tokenizer) EncodeWords(words []string, opts ...EncodeOption) (Encoding, error) {
	c := t.config(opts)
	if c.pairs != nil {
		return Encoding{}, fmt.Errorf("token: Pair goes with Encode: use PairWords")
	}
	s := t.states.Get().(*state)
	defer t.states.Put(s)
	all := func(words []string, kind int32) (e Encoding, err error) {
		for i, word := range words {
			if err := s.encode(word, c, kind, &e, int32(i)); err != nil {
				return e, err
			}
		}
		return e, nil
	}
	first, err := all(words, 0)
	if err != nil {
		return Encoding{}, err
	}
	var second *Encoding
	if c.hasWords {
		e, err := all(c.words, 1)
		if err != nil {
			return Encoding{}, err
		}
		second = &e
	}
	e, err := t.finish(first, second, c)
	if err != nil {
		return Encoding{}, err
	}
	return t.padded(e, c), nil
}

// EncodeBatch encodes texts on all processors and fills them up to one length, where the file or Pad says so.
func (t *Tokenizer) EncodeBatch(texts []string, opts ...EncodeOption) ([]Encoding, error) {
	c := t.config(opts)
	if c.hasWords {
		return nil, fmt.Errorf("token: PairWords goes with EncodeWords: use Pair")
	}
	if c.pairs != nil && len(c.pairs) != len(texts) {
		return nil, fmt.Errorf("token: Pair has %d texts for %d: give one for each", len(c.pairs), len(texts))
	}
	out := make([]Encoding, len(texts))
	errs := make([]error, len(texts))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(texts)) {
		wait.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(texts) {
					return
				}
				out[i], errs[i] = t.encodeText(texts[i], c, i)
			}
		})
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("text %d: %w", i, err)
		}
	}
	if c.padding != nil {
		c.padding.pad(out)
	}
	return out, nil
}
