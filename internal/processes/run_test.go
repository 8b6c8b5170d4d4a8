package processes

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/userfunc"
	"github.com/go-nx/nx/stablehlo"
)

// TestRun: when a process ends abnormally in any way, waiting processes end, and the cause is returned.
func TestRun(t *testing.T) {
	noData := errors.New("no data")
	meet := stablehlo.NewOp(stablehlo.OpAllReduce, nil, nil)
	all := []ID{{0, 0}, {0, 1}, {0, 2}, {0, 3}}
	run := func(end func(ctx context.Context) error) (panicked any, err error) {
		defer func() { panicked = recover() }()
		err = Run(context.Background(), 1, len(all), func(ctx context.Context, p *Process, i int) error {
			if i == 2 {
				return end(ctx)
			}
			_, err := p.Rendezvous(ctx, meet, all, i)
			return err
		})
		return nil, err
	}
	if p, err := run(func(context.Context) error { return noData }); err != noData || p != nil {
		t.Errorf("an error: %v, %v", err, p)
	}
	if p, err := run(func(context.Context) error { panic("oh") }); err != nil || p != "oh" {
		t.Errorf("a panic: %v, %v", err, p)
	}
	var ended *userfunc.GoexitError
	p, err := run(func(ctx context.Context) error {
		return userfunc.Call(ctx, "the hook h", func() error {
			runtime.Goexit()
			return nil
		})
	})
	if !errors.As(err, &ended) || ended.Name != "the hook h" ||
		!strings.HasPrefix(ended.At, "run_test.go:") || p != nil {
		t.Errorf("the end of the goroutine: %v, %v", err, p)
	}
	if p, err := run(func(context.Context) error { return nil }); err != ErrDeadlock || p != nil {
		t.Errorf("a process that returns: %v, %v", err, p)
	}
}
