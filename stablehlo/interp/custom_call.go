package interp

import (
	"context"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/blocks"
	"github.com/go-nx/nx/internal/checks"
	"github.com/go-nx/nx/internal/userfunc"
	"github.com/go-nx/nx/stablehlo"
)

// builtinCalls are the custom_call targets that need no registration: the
// checks of test programs, assertions, and annotations of JAX that change no value.
var builtinCalls = map[string]CustomCall{
	"check.eq":               callCheckEq,
	"check.expect_eq":        callCheck,
	"check.expect_almost_eq": callCheck,
	"check.expect_close":     callCheck,
	checks.AssertionTarget:   callAssertion,
}

// HasCall reports whether a custom_call runs without [WithCustomCall]: the checks of test programs,
// assertions, annotations, calls that are equivalent to ops, the factorisations of LAPACK and similar
// libraries, and Python callbacks without results.
func HasCall(op *stablehlo.Op) bool {
	target := op.Str("call_target_name")
	return builtinCalls[target] != nil || knownCalls[target] != nil || blocks.IsCall(op) ||
		stablehlo.IsIdentityCall(op) ||
		stablehlo.KnownCall(op) != nil || stablehlo.IsSilentCallback(op)
}

// evalCustomCall runs a registered target.
func evalCustomCall(f *frame, s *step, args []Value) ([]Value, error) {
	target := s.op.Str("call_target_name")
	call := builtinCalls[target]
	if registered := f.it.calls[target]; registered != nil {
		call = guarded(target, registered)
	}
	if host, ok := s.op.Attr(stablehlo.HostTarget).(stablehlo.HostAttr); ok {
		call = callHost(host)
	}
	if call == nil && blocks.IsCall(s.op) {
		call = callFactorisation
	}
	if call == nil {
		if row := knownRow(s.op); row != nil {
			return row(f, s, args)
		}
		if stablehlo.IsCallback(s.op) {
			return nil, faultf(UnknownCall, "@%s is a Python function of the program that was exported", target)
		}
		return nil, faultf(UnknownCall, "@%s is not registered (interp.WithCustomCall)", target)
	}
	results, err := call(f.ctx, s.op, args)
	if err != nil {
		if _, ok := err.(*Fault); ok {
			return nil, err
		}
		return nil, &Fault{Kind: CallFailed, Detail: "@" + target, Err: err}
	}
	if len(results) != len(s.op.Results) {
		return nil, faultf(CallFailed, "@%s returned %d results, not %d", target, len(results), len(s.op.Results))
	}
	for i, r := range s.op.Results {
		if why := misfit(results[i], r.Type()); why != "" {
			return nil, faultf(CallFailed, "@%s returned as result %d: %s", target, i, why)
		}
	}
	return results, nil
}

// guarded returns a function of the program, whose panics are its errors.
func guarded(target string, call CustomCall) CustomCall {
	return func(ctx context.Context, op *stablehlo.Op, args []Value) (results []Value, err error) {
		err = userfunc.Call(ctx, "the function registered as "+target, func() (err error) {
			results, err = call(ctx, op, args)
			return err
		})
		return results, err
	}
}

// knownRow returns the meaning of a call that exporters make, nil for others.
func knownRow(op *stablehlo.Op) evalFunc {
	switch {
	case stablehlo.IsIdentityCall(op):
		return evalIdentity
	case stablehlo.IsSilentCallback(op):
		return evalSilentCallback
	}
	return knownCalls[op.Str("call_target_name")]
}

// callHost calls a function that the module carries along.
func callHost(host stablehlo.HostAttr) CustomCall {
	return func(ctx context.Context, op *stablehlo.Op, args []Value) ([]Value, error) {
		ins, outs := make([][]byte, len(args)), make([][]byte, len(op.Results))
		for i, a := range args {
			x, ok := a.(*Tensor)
			if !ok {
				return nil, faultf(BadArgument, "operand %d of %s is not a tensor", i, host.Name)
			}
			ins[i] = x.Data
		}
		results := make([]Value, len(op.Results))
		for i, r := range op.Results {
			t := r.Tensor()
			if t == nil || !t.IsStatic() {
				return nil, faultf(BadArgument, "result %d of %s is not a tensor of a known shape", i, host.Name)
			}
			x, err := makeTensor(t, t.Dims...)
			if err != nil {
				return nil, err
			}
			results[i], outs[i] = x, x.Data
		}
		return results, host.Call(ctx, ins, outs)
	}
}

// callFactorisation runs the decomposition of a LAPACK-like call for the actual shapes.
func callFactorisation(ctx context.Context, op *stablehlo.Op, args []Value) ([]Value, error) {
	types := make([]stablehlo.Type, len(args))
	for i, a := range args {
		x, ok := a.(*Tensor)
		if !ok {
			return nil, faultf(BadArgument, "operand %d is not a tensor", i)
		}
		types[i] = x.Type
	}
	m, err := blocks.CallModule(op, types)
	if err != nil {
		return nil, err
	}
	it, err := New(m)
	if err != nil {
		return nil, err
	}
	return it.Call(ctx, "main", args...)
}

func callAssertion(_ context.Context, op *stablehlo.Op, args []Value) ([]Value, error) {
	operands := make([]checks.Tensor, len(args))
	for i, a := range args {
		x, ok := a.(*Tensor)
		if !ok {
			return nil, faultf(BadArgument, "operand %d of an assertion is not a tensor", i)
		}
		operands[i] = checks.Tensor(*x)
	}
	if err := checks.Assert(op, operands); err != nil {
		return nil, faultf(CheckFailed, "%v", err)
	}
	return nil, nil
}

// pair returns the two tensors of a check.
func pair(args []Value) (got, want *Tensor, err error) {
	if len(args) == 2 {
		g, ok1 := args[0].(*Tensor)
		w, ok2 := args[1].(*Tensor)
		if ok1 && ok2 {
			return g, w, nil
		}
	}
	return nil, nil, faultf(BadArgument, "a check compares two tensors")
}

func callCheck(ctx context.Context, op *stablehlo.Op, args []Value) ([]Value, error) {
	got, want, err := pair(args)
	if err != nil {
		return nil, err
	}
	return nil, check(ctx, op, got, want)
}

// callCheckEq compares integers exactly and floats within a tolerance, with
// the expected value first or second; its result is true.
func callCheckEq(ctx context.Context, op *stablehlo.Op, args []Value) ([]Value, error) {
	got, want, err := pair(args)
	if err != nil {
		return nil, err
	}
	if err := check(ctx, op, got, want); err != nil || len(op.Results) == 0 {
		return nil, err
	}
	t := op.Result().Tensor()
	if t == nil || t.DType() != dtype.Bool {
		return nil, faultf(BadArgument, "the result of @check.eq is a bool tensor")
	}
	ok, err := makeTensor(t, t.Dims...)
	if err != nil {
		return nil, err
	}
	fill(ok.Data, []byte{1})
	return []Value{ok}, nil
}
