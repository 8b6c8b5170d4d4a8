package simplify

import (
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

func TestRecompute(t *testing.T) {
	golden(t, "testdata/recompute.txt", func(_ *testing.T, _ string, f stablehlo.Func) bool {
		Recompute(f, 1)
		return false
	})
}
