// Package collective lowers collective ops to host calls, which exchange elements between processes, and to ops that
// compute on the exchanged elements.
package collective

import (
	"context"
	"errors"
	"runtime/debug"

	"github.com/go-nx/nx/internal/processes"
	"github.com/go-nx/nx/stablehlo"
)

// Run runs a function for each process of a grid: see [processes.Run].
func Run(ctx context.Context, replicas, partitions int, run func(ctx context.Context, i int) error) error {
	return processes.Run(ctx, replicas, partitions, func(ctx context.Context, p *processes.Process, i int) error {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a fault is the caller's to handle, as any panic
		return run(context.WithValue(ctx, processKey{}, p), i)
	})
}

type processKey struct{}

// processOf returns the process of a call's context.
func processOf(ctx context.Context) (*processes.Process, error) {
	p, ok := ctx.Value(processKey{}).(*processes.Process)
	if !ok {
		return nil, errors.New("the op must be called in the processes that it is compiled for")
	}
	return p, nil
}

// hostCall returns an op that calls a host function with the process.
func hostCall(of *stablehlo.Op, operands []*stablehlo.Value, results []stablehlo.Type,
	f func(ctx context.Context, p *processes.Process, ins, outs [][]byte) error) *stablehlo.Op {
	return HostCall(of, operands, results, func(ctx context.Context, ins, outs [][]byte) error {
		p, err := processOf(ctx)
		if err != nil {
			return err
		}
		return f(ctx, p, ins, outs)
	})
}

// HostCall returns an op that calls a host function, to replace another op.
func HostCall(of *stablehlo.Op, operands []*stablehlo.Value, results []stablehlo.Type,
	f func(ctx context.Context, ins, outs [][]byte) error) *stablehlo.Op {
	op := stablehlo.NewOp(stablehlo.OpCustomCall, operands, results)
	op.SetAttr("call_target_name", stablehlo.StringAttr(stablehlo.HostTarget))
	op.SetAttr(stablehlo.HostTarget, stablehlo.HostAttr{HostFunc: &stablehlo.HostFunc{Name: of.Name(), Call: f}})
	op.PlaceAt(of)
	return op
}
