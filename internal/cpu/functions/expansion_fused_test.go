package functions

import (
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernel"
)

// The code of a fused expansion computes any operand: machine code calls it for the elements that bail out.
func TestFusedExpansionsComputeAll(t *testing.T) {
	for key, f := range listFused() {
		if f.expansion().BailOut != kernel.None {
			t.Errorf("%s %s of %s does not compute all operands", key.op, key.name, key.t)
		}
	}
}
