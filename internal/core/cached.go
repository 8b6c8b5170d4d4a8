package core

import (
	"reflect"
)

// Cached implements debug.Cached.
func Cached[F any](f F, args ...any) bool {
	const op = "Cached"
	t, v := reflect.TypeFor[F](), reflect.ValueOf(f)
	requireFunction(op, t, v)
	c := newCallable(t, v)
	in := c.templates(op, args)
	if c.hasContext {
		in = append([]reflect.Value{reflect.ValueOf(&background).Elem()}, in...)
	}
	return hasCode(op, func() { v.Call(in) })
}

// StreamCached implements debug.StreamCached.
func StreamCached[C, X, Y any](f func(C, X) (C, Y), init C, x X, opts ...OnOption) bool {
	const op = "StreamCached"
	notNil(op, f == nil)
	step := streamStep(f, opts)
	return hasCode(op, func() { step(background, init, x) })
}

// hasCode calls a function to learn whether it has code. If it is not a compiled function,
// its ops go into a trace that is dropped.
func hasCode(op string, call func()) (answer bool) {
	t := newTrace(op)
	t.queriesCode = true
	defer t.done.Store(true)
	defer stage(t, true)()
	defer func() {
		switch r := recover().(type) {
		case cacheAnswer:
			answer = bool(r)
		case nil, *Error:
		default:
			panic(r)
		}
	}()
	call()
	return false
}
