package lower

import (
	"testing"

	"github.com/go-nx/nx/internal/simplify"
	"github.com/go-nx/nx/internal/testkit/rewrites"
	"github.com/go-nx/nx/stablehlo"
)

// golden is [rewrites.Golden] of @main after transform, with dead code removed.
func golden(t *testing.T, file string, transform func(t *testing.T, name string, f stablehlo.Func) (sums bool)) {
	rewrites.Golden(t, file, func(t *testing.T, name string, f stablehlo.Func) bool {
		sums := transform(t, name, f)
		simplify.DeadCode(f.Body(), f.Effects())
		return sums
	})
}
