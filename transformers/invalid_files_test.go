package transformers_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/tinymodel"
	"github.com/go-nx/nx/transformers"
)

// folder writes a small model and returns the names of its weights.
func folder(tb testing.TB) (dir string, names []string) {
	tb.Helper()
	dir = tb.TempDir()
	config, shapes := tinymodel.Llama()
	if err := tinymodel.Write(dir, config, shapes); err != nil {
		tb.Fatal(err)
	}
	for name := range shapes {
		names = append(names, name)
	}
	return dir, names
}

func write(tb testing.TB, dir, file, text string) {
	tb.Helper()
	if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
}

// TestBadFiles opens folders whose files are missing, cut off or of another kind.
func TestBadFiles(t *testing.T) {
	cut := func(size int64) func(dir string) error {
		return func(dir string) error { return os.Truncate(filepath.Join(dir, "model.safetensors"), size) }
	}
	remove := func(file string) func(dir string) error {
		return func(dir string) error { return os.Remove(filepath.Join(dir, file)) }
	}
	for name, c := range map[string]struct {
		change func(dir string) error
		want   string
	}{
		"no configuration":      {remove("config.json"), "config.json"},
		"no weights":            {remove("model.safetensors"), "model.safetensors"},
		"cut off":               {cut(20000), "model.safetensors"},
		"cut off in the header": {cut(20), "model.safetensors"},
		"an empty file":         {cut(0), "model.safetensors"},
		"a folder": {func(dir string) error {
			path := filepath.Join(dir, "model.safetensors")
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.Mkdir(path, 0o700)
		}, "model.safetensors"},
		"weights of integers": {func(dir string) error {
			path := filepath.Join(dir, "model.safetensors")
			file := map[string]nx.Tensor{}
			if err := nx.LoadTensors(path, &file); err != nil {
				return err
			}
			file["model.norm.weight"] = nx.Zeros(nx.Shape{32}, nx.S32)
			return nx.SaveTensors(path, file)
		}, "model.norm.weight"},
		"not JSON": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "config.json"), []byte("{"), 0o600)
		}, "config.json"},
		"a list": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "config.json"), []byte("[]"), 0o600)
		}, "config.json"},
		"null": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "config.json"), []byte("null"), 0o600)
		}, "config.json: not an object"},
	} {
		dir, _ := folder(t)
		if err := c.change(dir); err != nil {
			t.Fatal(err)
		}
		_, err := transformers.Open(dir)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v, want an error with %q and the folder", name, err, c.want)
		}
	}
}

// outside writes a model whose weights are all 7 beside a folder, which is returned, with the configuration in it.
func outside(tb testing.TB) (dir string, names []string) {
	tb.Helper()
	parent, names := folder(tb)
	file := map[string]nx.Tensor{}
	path := filepath.Join(parent, "model.safetensors")
	if err := nx.LoadTensors(path, &file); err != nil {
		tb.Fatal(err)
	}
	dir = filepath.Join(parent, "inside")
	if err := os.Mkdir(dir, 0o700); err != nil {
		tb.Fatal(err)
	}
	if err := nx.SaveTensors(filepath.Join(dir, "part.safetensors"), file); err != nil {
		tb.Fatal(err)
	}
	for name, t := range file {
		file[name] = nx.FullLike(t, 7)
	}
	if err := nx.SaveTensors(path, file); err != nil {
		tb.Fatal(err)
	}
	config, err := os.ReadFile(filepath.Join(parent, "config.json"))
	if err != nil {
		tb.Fatal(err)
	}
	write(tb, dir, "config.json", string(config))
	return dir, names
}

// indexOf is an index in which all weights are in a file.
func indexOf(tb testing.TB, names []string, file string) string {
	tb.Helper()
	weights := map[string]string{}
	for _, name := range names {
		weights[name] = file
	}
	data, err := json.Marshal(map[string]any{"metadata": map[string]any{"total_size": 1}, "weight_map": weights})
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

// TestBadIndexes opens indexes that are wrong.
func TestBadIndexes(t *testing.T) {
	dir, names := outside(t)
	for name, c := range map[string]struct{ index, want string }{
		"above":       {indexOf(t, names, "../model.safetensors"), "../model.safetensors"},
		"above again": {indexOf(t, names, "x/../../model.safetensors"), "../model.safetensors"},
		"absolute":    {indexOf(t, names, filepath.Join(filepath.Dir(dir), "model.safetensors")), "not in the folder"},
		"itself":      {indexOf(t, names, "model.safetensors.index.json"), "is an index itself"},
		"missing":     {indexOf(t, names, "none.safetensors"), "none.safetensors"},
		"not JSON":    {"{", "index.json"},
		"no map":      {"{}", "no weight_map"},
		"more":        {indexOf(t, append(names[:len(names):len(names)], "z"), "part.safetensors"), `no array "z"`},
	} {
		write(t, dir, "model.safetensors.index.json", c.index)
		_, err := transformers.Open(dir)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "index.json") {
			t.Errorf("%s: %v, want an error with %q and the index", name, err, c.want)
		}
	}
	// A link is followed: the caches of model hubs are links to the files of all versions.
	link := filepath.Join(dir, "link.safetensors")
	if err := os.Symlink("../model.safetensors", link); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "model.safetensors.index.json", indexOf(t, names, "link.safetensors"))
	if _, err := transformers.Open(dir); err != nil {
		t.Error(err)
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("link.safetensors", link); err != nil {
		t.Fatal(err)
	}
	if _, err := transformers.Open(dir); err == nil {
		t.Error("a link to itself is opened")
	}
}

// FuzzIndex opens models with any index: nothing outside the folder is read.
func FuzzIndex(f *testing.F) {
	dir, names := outside(f)
	for _, file := range []string{"part.safetensors", "./part.safetensors", "../model.safetensors", "/dev/zero", "",
		"."} {
		f.Add([]byte(indexOf(f, names, file)))
	}
	f.Add([]byte(`{"weight_map":{"model.norm.weight":"part.safetensors","model.norm.weight":"../model.safetensors"}}`))
	f.Add([]byte(`{"weight_map":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		write(t, dir, "model.safetensors.index.json", string(data))
		m, err := transformers.Open(dir)
		if err != nil {
			return
		}
		weight := m.Network.(*transformers.Decoder).EmbedTokens.Weight
		if nx.Item[float32](weight.At(0, 0)) == 7 {
			t.Errorf("%s: weights outside the folder are read", data)
		}
	})
}

// TestBadMel opens and makes spectra that are not possible.
func TestBadMel(t *testing.T) {
	for _, text := range []string{`{`, `[]`, `{"sampling_rate":0}`, `{"hop_length":-1}`, `{"n_fft":1}`,
		`{"feature_size":1e6}`, `{"chunk_length":1e9}`, `{"sampling_rate":2147483647}`,
		`{"hop_length":1,"n_fft":400000}`,
		`{"n_fft":1e7}`,
		`{"feature_extractor_type":"Other"}`, `{"dither":1}`, `{"feature_size":1024,"n_fft":480000}`,
		`{"hop_length":500000}`} {
		dir := t.TempDir()
		write(t, dir, "preprocessor_config.json", text)
		m, err := transformers.OpenMel(dir)
		if err == nil || !strings.Contains(err.Error(), "preprocessor_config.json") {
			t.Errorf("%s: %v, %v, want an error with the file", text, m, err)
		}
	}
	_, err := transformers.OpenMel(t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "preprocessor_config") {
		t.Errorf("without a file: %v", err)
	}
	if _, err := (&transformers.Mel{}).Apply(nil); err == nil {
		t.Error("there is a spectrum of nothing")
	}
}
