package onnx_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx"
)

var gradients = flag.String("gradients", "", "the folder of recorded gradients, which .ci/models makes")

// TestGradients differentiates models by their weights, and compares with PyTorch.
func TestGradients(t *testing.T) {
	if *gradients == "" {
		t.Skip("no recorded gradients: .ci/onnx records them, and runs this test with -gradients FOLDER")
	}
	files, err := filepath.Glob(filepath.Join(*gradients, "*.onnx"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no model in %s (%v)", *gradients, err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".onnx"), func(t *testing.T) { compareGradients(t, path) })
	}
}

func compareGradients(t *testing.T, path string) {
	ctx := context.Background()
	m, err := nx.Load(ctx, path, nx.FreeWeights())
	if err != nil {
		t.Fatal(err)
	}
	weights, err := m.Weights()
	if err != nil {
		t.Fatal(err)
	}
	data := strings.TrimSuffix(path, ".onnx") + ".npz"
	if _, err := os.Stat(data); err != nil {
		t.Fatal(err)
	}
	var arrays map[string]nx.Tensor
	if err := nx.LoadTensors(data, &arrays); err != nil {
		t.Fatal(err)
	}
	first := m.Outputs()[0].Name
	grads := nx.Jit(nx.Grad(func(w map[string]nx.Tensor) nx.Tensor {
		args := map[string]nx.Tensor{}
		for name, x := range w {
			args[name] = x
		}
		for name, x := range arrays {
			if in, ok := strings.CutPrefix(name, "in "); ok {
				args[in] = x
			}
		}
		outs, err := m.CallNamed(ctx, args)
		if err != nil {
			panic(err)
		}
		return nx.Sum(nx.Mul(outs[first], arrays["cot"]))
	}))(weights)
	// The gradient of a bias of keys is 0 but for rounding: softmax does not see it.
	largest := 0.0
	for name, x := range arrays {
		if strings.HasPrefix(name, "grad ") {
			largest = max(largest, nx.Item[float64](nx.Max(nx.Abs(x))))
		}
	}
	compared, worst := 0, 0.0
	for name, want := range arrays {
		w, ok := strings.CutPrefix(name, "grad ")
		if !ok {
			continue
		}
		got, ok := grads[w]
		if !ok {
			continue // the exporter has joined or renamed it
		}
		compared++
		d, err := difference(got, want)
		if scale := nx.Item[float64](nx.Max(nx.Abs(want))); scale < 1e-4*largest {
			d *= scale / (1e-4 * largest)
		}
		worst = max(worst, d)
		if err != nil || d > 1e-3 {
			t.Errorf("%s: difference %.2g: %v", w, d, err)
		}
	}
	if compared < 4 {
		t.Errorf("only %d gradients have names of weights: %v", compared, m)
	}
	t.Logf("%d gradients, largest difference %.2g", compared, worst)
}
