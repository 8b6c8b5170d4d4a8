package processes

import (
	"context"
	"sync"

	"github.com/go-nx/nx/internal/userfunc"
)

// Run runs a function for each process of a grid, in goroutines, and waits for all. When one returns an error,
// panics or ends its goroutine, the context of the others ends, too. Run returns the cause, or repeats the
// panic of a process.
func Run(ctx context.Context, replicas, partitions int, run func(ctx context.Context, p *Process, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	g := New(replicas, partitions, cancel)
	var all sync.WaitGroup
	var mu sync.Mutex
	var panicked any // of the first that panicked
	for i := range replicas * partitions {
		all.Go(func() {
			userfunc.Run(ctx, "a process", func(ctx context.Context) error { return run(ctx, g.Process(i), i) },
				func(err error, raised any) {
					if raised != nil {
						mu.Lock()
						if panicked == nil {
							panicked = raised
						}
						mu.Unlock()
						err = context.Canceled // the error is not used
					}
					if err != nil {
						cancel(err)
					}
					g.Ended()
				})
		})
	}
	all.Wait()
	if panicked != nil {
		panic(panicked)
	}
	return context.Cause(ctx)
}
