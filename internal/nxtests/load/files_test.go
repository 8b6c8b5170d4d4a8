package load_test

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/encoding/safetensors"
)

// readOnly is a file system that counts what is opened.
type readOnly struct {
	fs.FS
	opened map[string]int
}

func (r readOnly) Open(name string) (fs.File, error) {
	r.opened[name]++
	return r.FS.Open(name)
}

// TestLoadFiles: models of each form, with their weights, compute the same from a file system as from a folder, whether
// its files can be mapped or not.
func TestLoadFiles(t *testing.T) {
	text := t.TempDir()
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(text, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("double.mlir", []byte(`func.func @main(%w: tensor<3xf32> loc("w"), %x: tensor<3xf32> loc("x")) -> tensor<3xf32> {
  %1 = stablehlo.multiply %w, %x : tensor<3xf32>
  return %1 : tensor<3xf32>
}`))
	if err := safetensors.WriteFile(filepath.Join(text, "part.safetensors"), []safetensors.Tensor{{
		Info: safetensors.Info{Name: "w", DType: nx.F32, Shape: []int{3}},
		Data: nx.Bytes(nx.New([]float32{1, 2, 3}))}}, nil); err != nil {
		t.Fatal(err)
	}
	write("model.safetensors.index.json", []byte(`{"weight_map":{"w":"part.safetensors"}}`))
	for _, c := range []struct {
		dir, program, weights string
		opened                string // besides the program
	}{
		{text, "double.mlir", "model.safetensors.index.json", "part.safetensors"},
		{text, "double.mlir", "part.safetensors", "part.safetensors"},
		{"testdata/exports/keras-dense", "keras-dense.jaxexport", "weights.safetensors", "weights.safetensors"},
		{"testdata/exports/torch-mlp", "model", "", "model/functions/forward.meta"},
		{"../onnx/testdata", "classifier.onnx", "", "classifier.onnx"},
	} {
		var want string
		memory := fstest.MapFS{}
		err := fs.WalkDir(os.DirFS(c.dir), ".", func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				var data []byte
				data, err = os.ReadFile(filepath.Join(c.dir, filepath.FromSlash(name)))
				memory["below/"+name] = &fstest.MapFile{Data: data}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		counted := readOnly{memory, map[string]int{}}
		for i, o := range []struct {
			dir  string
			fsys fs.FS
		}{{c.dir, nil}, {".", os.DirFS(c.dir)}, {"below", counted}} {
			var opts []nx.LoadOption
			if c.weights != "" {
				opts = append(opts, nx.Weights(path.Join(o.dir, c.weights)))
			}
			if o.fsys != nil {
				opts = append(opts, nx.Files(o.fsys))
			}
			m, err := nx.Load(context.Background(), path.Join(o.dir, c.program), opts...)
			if err != nil {
				t.Errorf("%s, %d: %v", c.program, i, err)
				continue
			}
			var inputs []nx.Tensor
			for _, p := range m.Inputs() {
				shape := p.Shape
				if len(shape) > 0 && shape[0] < 0 {
					shape[0] = 2
				}
				inputs = append(inputs, nx.Full(shape, 1.5, p.DType))
			}
			out, err := m.Call(context.Background(), inputs...)
			if err != nil {
				t.Errorf("%s, %d: %v", c.program, i, err)
				continue
			}
			if got := nx.Bytes(out[0]); i == 0 {
				want = string(got)
			} else if string(got) != want {
				t.Errorf("%s, %d: %v", c.program, i, out[0])
			}
		}
		if counted.opened["below/"+c.opened] == 0 {
			t.Errorf("%s: %s was not opened: %v", c.program, c.opened, counted.opened)
		}
	}
	if _, err := nx.Load(context.Background(), "none.onnx", nx.Files(fstest.MapFS{})); err == nil ||
		!strings.Contains(err.Error(), "none.onnx") {
		t.Errorf("a file that is not there: %v", err)
	}
	below := nx.Files(os.DirFS("../onnx/testdata"))
	if _, err := nx.Load(context.Background(), "../classifier.onnx", below); err == nil {
		t.Error("a name that leaves the file system was opened")
	}
}
