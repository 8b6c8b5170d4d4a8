package load_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

const exportOfJAX = "testdata/exports/mlp-0.10.2/mlp-0.10.2.jaxexport"

// TestLoadDamagedPrograms loads artifacts that are cut or changed: an error that names
// the file, or a program.
func TestLoadDamagedPrograms(t *testing.T) {
	data, err := os.ReadFile(exportOfJAX)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "damaged.jaxexport")
	try := func(what string, data []byte, mayLoad bool) {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		switch _, err := nx.Load(context.Background(), path); {
		case err == nil && !mayLoad:
			t.Errorf("%s is loaded", what)
		case err != nil && !strings.Contains(err.Error(), "damaged.jaxexport"):
			t.Errorf("%s: the error does not name the file: %v", what, err)
		}
	}
	for n := 0; n < len(data); n += 41 {
		try("a part", data[:n], n > len(data)*9/10) // the end holds the trees, of which some may be missing
		changed := bytes.Clone(data)
		changed[n] ^= 0x55
		try("a changed one", changed, true)
	}
}

func TestLoadFutureVersion(t *testing.T) {
	m, err := stablehlo.Parse("",
		[]byte(`func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }`))
	if err != nil {
		t.Fatal(err)
	}
	var code bytes.Buffer
	if err := portable.Write(&code, m, portable.WriteOptions{Version: stablehlo.Version{Major: 1}}); err != nil {
		t.Fatal(err)
	}
	future := bytes.Replace(code.Bytes(), []byte("StableHLO_v1."), []byte("StableHLO_v9."), 1)
	if bytes.Equal(future, code.Bytes()) {
		t.Fatal("the artifact does not tell its version")
	}
	future = bytes.Replace(future, []byte("return_v1"), []byte("return_v7"), 1)
	path := writeText(t, "future.bc", string(future))
	if _, err := nx.Load(context.Background(), path); err == nil || !strings.Contains(err.Error(), "9.0.0") ||
		!strings.Contains(err.Error(), "future.bc") {
		t.Errorf("error %v", err)
	}
}

// safetensorsFile writes a file of a header and data.
func safetensorsFile(t *testing.T, header, data string) string {
	t.Helper()
	return writeText(t, "bad.safetensors", string(binary.LittleEndian.AppendUint64(nil, uint64(len(header))))+header+
		data)
}

func TestLoadBadWeights(t *testing.T) {
	program := writeText(t, "dense.mlir", dense)
	const w = `"w":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]}`
	for name, c := range map[string]struct{ header, data, want string }{
		"overlap": {"{" + w + `,"b":{"dtype":"F32","shape":[2],"data_offsets":[20,28]}}`, strings.Repeat("x", 28),
			`"b" starts at byte 20`},
		"backwards": {`{"b":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}`, strings.Repeat("x", 8),
			"bad.safetensors"},
		"cyclic": {
			`{"b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]},"w":{"dtype":"F32","shape":[2],"data_offsets":[16,8]}}`,
			strings.Repeat("x", 16), "bad.safetensors"},
		"twice": {"{" + w + "," + w + "}", strings.Repeat("x", 24), `the name "w" occurs twice`},
		"cut":   {"{" + w + "}", "xxxx", "the tensors have 24 bytes, the file has 4"},
		"endless": {`{"w":{"dtype":"F32","shape":[9223372036854775807,4],"data_offsets":[0,16]}}`,
			strings.Repeat("x", 16),
			"bad.safetensors"},
		"another": {`{"decoder.w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, strings.Repeat("x", 8),
			`has no argument "decoder.w"`},
	} {
		file := safetensorsFile(t, c.header, c.data)
		_, err := nx.Load(context.Background(), program, nx.Weights(file))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

// TestLoadWithoutNames gives weights by name to a program that has none.
func TestLoadWithoutNames(t *testing.T) {
	program := writeText(t, "plain.mlir", `func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  return %arg0 : tensor<2xf32>
}`)
	file := safetensorsFile(t, `{"layer.w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, "xxxxxxxx")
	_, err := nx.Load(context.Background(), program, nx.Weights(file))
	if err == nil || !strings.Contains(err.Error(), "as_text(debug_info=True)") ||
		!strings.Contains(err.Error(), "plain.mlir: the program holds no names") {
		t.Errorf("error %v", err)
	}
	many := safetensorsFile(t, `{"arg0":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},`+
		`"arg1":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}}`, strings.Repeat("x", 16))
	_, err = nx.Load(context.Background(), program, nx.Weights(many))
	if err == nil || strings.Contains(err.Error(), "holds no names") {
		t.Errorf("one array too many: %v", err)
	}
}

// TestLoadBundleThatDisagrees changes an export of torch_xla.
func TestLoadBundleThatDisagrees(t *testing.T) {
	const export = "testdata/exports/torch-mlp/model"
	for name, c := range map[string]struct {
		file, old, new, want string
	}{
		"shape":   {"functions/forward.meta", `"shape": [4, 6]`, `"shape": [4, 7]`, "the files are not of one export"},
		"type":    {"functions/forward.meta", `"float32"`, `"float64"`, "the files are not of one export"},
		"place":   {"functions/forward.meta", `"parameter"`, `"elsewhere"`, `unknown source "elsewhere"`},
		"json":    {"functions/forward.meta", `"name": "forward"`, `"name": `, "forward.meta"},
		"weights": {"data/0.weight", "(8, 6)", "(6, 8)", "0.weight is f32[6][8]"},
		"program": {"functions/forward.bytecode", "ML\xef", "ML\xff", "forward.bytecode"},
	} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(export)); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, filepath.FromSlash(c.file))
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Replace(data, []byte(c.old), []byte(c.new), 1)
		if bytes.Equal(changed, data) {
			t.Fatalf("%s: %s has no %q", name, c.file, c.old)
		}
		if err := os.WriteFile(file, changed, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := nx.Load(context.Background(), dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}
