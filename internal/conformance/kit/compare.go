package kit

import (
	"fmt"

	"github.com/go-nx/nx/internal/conformance"
	"github.com/go-nx/nx/stablehlo"
)

// Compare runs a program by an executor, and by the oracle, and returns an error where a result differs.
func Compare(by conformance.Executor, m *stablehlo.Module, args [][]byte) error {
	want, err := Run(Oracle, m, args)
	if err != nil {
		return fmt.Errorf("interp: %w", err)
	}
	got, err := Run(by, m, args)
	if err != nil {
		return err
	}
	for i, w := range want {
		if why := Differs(w, got[i].Data); why != "" {
			return fmt.Errorf("result %d: %s", i, why)
		}
	}
	return nil
}
