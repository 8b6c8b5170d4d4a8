package functions

import (
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// The code of a fused expansion computes any operand: machine code calls it for the elements that bail out.
func TestFusedExpansionsComputeAll(t *testing.T) {
	count := 0
	for _, of := range []dtype.Type{dtype.F32, dtype.F64} {
		for op := kernel.Invalid + 1; op <= kernel.Call; op++ {
			for _, name := range []string{"", "chlo.cosh", "chlo.sinh", "chlo.atan"} {
				e := FusedOf(&kernel.Instr{Op: op, Func: name, Type: of})
				if e == nil {
					continue
				}
				count++
				if e.BailOut != kernel.None {
					t.Errorf("%s %s of %s does not compute all operands", op, name, of)
				}
			}
		}
	}
	if count < 17 {
		t.Errorf("%d expansions are fused, want at least 17", count)
	}
}
