package token_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx/token"
)

// TestScaling: the time that a text takes grows as its length does, also where it is a single word. A quadratic way
// would take 64 times as long for 8 times the text.
func TestScaling(t *testing.T) {
	tokenizers, _ := recorded(t)
	merges, vocab := []string{}, []string{`"a":0`}
	for i, word := 1, "a"; i < 12; i++ {
		merges = append(merges, fmt.Sprintf(`["%s","%s"]`, word, word))
		word += word
		vocab = append(vocab, fmt.Sprintf(`"%s":%d`, word, i))
	}
	one, err := token.Parse([]byte(`{"model":{"type":"BPE","vocab":{` + strings.Join(vocab, ",") + `},"merges":[` +
		strings.Join(merges, ",") + `]}}`))
	if err != nil {
		t.Fatal(err)
	}
	pieces, err := token.Parse([]byte(`{"model":{"type":"Unigram","unk_id":0,
		"vocab":[["<unk>",0],["a",-1],["aa",-1.5],["aaaa",-2]]}}`))
	if err != nil {
		t.Fatal(err)
	}
	tokenizers = append(tokenizers, one, pieces)
	for i, tokenizer := range tokenizers {
		for _, unit := range []string{"a", "ab é", " ", "\u0301", "\xff"} {
			var short, long time.Duration
			for range 6 { // noise only adds
				short, long = took(tokenizer, unit, 1<<14), took(tokenizer, unit, 1<<17)
				if long <= 30*short+50*time.Millisecond {
					break
				}
			}
			if long > 30*short+50*time.Millisecond {
				t.Errorf("tokenizer %d, %q: %v for 16 kB, and %v for 128 kB", i, unit, short, long)
			}
		}
	}
}

// took returns the least time of three that a text takes.
func took(tokenizer *token.Tokenizer, unit string, size int) time.Duration {
	text := strings.Repeat(unit, size/len(unit))
	least := time.Hour
	for range 3 {
		start := time.Now()
		tokenizer.AppendIDs(nil, text) // an error is as good as a result
		least = min(least, time.Since(start))
	}
	return least
}
