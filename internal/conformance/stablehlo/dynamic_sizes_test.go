package stablehlo_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/conformance"
	"github.com/go-nx/nx/internal/conformance/kit"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// TestDynamicPrograms runs the programs of the corpus that have dynamic dimensions and no inputs, which are
// otherwise only verified, on synthetic inputs of two sizes each: compiled for the shapes of the call, with
// the given sizes, they return the interpreter's results.
func TestDynamicPrograms(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.Shared(t, "conformance", "stablehlo", "testdata"), "*.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	kit.EachOther(t, func(t *testing.T, e kit.Executor) {
		programs, runs := 0, 0
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			m, err := stablehlo.Parse(path, text)
			if err != nil {
				t.Fatal(err)
			}
			if f, ok := m.Func("main"); !ok || len(f.Args()) == 0 {
				continue
			}
			programs++
			t.Run(strings.TrimSuffix(filepath.Base(path), ".mlir"), func(t *testing.T) {
				for _, size := range []int64{3, 5} {
					runDynamic(t, e, m, size)
					runs++
				}
			})
		}
		t.Logf("%d runs of %d programs", runs, programs)
	})
}

// runDynamic compares a program with the interpreter, with one size for its dynamic dimensions and the scalars
// that hold them.
func runDynamic(t *testing.T, e kit.Executor, m *stablehlo.Module, size int64) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(size), 1))
	f, _ := m.Func("main")
	var args []interp.Value
	for _, a := range f.Args() {
		args = append(args, syntheticArgument(r, a.Tensor(), size))
	}
	it, err := conformance.Interp().Load(m)
	if err != nil {
		t.Fatal(err)
	}
	want, err := it.Call(context.Background(), "main", args...)
	if err != nil {
		t.Errorf("size %d: the interpreter: %v", size, err)
		return
	}
	p, err := e.Load(m)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Call(context.Background(), "main", args...)
	if err != nil {
		t.Errorf("size %d: %v", size, err)
		return
	}
	for i := range want {
		a, b := got[i].(*interp.Tensor), want[i].(*interp.Tensor)
		if a.Type.String() != b.Type.String() {
			t.Errorf("size %d: result %d is of type %s, not %s", size, i, a.Type, b.Type)
			continue
		}
		if err := nearEnough(a.Type.DType(), a.Data, b.Data, 1e-4); err != nil {
			t.Errorf("size %d: result %d: %v", size, i, err)
		}
	}
}

// syntheticArgument returns numbers around 1, small integers, or the size for a scalar
// integer.
func syntheticArgument(r *rand.Rand, t *stablehlo.TensorType, size int64) *interp.Tensor {
	dims := make([]int64, t.Rank())
	for i, d := range t.Dims {
		if dims[i] = d; d == stablehlo.Dynamic {
			dims[i] = size
		}
	}
	t = t.WithDims(dims...)
	n, _ := t.NumElems()
	d := t.DType()
	x := &interp.Tensor{Type: t, Data: make([]byte, int(n)*d.Size())}
	for i := range int(n) {
		switch {
		case d.IsComplex():
			d.StoreComplex(x.Data, i, complex(r.Float64()+0.5, r.Float64()-0.5))
		case d.IsFloat():
			d.StoreFloat(x.Data, i, r.Float64()+0.5)
		case t.Rank() == 0:
			d.StoreInt(x.Data, i, size)
		default:
			d.StoreInt(x.Data, i, r.Int64N(2))
		}
	}
	return x
}
