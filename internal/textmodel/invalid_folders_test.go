package textmodel_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/textmodel"
	"github.com/go-nx/nx/internal/tinymodel"
)

// write writes a small model of text whose file is changed.
func write(t *testing.T, file string, change func(data []byte) []byte) string {
	t.Helper()
	dir := t.TempDir()
	if err := tinymodel.WriteText(dir, true); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, file)
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if data = change(data); data == nil {
		err = os.Remove(path)
	} else {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func to(text string) func([]byte) []byte { return func([]byte) []byte { return []byte(text) } }

// without leaves a byte out of the vocabulary.
func without(char string) func([]byte) []byte {
	return func(data []byte) []byte {
		var file map[string]any
		if json.Unmarshal(data, &file) != nil {
			return nil
		}
		delete(file["model"].(map[string]any)["vocab"].(map[string]any), char)
		data, _ = json.Marshal(file)
		return data
	}
}

// TestBadFolders opens folders in which a file is missing or wrong: the error names the file and what is wrong.
func TestBadFolders(t *testing.T) {
	gone := func([]byte) []byte { return nil }
	half := func(data []byte) []byte { return data[:len(data)/2] }
	for name, c := range map[string]struct {
		file   string
		change func([]byte) []byte
		want   []string
	}{
		"no configuration":   {"config.json", gone, []string{"config.json", "save_pretrained"}},
		"no tokenizer":       {"tokenizer.json", gone, []string{"tokenizer.json", "save_pretrained"}},
		"no weights":         {"model.safetensors", gone, []string{"model.safetensors"}},
		"half the weights":   {"model.safetensors", half, []string{"model.safetensors"}},
		"half the tokenizer": {"tokenizer.json", half, []string{"tokenizer.json"}},
		"a vocabulary without a letter": {"tokenizer.json", without("A"),
			[]string{"tokenizer.json", "model.vocab", `'A'`, "all bytes"}},
		"a vocabulary without a byte of letters": {"tokenizer.json", without("Ã"),
			[]string{"tokenizer.json", "model.vocab"}},
		"a list of options": {"generation_config.json", to(`[]`), []string{"generation_config.json"}},
		"options of another type": {"generation_config.json", to(`{"top_k":"x"}`), []string{"generation_config.json",
			"top_k"}},
		"a negative temperature": {"generation_config.json", to(`{"temperature":-1}`),
			[]string{"generation_config.json", "Temperature"}},
		"a token below 0": {"generation_config.json", to(`{"suppress_tokens":[-7]}`),
			[]string{"generation_config.json", "-7"}},
		"a number for a configuration": {"tokenizer_config.json", to(`7`),
			[]string{"tokenizer_config.json"}},
	} {
		dir := write(t, c.file, c.change)
		_, err := textmodel.Open(dir, 0)
		for _, want := range append(c.want, dir) {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	}
}

// TestLostBytes: bytes that no text of letters has may be missing, and there may be a token for what is unknown.
func TestLostBytes(t *testing.T) {
	if _, err := textmodel.Open(write(t, "tokenizer.json", without("ÿ")), 0); err != nil { // 0xFF is in no UTF-8
		t.Error(err)
	}
}

// TestSentenceTransformers opens a folder of sentence-transformers whose configuration names a head that it has not.
func TestSentenceTransformers(t *testing.T) {
	dir := t.TempDir()
	if err := tinymodel.WriteEncoder(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "config.json")
	config, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(config), "BertModel", "BertForMaskedLM", 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := textmodel.Open(dir, 0); err == nil || !strings.Contains(err.Error(), "Head") {
		t.Errorf("without modules.json: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "modules.json"), []byte("[]"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := textmodel.Open(dir, 0); err != nil {
		t.Error(err)
	}
}
