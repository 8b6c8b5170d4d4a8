package stablehlo_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/internal/conformance"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/internal/vmap"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

var batchAll = flag.Bool("batch-all", false, "batch all programs of JAX, not every eighth")

// TestBatchedPrograms batches programs that JAX exported, over all arguments and over
// every second one, and compares with the program run for each element. An element has
// the recorded arguments, floats a little larger in every further one.
func TestBatchedPrograms(t *testing.T) {
	dir := testkit.Shared(t, "conformance", "jax")
	folders, err := filepath.Glob(filepath.Join(dir, "*", "program.mlir"))
	if err != nil || len(folders) == 0 {
		t.Fatal("there are no programs", err)
	}
	with := conformance.Compiled(cpu.New(2))
	for i, file := range folders {
		if i%8 != 0 && !*batchAll {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			m, args, tolerance := readCase(t, file)
			for step := 1; step <= 2; step++ {
				if step == 2 && len(args) < 2 {
					break
				}
				batchCase(t, with, m, args, step, tolerance)
			}
		})
	}
}

// readCase reads a program, its arguments, and how much its results may be off.
func readCase(t *testing.T, file string) (*stablehlo.Module, [][]byte, float64) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := stablehlo.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	var meta struct{ Rtol, Atol float64 }
	about, err := os.ReadFile(filepath.Join(filepath.Dir(file), "meta.json"))
	if err == nil {
		err = json.Unmarshal(about, &meta)
	}
	if err != nil {
		t.Fatal(err)
	}
	z, err := npy.OpenZip(filepath.Join(filepath.Dir(file), "in.npz"))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := m.Func("main")
	args := make([][]byte, len(f.Args()))
	for i := range args {
		a, err := z.Array(fmt.Sprintf("arg%d", i))
		if err != nil {
			t.Fatal(err)
		}
		args[i] = a.Data
	}
	return m, args, max(meta.Rtol, meta.Atol)
}

// batchCase batches every step-th argument.
func batchCase(t *testing.T, with conformance.Executor, m *stablehlo.Module, args [][]byte, step int,
	tolerance float64) {
	t.Helper()
	const size = 3
	f, _ := m.Func("main")
	in, out := make([]int, len(args)), make([]int, len(f.Type().Outs))
	batched := make([][]byte, len(args))
	elements := make([][][]byte, size)
	for i, a := range f.Args() {
		if in[i] = vmap.Shared; i%step == 0 {
			in[i] = 0
		}
		for k := range elements {
			e := args[i]
			if in[i] == 0 {
				e = larger(a.Tensor().DType(), args[i], k)
				batched[i] = append(batched[i], e...)
			} else {
				batched[i] = args[i]
			}
			elements[k] = append(elements[k], e)
		}
	}
	b, err := vmap.Batch(m, "main", size, in, out)
	if err != nil {
		t.Fatal(err)
	}
	got := callAll(t, with, b, batched)
	var want [][][]byte
	for _, e := range elements {
		want = append(want, callAll(t, with, m, e))
	}
	for i, typ := range f.Type().Outs {
		d := stablehlo.DType(typ)
		for k := range want {
			n := len(want[k][i])
			if err := nearEnough(d, got[i][k*n:(k+1)*n], want[k][i], tolerance); err != nil {
				t.Errorf("every %d. argument batched: result %d of element %d: %v", step, i, k, err)
			}
		}
	}
}

// larger returns elements a little larger.
func larger(d dtype.Type, data []byte, k int) []byte {
	out := append([]byte(nil), data...)
	if d.IsFloat() {
		for i := range len(data) / d.Size() {
			d.StoreFloat(out, i, d.LoadFloat(data, i)*(1+float64(k)/64))
		}
	}
	return out
}

func callAll(t *testing.T, with conformance.Executor, m *stablehlo.Module, args [][]byte) [][]byte {
	t.Helper()
	p, err := with.Load(m)
	if err != nil {
		t.Fatal(err)
	}
	f, _ := m.Func("main")
	in := make([]interp.Value, len(args))
	for i, a := range f.Args() {
		if in[i], err = interp.NewTensor(a.Tensor(), args[i]); err != nil {
			t.Fatal(err)
		}
	}
	results, err := p.Call(context.Background(), "main", in...)
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]byte, len(results))
	for i, r := range results {
		out[i] = r.(*interp.Tensor).Data
	}
	return out
}

// nearEnough compares floats relative to the largest in a result: sums may be in another
// order in a batch.
func nearEnough(d dtype.Type, got, want []byte, tolerance float64) error {
	value := func(b []byte, i int) complex128 {
		switch {
		case d.IsComplex():
			return d.LoadComplex(b, i)
		case d.IsFloat():
			return complex(d.LoadFloat(b, i), 0)
		}
		return complex(float64(d.LoadInt(b, i)), 0)
	}
	abs := func(c complex128) float64 { return math.Hypot(real(c), imag(c)) }
	if !d.IsFloat() && !d.IsComplex() {
		tolerance = 0
	}
	largest := 0.0
	for i := range len(want) / d.Size() {
		if a := abs(value(want, i)); a > largest && !math.IsInf(a, 0) {
			largest = a
		}
	}
	for i := range len(want) / d.Size() {
		g, w := value(got, i), value(want, i)
		bothNaN := math.IsNaN(abs(g)) && math.IsNaN(abs(w))
		if g != w && !bothNaN && !(abs(g-w) <= 4*tolerance*max(1, largest)) {
			return fmt.Errorf("element %d is %v, want %v", i, g, w)
		}
	}
	return nil
}
