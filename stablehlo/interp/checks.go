package interp

import (
	"github.com/go-nx/nx/internal/checks"
	"github.com/go-nx/nx/stablehlo"
)

// check makes the comparison of a check op or custom call.
func check(op *stablehlo.Op, got, want *Tensor) error {
	if err := checks.Of(op)(checks.Tensor(*got), checks.Tensor(*want)); err != nil {
		return faultf(CheckFailed, "%v", err)
	}
	return nil
}

func evalExpect(_ *frame, s *step, args []Value) ([]Value, error) {
	return nil, check(s.op, args[0].(*Tensor), args[1].(*Tensor))
}

// evalExpectConst finds the expected value in an attribute.
func evalExpectConst(_ *frame, s *step, args []Value) ([]Value, error) {
	a, ok := s.op.Attr("value").(*stablehlo.ElementsAttr)
	if !ok {
		return nil, faultf(Unsupported, "a check without an elements attribute")
	}
	want, err := fromElements(a, s.op.Operands[0].Tensor())
	if err != nil {
		return nil, err
	}
	return nil, check(s.op, args[0].(*Tensor), want)
}
