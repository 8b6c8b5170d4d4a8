package library

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/checks"
	"github.com/go-nx/nx/internal/cpu/kernels/move"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

// makeCustomCall compiles calls of checks, of assertions and of host functions of the module. Other calls fail when
// they are reached: programs have them in branches that report an error and are not taken otherwise.
func makeCustomCall(op *stablehlo.Op) (Func, error) {
	if checks.Of(op) != nil {
		return makeCheck(op)
	}
	if op.Str("call_target_name") == checks.AssertionTarget {
		return makeAssertion(op)
	}
	if host, ok := op.Attr(stablehlo.HostTarget).(stablehlo.HostAttr); ok {
		return func(env *rt.Env, ins, outs [][]byte) error { return host.Call(env.Session.Context, ins, outs) }, nil
	}
	missing := fmt.Errorf("function @%s is not supported", op.Str("call_target_name"))
	if stablehlo.IsCallback(op) {
		missing = fmt.Errorf("@%s is a Python function of the program that was exported", op.Str("call_target_name"))
	}
	return func(*rt.Env, [][]byte, [][]byte) error { return missing }, nil
}

func makeAssertion(op *stablehlo.Op) (Func, error) {
	operands := make([]checks.Tensor, len(op.Operands))
	for i, x := range op.Operands {
		if x.Tensor() == nil {
			return nil, fmt.Errorf("operand %d of an assertion must be a tensor", i)
		}
		operands[i].Type = plain(x.Tensor())
	}
	return func(_ *rt.Env, ins, _ [][]byte) error {
		now := slices.Clone(operands)
		for i := range now {
			now[i].Data = ins[i]
		}
		return checks.Assert(op, now)
	}, nil
}

// makeCheck compiles a comparison of two tensors, with an optional result true.
func makeCheck(op *stablehlo.Op) (Func, error) {
	if len(op.Operands) != 2 || len(op.Results) > 1 {
		return nil, fmt.Errorf("a check must have two tensors and at most one result")
	}
	if len(op.Results) == 1 && (op.Result().Tensor() == nil || op.Result().Tensor().DType() != dtype.Bool) {
		return nil, fmt.Errorf("the result of a check must be a bool tensor, got %s", op.Result().Type())
	}
	same := checks.Of(op)
	got, want := plain(op.Operands[0].Tensor()), plain(op.Operands[1].Tensor())
	return func(env *rt.Env, ins, outs [][]byte) error {
		for _, out := range outs {
			for i := range out {
				out[i] = 1
			}
		}
		if err := same(checks.Tensor{Type: got, Data: ins[0]}, checks.Tensor{Type: want, Data: ins[1]},
			checkCancel(env)); err != nil {
			return fmt.Errorf("check failed: %w", err)
		}
		return nil
	}, nil
}

// makeCheckConst compiles a comparison with an attribute.
func makeCheckConst(op *stablehlo.Op) (Func, error) {
	a, ok := op.Attr("value").(*stablehlo.ElementsAttr)
	if !ok {
		return nil, fmt.Errorf("the expected value must be an elements attribute")
	}
	same, got := checks.Of(op), plain(op.Operands[0].Tensor())
	want := checks.Tensor{Type: got.WithDims(a.Type.Dims...), Data: a.Data}
	if a.Splat {
		want.Data = make([]byte, a.Len()*got.DType().Size())
		move.Repeat(want.Data, a.Data)
	}
	return func(env *rt.Env, ins, _ [][]byte) error {
		if err := same(checks.Tensor{Type: got, Data: ins[0]}, want, checkCancel(env)); err != nil {
			return fmt.Errorf("check failed: %w", err)
		}
		return nil
	}, nil
}

// checkCancel returns a function that ends a cancelled comparison.
func checkCancel(env *rt.Env) func() error { return func() error { env.CheckCancel(); return nil } }

// plain returns t without bounds and encoding.
func plain(t *stablehlo.TensorType) *stablehlo.TensorType { return t.WithDims(t.Dims...) }
