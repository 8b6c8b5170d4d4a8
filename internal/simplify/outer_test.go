package simplify

import (
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

func TestOuter(t *testing.T) {
	golden(t, "testdata/outer.txt", func(_ *testing.T, _ string, f stablehlo.Func) bool {
		Outer(f)
		return false
	})
}
