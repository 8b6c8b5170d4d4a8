package amd64_test

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/codetest"
	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// TestGuardsWithBailOut compiles a kernel with padding and strided results, and a function that may bail out: such
// kernels have no tiles of several rows.
func TestGuardsWithBailOut(t *testing.T) {
	k, err := kernel.Parse(`kernel k [7 1 63]
  over bool[471], f64[7], f64[882]
  %0 = const 0 : bool
  %1 = load p0[323; -63, 0, 1] where [-55; 0, 0, 1] < 28 else %0 : bool
  %2 = load p1[1, 0, 0] : f64
  %3 = sin %2 : f64
  %4 = select %1, %3, %2 : f64
  store p2[756; -126, 126, 1] = %4 : f64
`)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Verify(); err != nil {
		t.Fatal(err)
	}
	for _, w := range codetest.Widths(t) {
		g, err := amd64.Generator{Generator: fallbackTier, Width: w}.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		c, err := g.Compile(k, plan.Of(k))
		if err == nil {
			err = g.Seal()
		}
		if err != nil {
			t.Fatalf("%s: %v", w, err)
		}
		if why := c.Describe().Why; why != "" {
			t.Errorf("%s: compiled by the fallback tier: %s", w, why)
		}
	}
}
