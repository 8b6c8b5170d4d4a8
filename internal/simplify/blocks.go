package simplify

import (
	"github.com/go-nx/nx/internal/blocks"
	"github.com/go-nx/nx/stablehlo"
)

// Blocks rewrites LAPACK and similar custom calls as blocks ([blocks.LowerCalls]). Blocks that keep
// rejects are replaced by their decompositions.
func Blocks(m *stablehlo.Module, f stablehlo.Func, keep Keep, checkCancel ...CheckCancel) error {
	for { // a call may wait for the result shapes of another
		found, err := blocks.LowerCalls(m, f)
		if err != nil || !found {
			return err
		}
		if err := InlineExcept(m, f, keep, checkCancel...); err != nil {
			return err
		}
		if err := Refine(f, nil, checkCancel...); err != nil {
			return err
		}
	}
}
