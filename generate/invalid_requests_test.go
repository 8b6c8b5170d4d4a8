package generate_test

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/generate"
	"github.com/go-nx/nx/internal/tinymodel"
	"github.com/go-nx/nx/transformers"
)

// poisoned opens a model in which the embedding of token 95 is not a number.
func poisoned(t *testing.T) *transformers.Model {
	t.Helper()
	dir := t.TempDir()
	config, shapes := tinymodel.Llama()
	if err := tinymodel.Write(dir, config, shapes); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "model.safetensors")
	file := map[string]nx.Tensor{}
	if err := nx.LoadTensors(path, &file); err != nil {
		t.Fatal(err)
	}
	const name = "model.embed_tokens.weight"
	row := nx.Full(nx.Shape{1, file[name].Shape()[1]}, math.NaN(), nx.F32)
	file[name] = nx.SetSlice(file[name], row, 95, 0)
	if err := nx.SaveTensors(path, file); err != nil {
		t.Fatal(err)
	}
	m, err := transformers.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestNotNumbers computes a request whose scores are not numbers: it gets an error, those in other slots go on, and
// those that take its slot later are as they are by themselves.
func TestNotNumbers(t *testing.T) {
	m := poisoned(t)
	good := []int{5, 9, 33}
	opts := generate.Options{MaxNewTokens: 40, SuppressTokens: []int{95}}
	want, err := newGenerator(t, m).Generate(t.Context(), good, opts)
	if err != nil {
		t.Fatal(err)
	}
	g := newGenerator(t, m, generate.Slots(2))
	var beside []int
	for token, err := range g.Stream(t.Context(), good, opts) {
		if err != nil {
			t.Fatal(err)
		}
		if beside = append(beside, token.ID); len(beside)%8 != 1 {
			continue
		}
		bad := slices.Repeat([]int{1, 95}, 20)
		if _, err := g.Generate(t.Context(), bad, opts); err == nil || !strings.Contains(err.Error(), "not numbers") {
			t.Fatalf("a request whose scores are not numbers: %v", err)
		}
		after, err := g.Generate(t.Context(), good, opts) // in the same slot
		if err != nil || !slices.Equal(ids(after), ids(want)) {
			t.Fatalf("the next request in the slot: %v, %v, want %v", ids(after), err, ids(want))
		}
	}
	if !slices.Equal(beside, ids(want)) {
		t.Errorf("the request beside has %v, want %v", beside, ids(want))
	}
}

// TestBadOptions asks for options that mean nothing: each error names the option.
func TestBadOptions(t *testing.T) {
	g := newGenerator(t, open(t))
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		o    generate.Options
		want string
	}{
		{generate.Options{Sample: true, Temperature: nan}, "Temperature"},
		{generate.Options{Sample: true, Temperature: inf}, "Temperature"},
		{generate.Options{Sample: true, Temperature: -1}, "Temperature"},
		{generate.Options{Sample: true, TopK: -1}, "TopK"},
		{generate.Options{Sample: true, TopP: nan}, "TopP"},
		{generate.Options{Sample: true, MinP: -inf}, "MinP"},
		{generate.Options{Sample: true, MinP: 1.5}, "MinP"},
		{generate.Options{Sample: true, TypicalP: nan}, "TypicalP"},
		{generate.Options{RepetitionPenalty: inf}, "RepetitionPenalty"},
		{generate.Options{MaxNewTokens: -1}, "MaxNewTokens"},
		{generate.Options{MinLength: -1}, "MinLength"},
		{generate.Options{NoRepeatNGram: -2}, "NoRepeatNGram"},
		{generate.Options{LogProbs: -1}, "LogProbs"},
		{generate.Options{EOS: []int{-1}}, "token -1"},
		{generate.Options{Stop: []string{"x", ""}, Text: func() generate.TextDecoder { return letters{} }}, "Stop"},
		{generate.Options{Sample: true, Temperature: 1e-320}, "not finite"},
	} {
		if list, err := g.Generate(t.Context(), []int{1}, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %v, want an error with %q", ids(list), err, c.want)
		}
	}
	for _, o := range []generate.Options{{Beams: 1 << 40}, {Beams: -1}, {Beams: 2, Return: 3}} {
		if _, err := g.Beams(t.Context(), []int{1}, o); err == nil {
			t.Errorf("%d beams for %d results are possible", o.Beams, o.Return)
		}
	}
	// The largest numbers are those that the context allows.
	list, err := g.Generate(t.Context(), []int{1}, generate.Options{MaxNewTokens: math.MaxInt, LogProbs: math.MaxInt,
		NoRepeatNGram: math.MaxInt, MinLength: math.MaxInt, MinNewTokens: math.MaxInt})
	if err != nil || list[len(list)-1].Finish != generate.FinishContext || len(list[0].Top) != 96 {
		t.Errorf("%d tokens, %v", len(list), err)
	}
}

