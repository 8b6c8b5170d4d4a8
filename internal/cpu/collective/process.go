// Package collective writes the ops by which processes meet as calls of functions of this
// program, which exchange elements, and as ops that compute on what was exchanged.
package collective

import (
	"context"
	"errors"

	"github.com/go-nx/nx/internal/processes"
	"github.com/go-nx/nx/stablehlo"
)

// Run runs a function as each process of a grid: see [processes.Run].
func Run(ctx context.Context, replicas, partitions int, run func(ctx context.Context, i int) error) error {
	return processes.Run(ctx, replicas, partitions, func(ctx context.Context, p *processes.Process, i int) error {
		return run(context.WithValue(ctx, processKey{}, p), i)
	})
}

type processKey struct{}

// processOf returns the process whose call a context is of.
func processOf(ctx context.Context) (*processes.Process, error) {
	p, ok := ctx.Value(processKey{}).(*processes.Process)
	if !ok {
		return nil, errors.New("it is called outside of the processes that it was compiled for")
	}
	return p, nil
}

// hostCall returns an op that calls a function of a process.
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

// HostCall returns an op in place of another that calls a function of this program.
func HostCall(of *stablehlo.Op, operands []*stablehlo.Value, results []stablehlo.Type,
	f func(ctx context.Context, ins, outs [][]byte) error) *stablehlo.Op {
	op := stablehlo.NewOp(stablehlo.OpCustomCall, operands, results)
	op.SetAttr("call_target_name", stablehlo.StringAttr(stablehlo.HostTarget))
	op.SetAttr(stablehlo.HostTarget, stablehlo.HostAttr{HostFunc: &stablehlo.HostFunc{Name: of.Name(), Call: f}})
	op.PlaceAt(of)
	return op
}
