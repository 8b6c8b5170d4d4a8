package load_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/go-nx/nx/debug"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/encoding/safetensors"
	"github.com/go-nx/nx/internal/mapped"
)

// TestLoadMapsWeights binds weights from files that are mapped, not read: their elements take no
// memory of the heap, and stay when the file is removed from its folder.
func TestLoadMapsWeights(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	const n = 4 << 20 // 16 MiB
	data := make([]byte, 4*n)
	copy(data, nx.Bytes(nx.New([]float32{1, 2, 3})))
	info := safetensors.Info{Name: "w", DType: nx.F32, Shape: []int{n}}
	if err := safetensors.WriteFile(path("w.safetensors"), []safetensors.Tensor{{Info: info, Data: data}},
		nil); err != nil {
		t.Fatal(err)
	}
	if err := npy.WriteFile(path("w.npy"), npy.New(nx.F32, []int{n}, data)); err != nil {
		t.Fatal(err)
	}
	// The elements of four names in a row begin at four places of a multiple of four.
	files := []string{"w.safetensors", "w.npy"}
	for _, name := range []string{"w", "ww", "www", "wwww"} {
		if err := npy.WriteZipFile(path(name+".npz"),
			[]npy.Entry{{Name: name, Array: npy.New(nx.F32, []int{n}, data)}}); err != nil {
			t.Fatal(err)
		}
		files = append(files, name+".npz")
	}
	clear(data)
	data = nil
	if _, err := mapped.Open(path("w.safetensors")); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("skipped: files cannot be mapped here")
	}
	program := writeText(t,
		"first.mlir", `func.func @main(%w: tensor<?xf32> loc("w"), %x: tensor<3xf32> loc("x")) -> tensor<3xf32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.dynamic_slice %w, %0, sizes = [3] : (tensor<?xf32>, tensor<i32>) -> tensor<3xf32>
  %2 = stablehlo.add %1, %x : tensor<3xf32>
  return %2 : tensor<3xf32>
}`)
	heap := func() int64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return int64(s.HeapAlloc) + debug.LiveBytes()
	}
	mappedFiles := 0
	for _, file := range files {
		before := heap()
		name := file[:len(file)-len(filepath.Ext(file))]
		m, err := nx.Load(context.Background(), program, nx.Weights(path(file)),
			nx.WeightNames(map[string]string{"w": name}))
		if err != nil {
			t.Fatal(err)
		}
		grown := heap() - before
		if err := os.Remove(path(file)); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		out, err := m.Call(t.Context(), nx.New([]float32{10, 10, 10}))
		if err != nil {
			t.Fatal(err)
		}
		if got := nx.Data[float32](out[0]); got[0] != 11 || got[2] != 13 {
			t.Errorf("%s: %v", file, got)
		}
		runtime.KeepAlive(m)
		switch small := grown < 4<<20; {
		case small:
			mappedFiles++
		case filepath.Ext(file) != ".npz" || mapped.AnyAddress:
			t.Errorf("%s: loading 16 MiB of weights took %d KiB", file, grown>>10)
		}
	}
	if mappedFiles < 3 {
		t.Error("no stored array of an archive was mapped")
	}
}
