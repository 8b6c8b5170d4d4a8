package simplify

import (
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

func TestHoist(t *testing.T) {
	golden(t, "testdata/hoist.txt", func(_ *testing.T, _ string, f stablehlo.Func) bool {
		Hoist(f)
		return false
	})
}
