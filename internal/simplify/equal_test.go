package simplify

import (
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

func TestEqualOps(t *testing.T) {
	golden(t, "testdata/equal.txt", func(t *testing.T, _ string, f stablehlo.Func) bool {
		if err := Simplify(f); err != nil {
			t.Error(err)
		}
		return false
	})
}