// TestBadGenerators makes generators that are not possible.
func TestBadGenerators(t *testing.T) {
	m := open(t)
	for _, n := range []int{-1, math.MinInt} {
		if _, err := generate.New(m, generate.Capacity(n)); err == nil {
			t.Errorf("a capacity of %d is possible", n)
		}
	}
	encoder := t.TempDir()
	if err := tinymodel.WriteEncoder(encoder); err != nil {
		t.Fatal(err)
	}
	e, err := transformers.Open(encoder)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := generate.New(e); err == nil || !strings.Contains(err.Error(), "BertModel") {
		t.Errorf("a generator with an encoder: %v", err)
	}
}

// FuzzOptions generates with the options of any generation_config.json: there are tokens, within the limits, or an
// error.
func FuzzOptions(f *testing.F) {
	for _, text := range []string{`{"max_length":20,"do_sample":true,"temperature":0.7,"top_p":0.9,"top_k":5,"min_p":0.1}`,
		`{"max_new_tokens":4,"eos_token_id":[1,2],"no_repeat_ngram_size":2,"repetition_penalty":1.3,"min_length":3}`,
		`{"suppress_tokens":[1],"begin_suppress_tokens":[2],"forced_bos_token_id":3,"forced_eos_token_id":[4]}`,
		`{"bad_words_ids":[[1,2],[3]],"typical_p":0.5,"epsilon_cutoff":0.01,"eta_cutoff":0.01,"seed":1,"do_sample":true}`,
		`{"num_beams":2,"early_stopping":"never","length_penalty":-1,"num_return_sequences":2,"max_new_tokens":5}`,
		`{"max_length":9223372036854775807,"min_new_tokens":1e3}`, `null`, `[]`} {
		f.Add([]byte(text))
	}
	m := open(f)
	g, err := generate.New(m, generate.Capacity(24))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var o generate.Options
		if json.Unmarshal(data, &o) != nil {
			return
		}
		list, err := g.Generate(t.Context(), []int{1, 2}, o)
		if err == nil && (len(list) == 0 || len(list) > 23 || list[len(list)-1].Finish == "") {
			t.Errorf("%s: %d tokens", data, len(list))
		}
		if err != nil && !strings.HasPrefix(fmt.Sprint(err), "generate: ") {
			t.Errorf("%s: %v does not say where it is from", data, err)
		}
		sequences, err := g.Beams(t.Context(), []int{1, 2}, o)
		if (err == nil) != (len(sequences) > 0) {
			t.Errorf("%s: %d sequences, %v", data, len(sequences), err)
		}
	})
}

// TestOptionsOfOtherTypes reads options of another type.
func TestOptionsOfOtherTypes(t *testing.T) {
	for _, text := range []string{`{"top_k":"many"}`, `{"eos_token_id":"</s>"}`, `{"early_stopping":7}`,
		`{"bad_words_ids":[1]}`, `{"max_length":1.5}`, `{"temperature":1e400}`, `{"top_k":1e99}`} {
		var o generate.Options
		err := json.Unmarshal([]byte(text), &o)
		name := strings.Split(text, `"`)[1]
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want an error with the field", text, err)
		}
	}
}
