// Package collective writes the ops by which processes meet as calls of functions of this
// program, which exchange elements, and as ops that compute on what was exchanged.
package collective

import (
	"context"
	"errors"
	"sync"

	"github.com/go-nx/nx/internal/processes"
	"github.com/go-nx/nx/stablehlo"
)

// Run runs a function as each process of a grid, in goroutines. When one fails the others
// end too, and its error is returned.
func Run(ctx context.Context, replicas, partitions int, run func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	g := processes.New(replicas, partitions, cancel)
	var all sync.WaitGroup
	for i := range replicas * partitions {
		all.Go(func() {
			defer g.Ended()
			if err := run(context.WithValue(ctx, processKey{}, g.Process(i)), i); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
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
