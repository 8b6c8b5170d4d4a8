package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-nx/nx/generate"
	"github.com/go-nx/nx/token"
	"github.com/go-nx/nx/transformers"
)

// transcriber writes what is said in sounds.
type transcriber struct {
	tokens    *token.Tokenizer
	mel       *transformers.Mel
	generator *generate.Generator
	options   generate.Options
	start     []int // the tokens before the language
	languages map[string]int
	task      []int // the tokens behind the language
	language  string
}

// openTranscriber opens a folder with a model of Whisper. An empty language is found out for each piece.
func openTranscriber(dir, language string, translate bool) (*transcriber, error) {
	model, err := transformers.Open(dir)
	if err != nil {
		return nil, err
	}
	if network, ok := model.Network.(*transformers.Seq2Seq); !ok || network.Conv1 == nil {
		return nil, fmt.Errorf("%s: %s does not read sounds: take a model of Whisper", dir, model.Architecture)
	}
	t := &transcriber{language: language}
	if t.mel, err = transformers.OpenMel(dir); err != nil {
		return nil, err
	}
	if t.tokens, err = token.Open(dir); err != nil {
		return nil, err
	}
	if t.generator, err = generate.New(model); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "generation_config.json")
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var more struct {
		Multilingual bool           `json:"is_multilingual"`
		Languages    map[string]int `json:"lang_to_id"`
	}
	for _, to := range []any{&t.options, &more} {
		if err := json.Unmarshal(data, to); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	if err := t.options.Check(model.Vocabulary); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	t.options.MaxNewTokens = math.MaxInt32 / 2 // the context of the model ends it
	t.options.Text = func() generate.TextDecoder { return t.tokens.Stream() }
	names := []string{"<|startoftranscript|>", "<|transcribe|>", "<|notimestamps|>"}
	if translate {
		names[1] = "<|translate|>"
	}
	var ids []int
	for _, name := range names {
		id, ok := t.tokens.ID(name)
		if !ok {
			return nil, fmt.Errorf("%s: there is no token %s: it is not a tokenizer of Whisper",
				filepath.Join(dir, "tokenizer.json"), name)
		}
		ids = append(ids, int(id))
	}
	t.start, t.task = ids[:1], ids[1:]
	if more.Multilingual {
		t.languages = more.Languages
	} else {
		t.task = ids[2:] // such a model knows one language and one task
	}
	_, known := t.languages["<|"+language+"|>"]
	switch {
	case language != "" && !known, more.Multilingual && len(t.languages) == 0:
		return nil, fmt.Errorf("%s: the model does not know the language %q: it has %s", file, language,
			strings.Join(slices.Sorted(maps.Keys(t.languages)), " "))
	case translate && !more.Multilingual:
		return nil, fmt.Errorf("%s: the model does not translate", file)
	}
	return t, nil
}

// write returns what is said in a piece of a sound, of the model's rate and at most its length.
func (t *transcriber) write(ctx context.Context, samples []float32) (string, error) {
	spectrum, err := t.mel.Apply(samples)
	if err != nil {
		return "", err
	}
	in := transformers.Inputs{InputFeatures: spectrum}
	prompt := slices.Clone(t.start)
	if t.languages != nil {
		language, err := t.languageOf(ctx, in)
		if err != nil {
			return "", err
		}
		prompt = append(prompt, language)
	}
	opts := t.options
	opts.Inputs = in
	var text strings.Builder
	for token, err := range t.generator.Stream(ctx, append(prompt, t.task...), opts) {
		if err != nil {
			return "", err
		}
		text.WriteString(token.Text)
	}
	return strings.TrimSpace(text.String()), nil
}

// languageOf is the token of the language that was asked for, otherwise the likeliest of all.
func (t *transcriber) languageOf(ctx context.Context, in transformers.Inputs) (int, error) {
	if t.language != "" {
		return t.languages["<|"+t.language+"|>"], nil
	}
	known := slices.Collect(maps.Values(t.languages))
	list, err := t.generator.Generate(ctx, t.start, generate.Options{MaxNewTokens: 1, Inputs: in,
		Mask: func(_ []int, scores []float64) {
			for id := range scores {
				if !slices.Contains(known, id) {
					scores[id] = math.Inf(-1)
				}
			}
		}})
	if err != nil {
		return 0, err
	}
	return list[0].ID, nil
}

// cut returns the length of the first piece of a sound, of most samples at most: it ends at the quietest place of its
// last sixth, so that no word is cut in two.
func cut(samples []float32, most int) int {
	if len(samples) <= most {
		return len(samples)
	}
	window := max(most/150, 1) // a fifth of a second of 30
	best, least := most, math.Inf(1)
	for at := most - max(most/6, window); at+window <= most; at += max(window/4, 1) {
		power := 0.0
		for _, x := range samples[at : at+window] {
			power += float64(x) * float64(x)
		}
		if power < least {
			best, least = at+(window+1)/2, power
		}
	}
	return best
}
