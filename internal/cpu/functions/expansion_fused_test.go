package functions

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernel"
)

// Code of a fused expansion computes any operand: what machine code leaves to plain Go calls it.
func TestFusedExpansionsTakeAll(t *testing.T) {
	for key, e := range fused {
		if e.BailOut != kernel.None {
			t.Errorf("%s %s of %s is not for all operands", key.op, key.name, key.t)
		}
	}
}
