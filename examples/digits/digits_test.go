package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A short run learns, is reproducible, and writes its files.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: trains a network")
	}
	var out [2]bytes.Buffer
	var files [2][]byte
	for i := range out {
		dir := t.TempDir()
		acc, err := run(options{seed: 1, epochs: 6, batch: 32, rate: 2e-3, dir: dir}, &out[i], nil)
		if err != nil {
			t.Fatal(err)
		}
		if acc < 0.95 {
			t.Errorf("accuracy %.3f after 6 epochs", acc)
		}
		f, err := os.Open(filepath.Join(dir, "digits.png"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(f); err != nil {
			t.Error(err)
		}
		f.Close()
		if files[i], err = os.ReadFile(filepath.Join(dir, "digits.safetensors")); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two runs from one seed have different parameters")
	}
	if !strings.Contains(out[0].String(), "test accuracy") {
		t.Errorf("the report is %q", out[0].String())
	}
}
