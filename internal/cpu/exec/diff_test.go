package exec

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/fuse"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// errUnsupported marks programs that need an op without code.
var errUnsupported = errors.New("unsupported")

// runCPU compiles and runs @main without its checks.
func runCPU(m *stablehlo.Module) ([][]byte, error) {
	m = m.Clone()
	f, ok := m.Func("main")
	if !ok || len(f.Args()) > 0 {
		return nil, errUnsupported
	}
	if err := simplify.Inline(m, f); err != nil {
		return nil, err
	}
	f.Body().SetOps(withoutChecks(f.Body().Ops))
	simplify.DeadCode(f.Body())
	for op := range f.Walk() {
		for _, r := range op.Results {
			if t := r.Tensor(); t != nil && !t.IsStatic() {
				return nil, errUnsupported
			}
		}
	}
	p, err := fuse.Build(f)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errUnsupported, err)
	}
	x, err := Compile(p, &rt.Env{})
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errUnsupported, err)
	}
	return x.Run(context.Background(), nil)
}

func withoutChecks(ops []*stablehlo.Op) []*stablehlo.Op {
	var out []*stablehlo.Op
	for _, op := range ops {
		if op.Code == stablehlo.OpCustomCall && len(op.Results) == 0 || strings.HasPrefix(op.Name(), "check.") {
			continue
		}
		out = append(out, op)
	}
	return out
}

// TestAgainstInterpreter compares the results of StableHLO's test programs
// with the interpreter's.
func TestAgainstInterpreter(t *testing.T) {
	dir := testkit.Shared(t, "conformance", "stablehlo", "testdata")
	files, err := filepath.Glob(filepath.Join(dir, "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	ran, unsupported := 0, 0
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := stablehlo.Parse(path, text)
		if err != nil {
			t.Error(err)
			continue
		}
		got, err := runCPU(m)
		if errors.Is(err, errUnsupported) {
			unsupported++
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
			continue
		}
		it, err := interp.New(m)
		if err != nil {
			t.Error(err)
			continue
		}
		want, err := it.Call(context.Background(), "main")
		if err != nil {
			continue // a check of the program's own fails, or is not the interpreter's
		}
		ran++
		for i, w := range want {
			if why := difference(w.(*interp.Tensor), got[i]); why != "" {
				t.Errorf("%s: result %d: %s", filepath.Base(path), i, why)
			}
		}
	}
	t.Logf("%d programs agree, %d need an op without code", ran, unsupported)
}

// difference says where results differ by more than rounding.
func difference(want *interp.Tensor, got []byte) string {
	d := want.Type.DType()
	if len(want.Data) != len(got) {
		return fmt.Sprintf("%d bytes, want %d", len(got), len(want.Data))
	}
	eps := 1e-5
	if d.Bits() <= 16 {
		eps = 1e-2
	}
	near := func(x, y float64) bool {
		return x == y || x != x && y != y || math.Abs(x-y) <= eps*(1+math.Abs(y))
	}
	for i := range len(got) / d.Size() {
		switch {
		case d.IsComplex():
			a, b := d.LoadComplex(got, i), d.LoadComplex(want.Data, i)
			if !near(real(a), real(b)) || !near(imag(a), imag(b)) {
				return fmt.Sprintf("element %d is %v, want %v", i, a, b)
			}
		case d.IsFloat():
			if a, b := d.LoadFloat(got, i), d.LoadFloat(want.Data, i); !near(a, b) {
				return fmt.Sprintf("element %d is %v, want %v", i, a, b)
			}
		default:
			if a, b := d.LoadInt(got, i), d.LoadInt(want.Data, i); a != b {
				return fmt.Sprintf("element %d is %v, want %v", i, a, b)
			}
		}
	}
	return ""
}
