package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The model learns, and a run that was stopped and goes on ends with the same bytes as one that was not.
func TestLearn(t *testing.T) {
	const epochs, last = 20, "step_000000600.safetensors"
	whole, parts := t.TempDir(), t.TempDir()
	var out bytes.Buffer
	for _, run := range []struct {
		dir    string
		epochs int
	}{{whole, epochs}, {parts, epochs / 2}, {parts, epochs}} {
		accuracy, err := learn(t.Context(), run.dir, run.epochs, &out)
		if err != nil {
			t.Fatal(err)
		}
		if run.epochs == epochs && accuracy < 0.9 {
			t.Errorf("accuracy %.3f\n%s", accuracy, out.String())
		}
	}
	one, err := os.ReadFile(filepath.Join(whole, last))
	if err != nil {
		t.Fatal(err)
	}
	two, err := os.ReadFile(filepath.Join(parts, last))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one, two) {
		t.Error("a run that was stopped has another end")
	}
}
