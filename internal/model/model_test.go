package model_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/model"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

func labels(kind string, list []model.Param) string {
	var out []string
	for i := range list {
		out = append(out, list[i].Label(kind, i)+" "+list[i].TypeText())
	}
	return strings.Join(out, ", ")
}

func TestExportsOfJAX(t *testing.T) {
	for _, c := range []struct{ file, in, out, unused string }{
		{
			"polymorphic.jaxexport",
			"p['b1'] tensor<4xf32>, p['unused'] tensor<7xf32>, p['w1'] tensor<3x4xf32>, p['w2'] tensor<4x2xf32>, x tensor<bx3xf32>",
			"result['n'][0] tensor<f32>, result['y'] tensor<bx2xf32>", "",
		},
		{
			"static.jaxexport",
			"p['b1'] tensor<4xf32>, p['w1'] tensor<3x4xf32>, p['w2'] tensor<4x2xf32>, x tensor<2x3xf32>",
			"result['n'][0] tensor<f32>, result['y'] tensor<2x2xf32>", "[0]['unused']",
		},
	} {
		t.Run(c.file, func(t *testing.T) {
			p, err := model.Open(t.Context(), filepath.Join("testdata", c.file))
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Module.Verify(); err != nil {
				t.Fatal(err)
			}
			if p.Form != model.JAXExport || p.Function != "f" {
				t.Errorf("a %s of %q", p.Form, p.Function)
			}
			if got := labels("arg", p.In); got != c.in {
				t.Errorf("arguments %s\nwant      %s", got, c.in)
			}
			if got := labels("out", p.Out); got != c.out {
				t.Errorf("results %s\nwant    %s", got, c.out)
			}
			if got := strings.Join(p.Unused, " "); got != c.unused {
				t.Errorf("unused %s, want %s", got, c.unused)
			}
			if last := p.In[len(p.In)-1]; last.Tree != "[1]" || p.In[0].Tree != "[0]['b1']" {
				t.Errorf("the places %s and %s", p.In[0].Tree, last.Tree)
			}
		})
	}
}

func TestKey(t *testing.T) {
	for _, name := range []string{"params['layers'][0].w", "params/layers/0/w", "params.layers.0.w",
		`params["layers"][0]['w']`} {
		if got := model.Key(name); got != "params.layers.0.w" {
			t.Errorf("%s has the key %s", name, got)
		}
	}
}

const source = `module @m { func.func @main(%w: tensor<2xf32> loc("w"), %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %w, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
} }`

