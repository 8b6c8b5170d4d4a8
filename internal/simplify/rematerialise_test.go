package simplify

import (
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

func TestRematerialise(t *testing.T) {
	golden(t, "testdata/rematerialise.txt", func(t *testing.T, _ string, f stablehlo.Func) bool {
		if err := Rematerialise(f, 1, "nx.rematerialised"); err != nil {
			t.Error(err)
		}
		return false
	})
}
