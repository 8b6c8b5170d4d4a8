package generate_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/generate"
	"github.com/go-nx/nx/internal/tinymodel"
	"github.com/go-nx/nx/transformers"
)

func open(t testing.TB) *transformers.Model {
	t.Helper()
	dir := t.TempDir()
	config, shapes := tinymodel.Llama()
	if err := tinymodel.Write(dir, config, shapes); err != nil {
		t.Fatal(err)
	}
	m, err := transformers.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func newGenerator(t testing.TB, m *transformers.Model, opts ...generate.Option) *generate.Generator {
	t.Helper()
	g, err := generate.New(m, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func ids(list []generate.Token) (out []int) {
	for _, t := range list {
		out = append(out, t.ID)
	}
	return out
}

// TestCache compares greedy tokens with those of the whole sequence computed again for each.
func TestCache(t *testing.T) {
	m := open(t)
	prompt := []int{5, 9, 33, 71, 2}
	list, err := newGenerator(t, m).Generate(t.Context(), prompt, generate.Options{MaxNewTokens: 30, Logits: true})
	if err != nil {
		t.Fatal(err)
	}
	sequence := slices.Clone(prompt)
	for i, token := range list {
		out, err := m.Forward(transformers.Inputs{InputIDs: nx.New([][]int{sequence})})
		if err != nil {
			t.Fatal(err)
		}
		logits := nx.Data[float32](out.Logits.At(0, -1))
		best := 0
		for j, x := range logits {
			if x > logits[best] {
				best = j
			}
			if d := math.Abs(float64(x - token.Logits[j])); d > 1e-4 {
				t.Fatalf("token %d: the score of %d differs by %g", i, j, d)
			}
		}
		if token.ID != best {
			t.Fatalf("token %d is %d with a cache, %d without", i, token.ID, best)
		}
		sequence = append(sequence, token.ID)
	}
	if f := list[len(list)-1].Finish; len(list) != 30 || f != generate.FinishLength {
		t.Errorf("%d tokens, the end is %q", len(list), f)
	}
}

// TestSlots runs requests that join and leave at random beside others: each gets the tokens that it gets by itself.
func TestSlots(t *testing.T) {
	m := open(t)
	r := rand.New(rand.NewPCG(1, 2))
	const requests = 16
	prompts, opts, alone := make([][]int, requests), make([]generate.Options, requests), make([][]int, requests)
	single := newGenerator(t, m)
	for i := range prompts {
		for range 1 + r.IntN(40) {
			prompts[i] = append(prompts[i], r.IntN(m.Vocabulary))
		}
		opts[i] = generate.Options{MaxNewTokens: 1 + r.IntN(40), Sample: i%2 == 0, Temperature: 0.8, TopK: 20,
			Seed: uint64(i), EOS: generate.Tokens{7, 50}}
		if i%3 == 0 {
			opts[i].RepetitionPenalty = 1.3
		}
		list, err := single.Generate(t.Context(), prompts[i], opts[i])
		if err != nil {
			t.Fatal(err)
		}
		alone[i] = ids(list)
	}
	g := newGenerator(t, m, generate.Slots(5))
	var wait sync.WaitGroup
	for i := range prompts {
		wait.Go(func() {
			stop := len(alone[i])
			if i%5 == 4 {
				stop = max(1, stop/2) // the caller leaves
			}
			var got []int
			for token, err := range g.Stream(t.Context(), prompts[i], opts[i]) {
				if err != nil {
					t.Error(err)
				}
				if got = append(got, token.ID); len(got) == stop {
					break
				}
			}
			if !slices.Equal(got, alone[i][:stop]) {
				t.Errorf("request %d: got %v beside others, %v by itself", i, got, alone[i][:stop])
			}
		})
	}
	wait.Wait()
}

// TestSeeds draws with equal and other seeds.
func TestSeeds(t *testing.T) {
	g := newGenerator(t, open(t))
	run := func(seed uint64) []int {
		list, err := g.Generate(t.Context(), []int{3}, generate.Options{MaxNewTokens: 20, Sample: true, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return ids(list)
	}
	if a, b, c := run(1), run(1), run(2); !slices.Equal(a, b) || slices.Equal(a, c) {
		t.Errorf("seeds 1, 1 and 2 give %v, %v, %v", a, b, c)
	}
}

// TestContext fills a context: the last place of the cache is used, then the sequence ends with the reason.
func TestContext(t *testing.T) {
	g := newGenerator(t, open(t), generate.Capacity(21))
	list, err := g.Generate(t.Context(), []int{1, 2, 3}, generate.Options{MaxNewTokens: 100})
	if err != nil || len(list) != 19 || list[18].Finish != generate.FinishContext {
		t.Errorf("%d tokens, error %v", len(list), err)
	}
	_, err = g.Generate(t.Context(), make([]int, 22), generate.Options{})
	if !errors.Is(err, generate.ErrContext) {
		t.Errorf("a prompt of 22 tokens: %v", err)
	}
}

// TestErrors asks for things that are impossible; other requests go on.
func TestErrors(t *testing.T) {
	g := newGenerator(t, open(t), generate.Slots(2))
	other := make(chan error)
	go func() {
		list, err := g.Generate(t.Context(), []int{1}, generate.Options{MaxNewTokens: 60})
		if err == nil && len(list) != 60 {
			err = fmt.Errorf("%d tokens", len(list))
		}
		other <- err
	}()
	for want, o := range map[string]generate.Options{
		"must not be negative": {Temperature: -1},
		"TopP must":            {TopP: math.NaN()},
		"has the token -3":     {SuppressTokens: []int{-3}},
		"a bad word":           {BadWords: [][]int{{}}},
		"needs the option":     {Stop: []string{"x"}},
		"MaxLength allows 1":   {MaxLength: 1},
		"panicked: mask":       {Mask: func([]int, []float64) { panic("mask") }},
		"no token is left": {Mask: func(_ []int, s []float64) {
			for i := range s {
				s[i] = math.Inf(-1)
			}
		}},
	} {
		if _, err := g.Generate(t.Context(), []int{1}, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	for want, prompt := range map[string][]int{"no tokens": nil, "is 96": {1, 96}, "is -1": {-1}} {
		if _, err := g.Generate(t.Context(), prompt, generate.Options{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("the caller is gone")
	cancel(cause)
	if _, err := g.Generate(ctx, []int{1}, generate.Options{MaxNewTokens: 50}); !errors.Is(err, cause) {
		t.Errorf("a request that was cancelled: %v", err)
	}
	if err := <-other; err != nil {
		t.Errorf("the request beside: %v", err)
	}
}

// letters is a decoder whose tokens are letters.
type letters struct{}

func (letters) Push(id int32) (string, error) { return string('a' + id%26), nil }
func (letters) Flush() (string, error)        { return ".", nil }

// TestStop ends a sequence at a string of several tokens, which the text does not have.
func TestStop(t *testing.T) {
	g := newGenerator(t, open(t))
	text := func(stop ...string) (s string, f generate.Finish) {
		o := generate.Options{MaxNewTokens: 20, Stop: stop, Text: func() generate.TextDecoder { return letters{} },
			RepetitionPenalty: 2}
		list, err := g.Generate(t.Context(), []int{4, 8}, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, token := range list {
			s += token.Text
		}
		return s, list[len(list)-1].Finish
	}
	whole, f := text("#")
	if len(whole) != 21 || f != generate.FinishLength {
		t.Fatalf("%q ends by %q", whole, f)
	}
	stop := whole[8:12]
	if got, f := text(stop, "#"); got != whole[:strings.Index(whole, stop)] || f != generate.FinishStop {
		t.Errorf("%q until %q is %q, ended by %q", whole, stop, got, f)
	}
}

// TestBeams compares one beam with greedy tokens, and more beams with the likelihood that they find.
func TestBeams(t *testing.T) {
	g := newGenerator(t, open(t))
	prompt := []int{4, 8, 15}
	greedy, err := g.Generate(t.Context(), prompt, generate.Options{MaxNewTokens: 12})
	if err != nil {
		t.Fatal(err)
	}
	score := 0.0
	for _, token := range greedy {
		score += token.LogProb / float64(len(greedy))
	}
	for _, n := range []int{1, 4} {
		list, err := g.Beams(t.Context(), prompt, generate.Options{MaxNewTokens: 12, Beams: n, Return: n})
		if err != nil {
			t.Fatal(err)
		}
		if n == 1 && (!slices.Equal(list[0].Tokens[3:], ids(greedy)) || math.Abs(list[0].Score-score) > 1e-5) {
			t.Errorf("one beam gives %v with %v, greedy tokens are %v with %v", list[0].Tokens, list[0].Score,
				ids(greedy), score)
		}
		if list[0].Score < score-1e-5 {
			t.Errorf("%d beams find %v, greedy tokens have %v", n, list[0].Score, score)
		}
		if !slices.IsSortedFunc(list, func(a, b generate.Sequence) int {
			if a.Score > b.Score {
				return -1
			}
			return 1
		}) {
			t.Errorf("%d sequences are not in order: %v", n, list)
		}
	}
}
