package core

import (
	"context"
	"sync"
	"time"
)

// A call waits for a form that another call is making. It would wait for ever if the maker waits
// for the call: because they are the same goroutine, because the maker waits for a form that this
// goroutine makes, or because the traced function waits for goroutines it started. Only the last
// cannot be known for sure: such a call traces the function itself, and the second in a row fails.

// waiting holds what goroutines wait for: "goroutine 7" → *compiled.
var waiting sync.Map

// maxRetraces is how often in a row calls may trace a function that is being traced.
const maxRetraces = 1

// wait waits until the form is made, or could not be. It reports false when the
// traced function seems to wait for the caller.
func (c *compiled) wait(ctx context.Context, j *jit) bool {
	select {
	case <-c.ready:
		return true
	default:
	}
	me := goroutine()
	waiting.Store(me, c)
	defer waiting.Delete(me)
	if c.madeBy(me) {
		failRecursion("")
	}
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		timer := time.NewTimer(pause)
		select {
		case <-c.ready:
			timer.Stop()
			return true
		case <-ctx.Done():
			timer.Stop()
			j.fail(context.Cause(ctx))
		case <-timer.C:
		}
		if c.tracing.Load() && waitsFor(c.maker, me) {
			return false
		}
	}
}

// madeBy reports whether a goroutine makes the form, or another one for which its
// maker waits.
func (c *compiled) madeBy(g string) bool {
	for range maxForms {
		if c.maker == g {
			return true
		}
		next, ok := waiting.Load(c.maker)
		if !ok {
			return false
		}
		c = next.(*compiled)
	}
	return false
}

func failRecursion(where string) {
	fail(ErrTrace, "Jit", "let the recursion change the shape of an argument, or a number beside the tensors, and end",
		"the function calls itself, while it is traced, %swith arguments of the same types: this would never end", where)
}
