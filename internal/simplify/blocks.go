package simplify

import (
	"github.com/go-nx/nx/internal/blocks"
	"github.com/go-nx/nx/stablehlo"
)

// Blocks writes calls of LAPACK and of its likes as blocks ([blocks.LowerCalls]). Blocks
// that keep does not hold for become what they decompose into.
func Blocks(m *stablehlo.Module, f stablehlo.Func, keep Keep, pause ...CheckCancel) error {
	for { // a call may have had to wait for the shapes of another's results
		found, err := blocks.LowerCalls(m, f)
		if err != nil || !found {
			return err
		}
		if err := InlineExcept(m, f, keep, pause...); err != nil {
			return err
		}
		if err := Refine(f, nil, pause...); err != nil {
			return err
		}
	}
}
