package simplify

import (
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

func TestRecompute(t *testing.T) {
	golden(t, "testdata/recompute.txt", func(t *testing.T, _ string, f stablehlo.Func) bool {
		if err := Recompute(f, 1); err != nil {
			t.Error(err)
		}
		return false
	})
}
