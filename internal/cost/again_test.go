package cost_test

import (
	"testing"

	"github.com/go-nx/nx/internal/cost"
	"github.com/go-nx/nx/stablehlo"
)

// TestAgain: an op that may be computed again is either elementwise or changes indices only.
func TestAgain(t *testing.T) {
	found := map[cost.Again]int{}
	for code, info := range stablehlo.Ops() {
		a := cost.AgainOf(code)
		if a == cost.Never {
			continue
		}
		found[a]++
		elementwise := info.Traits&stablehlo.Elementwise != 0 || code == stablehlo.OpSelect ||
			code == stablehlo.OpClamp
		if (a == cost.Free) == elementwise {
			t.Errorf("%s: elementwise %v, computed again as %d", info.Name, elementwise, a)
		}
	}
	for _, a := range []cost.Again{cost.Free, cost.Quick, cost.Slow} {
		if found[a] == 0 {
			t.Errorf("no op is of kind %d", a)
		}
	}
}
