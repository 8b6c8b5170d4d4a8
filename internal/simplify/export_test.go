package simplify

import (
	"fmt"

	"github.com/go-nx/nx/stablehlo"
)

// SimplifyNear is [Simplify] that removes the operands of an op after the given number of ops is
// written after it. A rule that reads such an op panics, which is the error returned. The function
// is invalid afterwards.
func SimplifyNear(f stablehlo.Func, near int) (err error) {
	var s *simplifier
	s = newSimplifier(f, rules.Get(newRules), []CheckCancel{func() {
		if i := len(s.ops) - near; i >= 0 {
			s.ops[i].Operands = nil
		}
	}})
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("rule %s walks back over %d ops: %v", s.trying, near, r)
		}
	}()
	return s.run("simplify", f)
}
