package nx

import (
	"reflect"
)

// Cached reports whether f, which [Jit] or [Compile] made, has code for arguments of the
// types of args, so that a call compiles nothing. The arguments are those of [Compile].
// It is false of other functions, and while the code is being made.
func Cached[F any](f F, args ...any) bool {
	const op = "Cached"
	t, v := reflect.TypeFor[F](), reflect.ValueOf(f)
	requireFunction(op, t, v)
	c := newCallable(t, v)
	in := c.templates(op, args)
	if c.hasContext {
		in = append([]reflect.Value{reflect.ValueOf(&background).Elem()}, in...)
	}
	return asked(op, func() { v.Call(in) })
}

// StreamCached reports whether f has code for the steps of a [Stream] from init with
// inputs of the type of x, and the options. Streams of a closure compile it anew each: false.
func StreamCached[C, X, Y any](f func(C, X) (C, Y), init C, x X, opts ...OnOption) bool {
	const op = "StreamCached"
	notNil(op, f == nil)
	step := streamStep(f, opts)
	return asked(op, func() { step(background, init, x) })
}

// cacheAnswer is what the call of a compiled function panics with that is asked only
// whether it has code.
type cacheAnswer bool

// asked calls a function to learn whether it has code. Where it is no compiled function,
// its ops go into a trace that nobody looks at.
func asked(op string, call func()) (answer bool) {
	t := newTrace(op)
	t.asks = true
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

// has reports whether there is code for the signature of a call.
func (j *jit) has(a *callArguments) bool {
	j.mu.Lock()
	c := j.forms[string(a.Key)]
	j.mu.Unlock()
	if c == nil {
		return false
	}
	select {
	case <-c.ready:
		return c.made && c.exe != nil
	default:
		return false
	}
}
