package autodiff_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// corpusMeta is the part of a meta.json that the test reads.
type corpusMeta struct {
	GradTol map[string][2]float64 `json:"grad_tol"`
}

// TestCorpus compares gradients of programs that JAX exported with the recorded ones.
func TestCorpus(t *testing.T) {
	dir := testkit.Shared(t, "conformance", "jax")
	files, err := filepath.Glob(filepath.Join(dir, "*", "grad.npz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		t.Run(filepath.Base(filepath.Dir(f)), func(t *testing.T) {
			if err := checkGradient(t, filepath.Dir(f)); err != nil {
				t.Error(err)
			}
		})
	}
}

func checkGradient(t *testing.T, dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "program.mlir"))
	if err != nil {
		return err
	}
	m, err := stablehlo.Parse("program.mlir", text)
	if err != nil {
		return err
	}
	start := time.Now()
	g, positions, err := autodiff.Gradient(context.Background(), m, "main", nil)
	if err != nil {
		return err
	}
	t.Logf("differentiated in %v", time.Since(start))
	if err := g.Verify(); err != nil {
		return fmt.Errorf("the derivative does not verify: %w", err)
	}
	args, err := loadArgs(filepath.Join(dir, "in.npz"), g)
	if err != nil {
		return err
	}
	it, err := interp.New(g)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	results, err := it.Call(ctx, "main", args...)
	if err != nil {
		return err
	}
	return compareGradients(dir, positions, results)
}

// loadArgs reads the arguments of @main.
func loadArgs(file string, m *stablehlo.Module) ([]interp.Value, error) {
	z, err := npy.OpenZip(file)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	f, _ := m.Func("main")
	var args []interp.Value
	for i, a := range f.Args() {
		array, err := z.Array(fmt.Sprintf("arg%d", i))
		if err != nil {
			return nil, err
		}
		t, err := interp.NewTensor(a.Tensor(), array.Data)
		if err != nil {
			return nil, fmt.Errorf("arg%d: %w", i, err)
		}
		args = append(args, t)
	}
	return args, nil
}

func compareGradients(dir string, positions []int, results []interp.Value) error {
	var meta corpusMeta
	text, err := os.ReadFile(filepath.Join(dir, "meta.json"))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &meta); err != nil {
		return err
	}
	z, err := npy.OpenZip(filepath.Join(dir, "grad.npz"))
	if err != nil {
		return err
	}
	defer z.Close()
	if n := len(z.Names()); n != len(positions) {
		return fmt.Errorf("%d gradients, want %d", len(positions), n)
	}
	for k, i := range positions {
		name := fmt.Sprintf("grad%d", i)
		want, err := z.Array(name)
		if err != nil {
			return err
		}
		got := results[k].(*interp.Tensor)
		d := got.Type.DType()
		tol := meta.GradTol[name]
		for j := range want.NumItems() {
			w, g := want.DType.LoadFloat(want.Data, j), d.LoadFloat(got.Data, j)
			if !near(g, w, tol[0], tol[1]) {
				return fmt.Errorf("%s (%s): element %d is %g, want %g (rtol %g, atol %g)",
					name, got.Type, j, g, w, tol[0], tol[1])
			}
		}
	}
	return nil
}

func near(got, want, rtol, atol float64) bool {
	if math.IsNaN(got) || math.IsNaN(want) || math.IsInf(got, 0) || math.IsInf(want, 0) {
		return got == want || math.IsNaN(got) && math.IsNaN(want)
	}
	return math.Abs(got-want) <= atol+rtol*math.Abs(want)
}
