package simplify

import (
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

func TestEqualOps(t *testing.T) {
	golden(t, "testdata/equal.txt", func(_ *testing.T, _ string, f stablehlo.Func) bool {
		Simplify(f)
		return false
	})
}
