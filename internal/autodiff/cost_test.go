package autodiff_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
)

// maxGrowth is the maximum ratio of the ops of a gradient, including the program, to those of the
// program, before simplification. Each atan2 has an additional allowance: it selects the larger
// operand to avoid the overflow of squares. The parts of a complex 1/(y+ix) are fewer ops but
// slower.
const (
	maxGrowth    = 5
	moreForAtan2 = 2
)

// TestGradientGrowth counts the ops of gradients: of long chains, which would show superlinear
// growth, and of the programs of the corpus that JAX exported.
func TestGradientGrowth(t *testing.T) {
	for _, n := range []int{20, 200, 2000} {
		growth(t, fmt.Sprintf("a chain of %d", n), chain(t, n))
	}
	var files []string
	for _, corpus := range []string{"jax", "jax-linalg"} {
		found, err := filepath.Glob(filepath.Join(testkit.Shared(t, "conformance", corpus), "*", "*.mlir"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := stablehlo.Parse(path, text)
		if err != nil {
			t.Fatal(err)
		}
		growth(t, filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), m)
	}
}

// chain returns a program of n ops, each on the results of those before it.
func chain(t *testing.T, n int) *stablehlo.Module {
	var b strings.Builder
	b.WriteString(
		"func.func @main(%x: tensor<8xf32>, %w: tensor<8x8xf32>) -> tensor<8xf32> {\n  %v0 = stablehlo.negate %x : tensor<8xf32>\n")
	for i := 1; i < n; i++ {
		switch last := fmt.Sprintf("%%v%d", i-1); i % 5 {
		case 0:
			fmt.Fprintf(&b, "  %%v%d = stablehlo.tanh %s : tensor<8xf32>\n", i, last)
		case 1:
			fmt.Fprintf(&b, "  %%v%d = stablehlo.multiply %s, %s : tensor<8xf32>\n", i, last, last)
		case 2:
			fmt.Fprintf(&b, "  %%v%d = stablehlo.add %s, %%x : tensor<8xf32>\n", i, last)
		case 3:
			fmt.Fprintf(&b,
				"  %%v%d = stablehlo.dot_general %%w, %s, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8xf32>\n", i, last)
		default:
			fmt.Fprintf(&b, "  %%v%d = stablehlo.sine %s : tensor<8xf32>\n", i, last)
		}
	}
	fmt.Fprintf(&b, "  return %%v%d : tensor<8xf32>\n}", n-1)
	m, err := stablehlo.Parse("chain", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// growth compares the ops of a program, with its calls, including those of LAPACK, and compositions
// expanded, with those of its gradient.
func growth(t *testing.T, name string, m *stablehlo.Module) {
	g, _, err := autodiff.Gradient(context.Background(), m, "main", nil)
	if err != nil {
		return // the tests of the corpus report which have one
	}
	plain := m.Clone()
	f, _ := plain.Func("main")
	if err := simplify.Inline(plain, f); err != nil {
		t.Fatal(err)
	}
	if err := simplify.Blocks(plain, f, nil); err != nil {
		t.Fatal(err)
	}
	before, after := count(f), 0
	for f := range g.Funcs() {
		after += count(f)
	}
	most := maxGrowth * before
	for op := range f.Walk() {
		if op.Code == stablehlo.OpAtan2 {
			most += moreForAtan2
		}
	}
	if t.Logf("%s: %d ops, %d with the gradient: %.2f times", name, before, after,
		float64(after)/float64(before)); after > most {
		t.Errorf("%s: %d ops, and %d with the gradient, where %d are expected", name, before, after, most)
	}
}

func count(f stablehlo.Func) int {
	n := 0
	for range f.Walk() {
		n++
	}
	return n
}
