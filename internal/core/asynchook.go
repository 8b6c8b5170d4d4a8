package core

import (
	"context"
	"time"

	"github.com/go-nx/nx/internal/userfunc"
)

// pendingCalls is the maximum number of waiting calls of an asynchronous hook.
const pendingCalls = 256

// WithAsyncHook implements debug.WithAsyncHook.
func WithAsyncHook[P any](ctx context.Context, name string, f func(P)) (_ context.Context, wait func() error) {
	notNil("WithAsyncHook", f == nil)
	if ctx == nil {
		ctx = background
	}
	calls := &asyncCalls{name: "the hook " + name, ctx: ctx, slots: make(chan struct{}, pendingCalls)}
	return WithHook(ctx, name, func(p P) { calls.call(func() { f(p) }) }), calls.wait
}

// asyncCalls are the calls of an asynchronous hook.
type asyncCalls struct {
	callQueue
	name   string
	ctx    context.Context // of the compiled functions
	slots  chan struct{}   // one for each call that has not ended
	failed error           // of the goroutine of the calls: the first since wait
}

// call calls f after the calls before it.
func (a *asyncCalls) call(f func()) {
	slot, ok := a.slot()
	if !ok {
		return
	}
	a.add(func() {
		userfunc.Run(background, a.name, func(ctx context.Context) error {
			return userfunc.Call(ctx, a.name, func() error {
				f()
				return nil
			})
		}, func(err error, _ any) {
			if a.failed == nil {
				a.failed = err
			}
			if slot {
				<-a.slots
			}
		})
	})
}

// slot waits until there is a slot for a call. It gives none to a call that the hook itself waits for, because
// the hook calls a compiled function with the context: none would ever become free. It is not ok where the compiled
// function ends.
func (a *asyncCalls) slot() (slot, ok bool) {
	select {
	case a.slots <- struct{}{}:
		return true, true
	default:
	}
	me := goroutine()
	if a.goroutine() == me {
		return false, true
	}
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		timer := time.NewTimer(pause)
		select {
		case a.slots <- struct{}{}:
			timer.Stop()
			return true, true
		case <-a.ctx.Done():
			timer.Stop()
			return false, false
		case <-timer.C:
		}
		if waitsFor(a.goroutine(), me) {
			return false, true
		}
	}
}

func (a *asyncCalls) wait() error {
	const op = "WithAsyncHook"
	if a.goroutine() == goroutine() {
		return newError(ErrState, op, nil, "call wait after the compiled function has returned",
			"%s calls wait, which waits until it returns", a.name)
	}
	first := make(chan error)
	a.add(func() {
		first <- a.failed
		a.failed = nil
	})
	if err := <-first; err != nil {
		e := newError(ErrRun, op, nil, "", "%v", err)
		e.Err = err
		return e
	}
	return nil
}
