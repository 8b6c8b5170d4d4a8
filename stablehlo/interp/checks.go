package interp

import (
	"context"

	"github.com/go-nx/nx/internal/checks"
	"github.com/go-nx/nx/stablehlo"
)

// check makes the comparison of a check op or custom call.
func check(ctx context.Context, op *stablehlo.Op, got, want *Tensor) error {
	pause := func() error {
		if ctx.Err() != nil {
			return canceled(ctx)
		}
		return nil
	}
	err := checks.Of(op)(checks.Tensor(*got), checks.Tensor(*want), pause)
	if _, stopped := err.(*Fault); stopped {
		return err
	}
	if err != nil {
		return faultf(CheckFailed, "%v", err)
	}
	return nil
}

func evalExpect(f *frame, s *step, args []Value) ([]Value, error) {
	return nil, check(f.ctx, s.op, args[0].(*Tensor), args[1].(*Tensor))
}

// evalExpectConst finds the expected value in an attribute.
func evalExpectConst(f *frame, s *step, args []Value) ([]Value, error) {
	a, ok := s.op.Attr("value").(*stablehlo.ElementsAttr)
	if !ok {
		return nil, faultf(Unsupported, "a check without an elements attribute")
	}
	want, err := fromElements(a, s.op.Operands[0].Tensor())
	if err != nil {
		return nil, err
	}
	return nil, check(f.ctx, s.op, args[0].(*Tensor), want)
}
