package core

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A call waits for a form that another one is making. It would wait for ever for
// one whose maker waits for the call: because they are the same goroutine, because
// the maker waits for a form that this goroutine makes, or because the traced
// function waits for goroutines it started. Only the last cannot be known for sure:
// such a call traces the function itself, and the second to do so in a row gives up.

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
		"the function calls itself, while it is traced, %swith arguments of the same types: that would never end", where)
}

// goroutine names the current goroutine: "goroutine 7".
func goroutine() string {
	var text [32]byte
	n := runtime.Stack(text[:], false)
	name, _, _ := bytes.Cut(text[:n], []byte(" ["))
	return string(name)
}

// waitsFor reports whether goroutine a is blocked and started b, or what started b,
// and so on.
func waitsFor(a, b string) bool {
	text := make([]byte, 1<<16)
	for {
		n := runtime.Stack(text, true)
		if n < len(text) || n >= 1<<26 {
			text = text[:n]
			break
		}
		text = make([]byte, 4*len(text))
	}
	parent := map[string]string{}
	blocked := false
	for g := range strings.SplitSeq(string(text), "\n\n") {
		name, rest, _ := strings.Cut(g, " [")
		if name == a {
			blocked = isBlocked(rest)
		}
		if i := strings.LastIndex(g, " in goroutine "); i >= 0 { // "created by F in goroutine 7"
			by, _, _ := strings.Cut(g[i+len(" in "):], "\n")
			parent[name] = by
		}
	}
	for range len(parent) {
		if b = parent[b]; b == a {
			return blocked
		}
	}
	return false
}

// isBlocked reports whether a goroutine waits for another one, by its state:
// "chan receive, 2 minutes]".
func isBlocked(state string) bool {
	for _, s := range []string{"chan receive", "chan send", "select", "semacquire", "sync."} {
		if strings.HasPrefix(state, s) {
			return true
		}
	}
	return false
}
