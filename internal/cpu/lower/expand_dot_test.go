package lower

import (
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

func TestExpandDots(t *testing.T) {
	golden(t, "testdata/expand_dot.txt", func(t *testing.T, _ string, f stablehlo.Func) bool {
		if err := ExpandDots(f, Vectors().Dots, func() {}); err != nil {
			t.Error(err)
		}
		return false
	})
}
