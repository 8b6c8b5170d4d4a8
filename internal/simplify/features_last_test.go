package simplify

import (
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

func TestFeaturesLast(t *testing.T) {
	golden(t, "testdata/features_last.txt", func(t *testing.T, _ string, f stablehlo.Func) bool {
		if err := FeaturesLast(f); err != nil {
			t.Error(err)
		}
		return true // convolutions and reductions may be summed in another order
	})
}
