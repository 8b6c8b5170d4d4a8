package simplify

import (
	"testing"

	"github.com/go-nx/nx/internal/testkit/rewrites"
	"github.com/go-nx/nx/stablehlo"
)

func TestFold(t *testing.T) {
	golden(t, "testdata/fold.txt", func(t *testing.T, _ string, f stablehlo.Func) bool {
		if err := Fold(f, rewrites.Evaluate); err != nil {
			t.Fatal(err)
		}
		return false
	})
}
