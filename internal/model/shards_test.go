package model

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/encoding/safetensors"
)

// writeShards writes three files with the arrays a, b and b, c and d, of their own bytes.
func writeShards(t testing.TB, dir string) {
	t.Helper()
	for file, names := range map[string]string{"model-1.safetensors": "ab", "model-2.safetensors": "bc",
		"model-4.safetensors": "d"} {
		var list []safetensors.Tensor
		for _, name := range names {
			list = append(list, safetensors.Tensor{Info: safetensors.Info{Name: string(name), DType: dtype.U8,
				Shape: []int{1}}, Data: []byte{file[6]}})
		}
		if err := safetensors.WriteFile(filepath.Join(dir, file), list, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestShards reads the arrays of the files that an index names.
func TestShards(t *testing.T) {
	dir := t.TempDir()
	writeShards(t, dir)
	index := filepath.Join(dir, "model.safetensors.index.json")
	for _, c := range []struct {
		name, text, want string // the arrays with the first letters of their elements, or the error
	}{
		{"all", `{"metadata": {"total_size": 3}, "weight_map": {"a": "model-1.safetensors", "b": "./model-1.safetensors",
			"d": "model-4.safetensors"}}`, "a1 b1 d4"},
		{"one twice", `{"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors", "c": "model-2.safetensors"}}`,
			`model-1.safetensors and model-2.safetensors both have an array "b"`},
		{"one in another file", `{"weight_map": {"a": "model-4.safetensors", "b": "model-1.safetensors"}}`,
			`the array "a" is in model-1.safetensors, not in model-4.safetensors`},
		{"a key twice", `{"weight_map": {"a": "model-1.safetensors", "b": "x", "a": "model-4.safetensors"}}`,
			`the array "a" is there twice`},
		{"no strings", `{"weight_map": {"a": {"b": "c"}}}`, "want a JSON object"},
		{"null", `{"weight_map": null}`, "the index has no weight_map"},
		{"one that the index does not have", `{"weight_map": {"a": "model-1.safetensors"}}`, "a1 b1"},
		{"one twice that the index does not have",
			`{"weight_map": {"a": "model-1.safetensors", "c": "model-2.safetensors"}}`,
			`model-1.safetensors and model-2.safetensors both have an array "b"`},
		{"none", `{"weight_map": {}}`, ""},
		{"no map", `{"metadata": {}}`, "the index has no weight_map"},
		{"no object", `[1]`, "want a JSON object"},
		{"no JSON", `{`, "want a JSON object"},
		{"no text", `{"weight_map": {"a": 1}}`, "want a JSON object"},
		{"a missing array", `{"weight_map": {"z": "model-1.safetensors"}}`, `model-1.safetensors has no array "z"`},
		{"a missing file", `{"weight_map": {"a": "model-3.safetensors"}}`, "model-3.safetensors"},
		{"a file outside", `{"weight_map": {"a": "../model-1.safetensors"}}`, "is not in the folder of the index"},
		{"an absolute file", `{"weight_map": {"a": "/dev/zero"}}`, "is not in the folder of the index"},
		{"no file", `{"weight_map": {"a": ""}}`, "is not in the folder of the index"},
		{"the folder", `{"weight_map": {"a": "."}}`, "arrays are read from files"},
		{"itself", `{"weight_map": {"a": "model.safetensors.index.json"}}`, "is an index itself"},
	} {
		if err := os.WriteFile(index, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		list, closeFiles, err := OpenArrays(t.Context(), index)
		var got []string
		for _, a := range list {
			data, _, err := a.Get(a.Header.DType, true)
			if err != nil {
				t.Fatal(c.name, err)
			}
			got = append(got, a.Name+string(data.Data))
		}
		slices.Sort(got)
		switch {
		case err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want) || closeFiles != nil):
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		case err == nil:
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("%s: %s, want %s", c.name, text, c.want)
			}
			if err := closeFiles(); err != nil {
				t.Error(err)
			}
		}
	}
	if _, _, err := OpenArrays(t.Context(), filepath.Join(dir, "no.index.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// FuzzShards: no index crashes, and what is listed can be read.
func FuzzShards(f *testing.F) {
	for _, text := range []string{`{"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}}`,
		`{"weight_map": {"a": "./model-1.safetensors", "b": "model-1.safetensors"}}`, `{"weight_map": null}`,
		`{"weight_map": {"a": "model-1.safetensors/x"}}`} {
		f.Add([]byte(text))
	}
	dir := f.TempDir()
	writeShards(f, dir)
	f.Fuzz(func(t *testing.T, text []byte) {
		index := filepath.Join(dir, "model.safetensors.index.json")
		if err := os.WriteFile(index, text, 0o666); err != nil {
			t.Fatal(err)
		}
		list, closeFiles, err := OpenArrays(context.Background(), index)
		if err != nil {
			return
		}
		names := map[string]bool{}
		for _, a := range list {
			if names[a.Name] {
				t.Fatalf("%q is listed twice", a.Name)
			}
			names[a.Name] = true
			if _, _, err := a.Get(a.Header.DType, true); err != nil {
				t.Fatal(err)
			}
		}
		if err := closeFiles(); err != nil {
			t.Fatal(err)
		}
	})
}
