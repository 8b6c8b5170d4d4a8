package tensors_test

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/testkit"
)

// TestLoadGGUF: blocks and numbers of a GGUF file are loaded as the reference decodes them, and a type that cannot be
// decoded is an error where it is read.
func TestLoadGGUF(t *testing.T) {
	dir := testkit.Root(t, "encoding", "gguf", "testdata")
	file := filepath.Join(dir, "types.gguf")
	var all, got, want map[string]nx.Tensor
	err := nx.LoadTensors(file, &all)
	if err == nil || !strings.Contains(err.Error(), `tensor "other" is of the type Q2_K`) {
		t.Errorf("an unknown type: %v", err)
	}
	if err := nx.LoadTensors(file, &got, nx.RenameArrays(func(name string) string {
		if name == "other" {
			return ""
		}
		return name
	})); err != nil {
		t.Fatal(err)
	}
	if err := nx.LoadTensors(filepath.Join(dir, "types.safetensors"), &want); err != nil {
		t.Fatal(err)
	}
	for name, dtype := range map[string]nx.DType{"F32": nx.F32, "F16": nx.F16, "BF16": nx.BF16, "Q8_0": nx.F32,
		"Q4_0": nx.F32, "int16": nx.S16, "float64": nx.F64} {
		x := got[name]
		if x.IsZero() || x.DType() != dtype || !reflect.DeepEqual(nx.Data[float64](x), nx.Data[float64](want[name])) {
			t.Errorf("%s: got %v, want %v", name, x, want[name])
		}
	}
}
