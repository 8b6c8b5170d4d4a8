package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/random"
)

// A short run learns words: the frequencies of characters cost 3.1 nats each.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: trains a network")
	}
	dir := t.TempDir()
	var out bytes.Buffer
	last, err := run("../../LICENSE", dir, "The ", 120, &out)
	if err != nil {
		t.Fatal(err)
	}
	if !(last < 2.6) {
		t.Errorf("the loss is %.2f\n%s", last, out.String())
	}
	if _, text, _ := strings.Cut(out.String(), "\n\n"); len(text) < 300 {
		t.Errorf("it wrote %q", text)
	}
	text, err := os.ReadFile(filepath.Join(dir, "chargpt.svg"))
	if err != nil || xml.Unmarshal(text, new(struct{})) != nil {
		t.Errorf("the picture: %v", err)
	}
	if _, err := run("../../LICENSE", dir, "Привет", 1, &out); err == nil {
		t.Error("a prompt with other characters was accepted")
	}
}

// TestCache: scores from the cache, character by character, are those of the whole text.
func TestCache(t *testing.T) {
	m := newModel(random.Key(1), 20)
	ids := make([]int32, window+8)
	for i := range ids {
		ids[i] = int32(i * i % 20)
	}
	var caches []nn.Cache
	for _, b := range m.Blocks {
		caches = append(caches, b.Attn.NewCache(1, len(ids), nx.F32))
	}
	whole := m.apply(nil, nx.New([][]int32{ids}), func(i int, x nx.Tensor) nx.Tensor {
		return m.Blocks[i].Attn.Apply(nil, x)
	})
	for i, id := range ids {
		var scores nx.Tensor
		scores, caches = next(m, nx.New([][]int32{{id}}), caches)
		if !nx.Item[bool](nx.AllClose(scores, whole.At(0, i), nx.Tolerance(1e-4, 1e-5))) {
			t.Errorf("character %d: %v, want %v", i, scores, whole.At(0, i))
		}
	}
}
