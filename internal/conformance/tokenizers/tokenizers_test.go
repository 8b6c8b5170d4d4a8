package tokenizers_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/token"
)

// tokensWant is an encoding as cases.jsonl has it; FORMAT.md of the corpus describes it.
type tokensWant struct {
	IDs      []int32
	Tokens   []string
	Offsets  []int
	Types    []int32
	Mask     []int32
	Special  []int32
	Overflow []tokensWant
}

// tokensCase is a line of cases.jsonl.
type tokensCase struct {
	tokensWant
	ID, Kind  string
	Text      *string
	Pair      *string
	Words     []string
	PairWords []string `json:"pair_words"`
	Add       *bool
	Dec       *string
	DecAll    *string `json:"dec_all"`
	Batch     []json.RawMessage
	Encs      []tokensWant
	Skip      bool
	Pieces    []*string
}

// TestTokenizers encodes and decodes the recorded texts.
func TestTokenizers(t *testing.T) {
	dir := os.Getenv("NX_TOKENIZERS")
	if dir == "" {
		dir = testkit.Shared(t, "conformance", "tokenizers")
	}
	passed, failed := checkTokenizers(t, dir)
	t.Logf("tokenizers: %d passed, %d failed", passed, failed)
}

// TestRecordedTokens does the same with tokenizers of random parts that token/testdata/record.py made.
func TestRecordedTokens(t *testing.T) {
	checkTokenizers(t, testkit.Root(t, "token", "testdata", "recorded"))
}

// checkTokenizers runs the cases in the folders of dir.
func checkTokenizers(t *testing.T, dir string) (passed, failed int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "tokenizer.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tokenizer.json in folders of %s: %v", dir, err)
	}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		cases := kit.ReadCases[tokensCase](t, filepath.Join(filepath.Dir(file), "cases.jsonl"))
		tokenizer, err := token.Open(file)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			failed += len(cases)
			continue
		}
		ok := 0
		for _, c := range cases {
			if err := c.check(tokenizer); err != nil {
				failed++
				t.Errorf("%s (%s): %v", c.ID, c.Kind, err)
				continue
			}
			ok++
		}
		passed += ok
		t.Logf("%s: %d of %d", name, ok, len(cases))
	}
	return passed, failed
}

// check runs a case in the way of its kind.
func (c *tokensCase) check(t *token.Tokenizer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	switch c.Kind {
	case "batch":
		return c.checkBatch(t)
	case "stream":
		return c.checkStream(t)
	case "decode":
		return c.checkDecode(t)
	}
	opts := []token.EncodeOption{token.RuneOffsets}
	if c.Add != nil && !*c.Add {
		opts = append(opts, token.NoSpecial)
	}
	var e token.Encoding
	if c.Text == nil {
		if c.PairWords != nil {
			opts = append(opts, token.PairWords(c.PairWords))
		}
		e, err = t.EncodeWords(c.Words, opts...)
	} else {
		if c.Pair != nil {
			opts = append(opts, token.Pair(*c.Pair))
		}
		e, err = t.Encode(*c.Text, opts...)
	}
	if c.Kind == "error" {
		if err == nil {
			return fmt.Errorf("no error, but %v", e.IDs)
		}
		return nil
	}
	if err != nil {
		return err
	}
	if err := c.equal(e); err != nil {
		return err
	}
	return c.checkDecode(t)
}

// equal compares an encoding.
func (w *tokensWant) equal(e token.Encoding) error {
	if !slices.Equal(e.IDs, w.IDs) {
		return fmt.Errorf("ids %v (%q), want %v (%q)", e.IDs, e.Tokens, w.IDs, w.Tokens)
	}
	if !slices.Equal(e.Tokens, w.Tokens) {
		return fmt.Errorf("tokens %q, want %q", e.Tokens, w.Tokens)
	}
	var offsets []int
	for _, o := range e.Offsets {
		offsets = append(offsets, o.Start, o.End)
	}
	if !slices.Equal(offsets, w.Offsets) {
		return fmt.Errorf("offsets %v, want %v (%q)", offsets, w.Offsets, w.Tokens)
	}
	special := make([]int32, len(e.Special))
	for i, s := range e.Special {
		if s {
			special[i] = 1
		}
	}
	for _, list := range []struct {
		what      string
		got, want []int32
		absent    int32
	}{{"types", e.Types, w.Types, 0}, {"mask", e.Mask, w.Mask, 1}, {"special", special, w.Special, 0}} {
		want := list.want
		if want == nil {
			want = slices.Repeat([]int32{list.absent}, len(w.IDs))
		}
		if !slices.Equal(list.got, want) {
			return fmt.Errorf("%s %v, want %v", list.what, list.got, want)
		}
	}
	if len(e.Overflow) != len(w.Overflow) {
		return fmt.Errorf("%d parts of overflow, want %d", len(e.Overflow), len(w.Overflow))
	}
	for i := range e.Overflow {
		if err := w.Overflow[i].equal(e.Overflow[i]); err != nil {
			return fmt.Errorf("overflow %d: %w", i, err)
		}
	}
	return nil
}

func (c *tokensCase) checkDecode(t *token.Tokenizer) error {
	if c.Dec == nil {
		return nil
	}
	all := c.DecAll
	if all == nil {
		all = c.Dec
	}
	for _, d := range []struct {
		opt  token.DecodeOption
		want string
	}{{nil, *c.Dec}, {token.KeepSpecial, *all}} {
		got, err := t.Decode(c.IDs, d.opt)
		if err != nil {
			return err
		}
		if got != d.want {
			return fmt.Errorf("%v decodes (special kept: %v) to %q, want %q", c.IDs, d.opt != nil, got, d.want)
		}
	}
	return nil
}

func (c *tokensCase) checkBatch(t *token.Tokenizer) error {
	var texts, pairs []string
	for _, raw := range c.Batch {
		var pair [2]string
		if strings.HasPrefix(string(raw), "[") {
			if err := json.Unmarshal(raw, &pair); err != nil {
				return err
			}
			pairs = append(pairs, pair[1])
		} else if err := json.Unmarshal(raw, &pair[0]); err != nil {
			return err
		}
		texts = append(texts, pair[0])
	}
	opts := []token.EncodeOption{token.RuneOffsets}
	if pairs != nil {
		opts = append(opts, token.Pair(pairs...))
	}
	if c.Add != nil && !*c.Add {
		opts = append(opts, token.NoSpecial)
	}
	encodings, err := t.EncodeBatch(texts, opts...)
	if err != nil {
		return err
	}
	if len(encodings) != len(c.Encs) {
		return fmt.Errorf("%d encodings, want %d", len(encodings), len(c.Encs))
	}
	for i := range encodings {
		if err := c.Encs[i].equal(encodings[i]); err != nil {
			return fmt.Errorf("text %d: %w", i, err)
		}
	}
	return nil
}

func (c *tokensCase) checkStream(t *token.Tokenizer) error {
	var opt token.DecodeOption
	if !c.Skip {
		opt = token.KeepSpecial
	}
	s := t.Stream(opt)
	for i, id := range c.IDs {
		got, err := s.Push(id)
		if err != nil {
			return err
		}
		want := ""
		if c.Pieces[i] != nil {
			want = *c.Pieces[i]
		}
		if got != want {
			return fmt.Errorf("piece %d of %v is %q, want %q", i, c.IDs, got, want)
		}
	}
	return nil
}
