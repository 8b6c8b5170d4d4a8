package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/tinymodel"
	"github.com/go-nx/nx/transformers"
)

// tinyEncoder writes a small encoder with random weights, whose vectors mean nothing but are equal for equal texts.
func tinyEncoder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := tinymodel.WriteEncoder(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A query that is a passage finds this passage first.
func TestRun(t *testing.T) {
	passages, err := readPassages("texts")
	if err != nil || len(passages) != 9 {
		t.Fatalf("%d passages, %v", len(passages), err)
	}
	var out bytes.Buffer
	query := strings.Join(strings.Fields(passages[4].text), " ")
	dir := t.TempDir()
	for i, text := range []string{"One.\r\n\r\nTwo is longer than the others, much longer.",
		query + "\n\n\n\n\nThree!\n"} {
		if err := os.WriteFile(filepath.Join(dir, string(rune('a'+i))+".md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "c.bin"), []byte("not a text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(tinyEncoder(t), dir, 2, strings.NewReader("\nOne.\n"+query+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	want := []string{"4 passages", "", "One.", "1. 1.000 a.md: One.", "2.", "", query,
		"1. 1.000 b.md: " + shorten(query, 100), "2.", ""}
	if len(lines) != len(want) {
		t.Fatalf("got\n%s", &out)
	}
	for i, line := range lines {
		if line != want[i] && !(want[i] == "2." && strings.HasPrefix(line, "2. ")) {
			t.Errorf("line %d is %q, want %q", i, line, want[i])
		}
	}
}

// The vectors of texts that are computed together are those that each has by itself.
func TestVectors(t *testing.T) {
	e, err := openEncoder(tinyEncoder(t))
	if err != nil {
		t.Fatal(err)
	}
	texts := strings.Fields(strings.Repeat("short rather-longer the-longest-of-these-words-by-far ", 8))
	texts = append(texts, strings.Repeat("x", 500)) // longer than the model takes
	all, err := e.vectors(texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		encoding, err := e.tokens.Encode(text[:min(len(text), 64)])
		if err != nil {
			t.Fatal(err)
		}
		ids := nx.FromSlice(encoding.IDs, nx.Shape{1, len(encoding.IDs)})
		out, err := e.model.Forward(transformers.Inputs{InputIDs: ids})
		if err != nil {
			t.Fatal(err)
		}
		want := nx.Data[float32](transformers.Pool(out.LastHiddenState, nx.Tensor{}, transformers.MeanPooling, true))
		for j, x := range nx.Data[float32](all.At(i)) {
			if math.Abs(float64(x-want[j])) > 1e-5 {
				t.Fatalf("number %d of the vector of text %d is %v, by itself %v", j, i, x, want[j])
			}
		}
	}
}

func TestErrors(t *testing.T) {
	decoder, pooling := t.TempDir(), tinyEncoder(t)
	if err := tinymodel.WriteText(decoder, false); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(pooling, "1_Pooling"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(pooling, "1_Pooling", "config.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ model, texts, want string }{
		{tinyEncoder(t), t.TempDir(), "has no texts"},
		{tinyEncoder(t), filepath.Join(t.TempDir(), "none"), "none"},
		{t.TempDir(), "texts", "tokenizer.json"},
		{decoder, "texts", "is not an encoder"},
		{pooling, "texts", "pooling_mode"},
	} {
		var out bytes.Buffer
		err := run(c.model, c.texts, 1, strings.NewReader("x"), &out)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
