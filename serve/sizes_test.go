package serve_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/serve"
)

// TestSizes: requests of nearby lengths are one batch of a compiled size, each gets as much as it sent, and nothing is
// compiled once the model is ready.
func TestSizes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tagged.onnx")
	if err := os.WriteFile(path, testkit.TaggedModel(0, 1), 0o666); err != nil {
		t.Fatal(err)
	}
	r := serve.NewRepository()
	defer r.Close(t.Context())
	name, err := r.Declare(serve.Source{Path: path, Sizes: map[string][]int{"sequence": {16, 4}},
		Batch: []serve.Option{serve.Size(8), serve.Delay(1e9), quiet}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Load(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	m, err := r.Get(name, "")
	if err != nil {
		t.Fatal(err)
	}
	if s := m.Stats(); s.Warm != 8 { // 1, 2, 4 and 8 rows of 4 and 16
		t.Errorf("compiled for %d sizes", s.Warm)
	}
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			n := 5 + i
			x, tag := nx.Full(nx.Shape{1, n}, 2, nx.F32), nx.Full(nx.Shape{1, 1}, i, nx.F32)
			y, err := m.Do(t.Context(), []nx.Tensor{x, tag})
			if err != nil {
				t.Error(err)
				return
			}
			want := nx.Data[float32](nx.Full(nx.Shape{n}, 6+i, nx.F32))
			if got := nx.Data[float32](y[0]); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%d elements: %v", n, got)
			}
		})
	}
	wait.Wait()
	if s := m.Stats(); s.Batches != 1 || s.Cold != 0 {
		t.Errorf("%+v", s)
	}
	// A size beyond all is compiled, and counted.
	x, tag := nx.Ones(nx.Shape{8, 17}, nx.F32), nx.Ones(nx.Shape{8, 1}, nx.F32)
	if _, err := m.Do(t.Context(), []nx.Tensor{x, tag}); err != nil {
		t.Error(err)
	}
	if s := m.Stats(); s.Cold != 1 {
		t.Errorf("%+v", s)
	}
}
