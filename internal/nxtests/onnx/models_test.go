// Package onnx_test runs whole models of ONNX by nx.Load, and compares them with what ONNX Runtime computes.
package onnx_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-nx/nx"
)

var (
	models = flag.String("models", "", "the folder of recorded models, which .ci/models makes")
	only   = flag.String("model", "", "run only the models with this in their names")
)

// manifest is what the recording script writes of a model.
type manifest struct {
	Name, Note, File string
	Tolerance        float64
	// Share of the cases must be within the tolerance, and all within Largest: where a number is rounded to a whole one
	// and the difference decides to which, what follows differs by more.
	Share, Largest float64
}

// TestModels runs recorded models on their inputs.
func TestModels(t *testing.T) {
	if *models == "" {
		t.Skip("no recorded models: .ci/onnx records them, and runs this test with -models FOLDER")
	}
	dirs, err := filepath.Glob(filepath.Join(*models, "*", "manifest.json"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no model in %s (%v)", *models, err)
	}
	for _, path := range dirs {
		dir := filepath.Dir(path)
		if !strings.Contains(filepath.Base(dir), *only) {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) { runModel(t, dir) })
	}
}

func runModel(t *testing.T, dir string) {
	var m manifest
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	start := time.Now()
	model, err := nx.Load(ctx, filepath.Join(dir, m.File))
	if err != nil {
		t.Fatal(err)
	}
	loaded := time.Since(start)
	cases, err := filepath.Glob(filepath.Join(dir, "cases", "*.npz"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases (%v)", err)
	}
	var first, rest time.Duration
	worst, failed, apart := 0.0, 0, 0
	for i, path := range cases {
		var arrays map[string]nx.Tensor
		if err := nx.LoadTensors(path, &arrays); err != nil {
			t.Fatal(err)
		}
		ins := map[string]nx.Tensor{}
		for name, x := range arrays {
			if in, ok := strings.CutPrefix(name, "in "); ok {
				ins[in] = x
			}
		}
		start = time.Now()
		outs, err := model.CallNamed(ctx, ins)
		if err != nil {
			t.Fatalf("%s: %v", filepath.Base(path), err)
		}
		for _, o := range outs {
			nx.Data[float64](o)
		}
		took := time.Since(start)
		if i == 0 {
			first = took
		}
		rest = took
		for name, want := range arrays {
			out, ok := strings.CutPrefix(name, "out ")
			if !ok {
				continue
			}
			diff, err := difference(outs[out], want)
			worst = max(worst, diff)
			if err == nil && diff > m.Tolerance && diff <= m.Largest {
				apart++
			} else if err != nil || diff > m.Tolerance {
				failed++
				if failed <= 3 {
					t.Errorf("%s: %s: difference %.2g of %g: %v", filepath.Base(path), out, diff, m.Tolerance, err)
				}
			}
		}
	}
	if float64(apart) > (1-m.Share)*float64(len(cases)) {
		t.Errorf("%d results of %d cases differ by more than %g", apart, len(cases), m.Tolerance)
	}
	t.Logf("%d cases, %d results differ, largest difference %.2g; load %v, first call %v, last %v", len(cases), failed+apart,
		worst, loaded.Round(time.Microsecond), first.Round(time.Microsecond), rest.Round(time.Microsecond))
}

// difference is the largest difference of two tensors, relative to numbers above 1, or to ten times the largest one if
// all are small.
func difference(got, want nx.Tensor) (float64, error) {
	if got.IsZero() {
		return math.Inf(1), fmt.Errorf("there is no such result")
	}
	if got.DType() != want.DType() || fmt.Sprint(got.Shape()) != fmt.Sprint(want.Shape()) {
		return math.Inf(1), fmt.Errorf("got %v, want %v", got.Spec(), want.Spec())
	}
	g, w := nx.Data[float64](got), nx.Data[float64](want)
	largest := 0.0
	for _, v := range w {
		if !math.IsNaN(v) {
			largest = max(largest, math.Abs(v))
		}
	}
	unit := 1.0
	if largest > 0 && largest < 1e-3 {
		unit = 10 * largest
	}
	worst := 0.0
	for i := range w {
		if math.IsNaN(g[i]) && math.IsNaN(w[i]) || g[i] == w[i] {
			continue
		}
		if d := math.Abs(g[i]-w[i]) / max(unit, math.Abs(w[i])); !(d <= worst) {
			worst = d
		}
	}
	return worst, nil
}