// bundle writes a bundle of torch_xla and returns its folder.
func bundle(t testing.TB, change func(meta map[string]any)) string {
	t.Helper()
	dir := t.TempDir()
	m, err := stablehlo.Parse("", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var code bytes.Buffer
	if err := portable.Write(&code, m, portable.WriteOptions{Version: stablehlo.Version{Major: 1}}); err != nil {
		t.Fatal(err)
	}
	signature := map[string]any{"shape": []int{2}, "dtype": "float32", "dynamic_dims": []int{}}
	meta := map[string]any{
		"name": "forward", "stablehlo_version": "0.0.0",
		"input_signature": []any{signature, signature}, "output_signature": []any{signature},
		"input_locations": []any{
			map[string]any{"type_": "parameter", "position": -1, "name": "layer.weight"},
			map[string]any{"type_": "input_arg", "position": 0, "name": ""},
		},
		"unused_inputs": []any{}, "input_pytree_spec": "[1]", "output_pytree_spec": "[1]",
	}
	if change != nil {
		change(meta)
	}
	text, err := json.Marshal(meta)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"functions/forward.bytecode": code.Bytes(), "functions/forward.meta": text,
		"data/layer.weight": []byte("an array"),
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestBundlesOfTorch(t *testing.T) {
	dir := bundle(t, nil)
	p, err := model.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := labels("arg", p.In); got != "layer.weight tensor<2xf32>, args[0] tensor<2xf32>" {
		t.Errorf("arguments %s", got)
	}
	if p.In[0].File != filepath.Join(dir, "data", "layer.weight") || p.In[1].File != "" {
		t.Errorf("the files are %q and %q", p.In[0].File, p.In[1].File)
	}
	for name, c := range map[string]struct {
		change func(map[string]any)
		want   string
	}{
		"inputs": {func(m map[string]any) { m["input_locations"] = []any{} },
			"describes 0 inputs, but the program takes 2"},
		"shape": {func(m map[string]any) { m["input_signature"].([]any)[1].(map[string]any)["shape"] = []int{3} },
			"not of one export"},
		"type": {func(m map[string]any) { m["input_signature"].([]any)[1].(map[string]any)["dtype"] = "int32" },
			"not of one export"},
		"results": {func(m map[string]any) { m["output_signature"] = []any{} },
			"describes 0 results, but the program returns 1"},
		"unknown": {func(m map[string]any) { m["input_locations"].([]any)[1].(map[string]any)["type_"] = "x" },
			`unknown source "x"`},
		"traverse": {func(m map[string]any) { m["input_locations"].([]any)[0].(map[string]any)["name"] = "../x" },
			"must be a file name"},
	} {
		if _, err := model.Open(t.Context(), bundle(t, c.change)); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

// TestForeignFilesAreNamed returns files that hold no program in a form that is read.
func TestForeignFilesAreNamed(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"HloModule jit_f\n\nENTRY main {}", "HLO text"},
		{"\x89HDF\r\n\x1a\n....", "HDF5"},
		{"\x93NUMPY\x01\x00", "array of NumPy"},
		{"PK\x03\x04\x14\x00archive/data.pkl", "checkpoint of PyTorch"},
		{"PK\x03\x04\x14\x00arr_0.npy", "zip archive"},
		{"\x1c\x00\x00\x00TFL3....", "TensorFlow Lite"},
		{"\x40\x00\x00\x00\x00\x00\x00\x00{\"w\":{}}", "safetensors"},
		{"\x20\x00\x00\x00\x1c\x00ML\xefR\x0dStableHLO_v1.15.0\x00", "a damaged part, of an export of JAX"},
		{"\x01\x02\x03\x00\x04", "binary format is not supported"},
		{"func.func @main() { %0 = stablehlo.constant dense_resource<__elided__> : tensor<2xf32> return }",
			"left out when it was printed"},
	} {
		_, err := model.Read(t.Context(), "file", []byte(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one with %q", c.data[:4], err, c.want)
		}
	}
}

// TestDamagedExports cuts an export at every byte and changes every byte.
func TestDamagedExports(t *testing.T) {
	data, err := os.ReadFile("testdata/polymorphic.jaxexport")
	if err != nil {
		t.Fatal(err)
	}
	step := 1
	if testing.Short() {
		step = 7
	}
	for n := 0; n < len(data); n += step {
		changed := bytes.Clone(data)
		changed[n] ^= 0xFF
		for _, b := range [][]byte{changed, data[:n]} {
			if p, err := model.Read(t.Context(), "x", b); err == nil {
				_ = p.Module.Verify()
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"polymorphic.jaxexport", "static.jaxexport"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := model.Read(t.Context(), "fuzz", data); err == nil {
			_ = p.Module.Verify()
		}
	})
}

// FuzzBundle changes the metadata of a bundle.
func FuzzBundle(f *testing.F) {
	dir := bundle(f, nil)
	name := filepath.Join(dir, "functions", "forward.meta")
	meta, err := os.ReadFile(name)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(meta)
	exported, err := os.ReadFile("../nxtests/load/testdata/exports/torch-mlp/model/functions/forward.meta")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(exported)
	f.Fuzz(func(t *testing.T, meta []byte) {
		if err := os.WriteFile(name, meta, 0o666); err != nil {
			t.Fatal(err)
		}
		p, err := model.Open(t.Context(), dir)
		if err != nil {
			if !strings.Contains(err.Error(), "forward.meta") {
				t.Errorf("the error does not name the file: %v", err)
			}
			return
		}
		for i := range p.In {
			if rel, err := filepath.Rel(dir, p.In[i].File); p.In[i].File != "" &&
				(err != nil || !filepath.IsLocal(rel)) {
				t.Errorf("input %d is the file %s, outside the bundle", i, p.In[i].File)
			}
		}
	})
}

func TestMatch(t *testing.T) {
	params := []model.Param{
		{Name: "p['layer']['w']", Tree: "[0]['layer']['w']"}, {Name: "p['layer']['b']", Tree: "[0]['layer']['b']"},
		{Name: "x", Tree: "[1]"}, {},
	}
	for _, c := range []struct {
		names  string
		at     []int
		unused string
	}{
		{"arg0 arg1 arg2 arg3", []int{0, 1, 2, 3}, ""},
		{"x p['layer']['b'] p['layer']['w'] arg3", []int{2, 1, 0, 3}, ""},
		{"p.layer.w p/layer/b x", []int{0, 1, 2, -1}, ""},
		{"layer.w layer.b y", []int{0, 1, -1, -1}, "y"},
		{"[1] arg2", []int{-1, -1, 1, -1}, "[1]"},
	} {
		at, unused := model.Match(params, "arg", strings.Fields(c.names))
		if !slices.Equal(at, c.at) || strings.Join(unused, " ") != c.unused {
			t.Errorf("%s: %v, unused %v, want %v, %q", c.names, at, unused, c.at, c.unused)
		}
	}
	if got := model.Nearest("layer.weigth", []string{"layer.weight", "layer.bias", "x"}); got != `"layer.weight"` {
		t.Errorf("the nearest is %s", got)
	}
}
