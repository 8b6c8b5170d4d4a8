package core

import (
	"context"
	"reflect"
	"time"
	"unsafe"
)

// use notes that the form serves a call; it reports whether that is the second.
func (c *compiled) use() (again bool) { return c.uses.Load() < 2 && c.uses.Add(1) == 2 }

// form returns the compiled form for the signature of a call, made on first
// use. Other calls with the signature wait meanwhile, unless they are cancelled.
func (j *jit) form(ctx context.Context, a *callArguments, args []reflect.Value) *compiled {
	for {
		e := j.forms.find(a.key())
		if e == nil {
			if j.sealed {
				what, _ := difference(j.misses.parts, j.describe(args))
				fail(ErrArgument, "Call", "compile for these types too, or use nx.Jit",
					"the function was compiled for arguments of other types: %s", what)
			}
			if e = j.reserve(a, nil); e != nil {
				return j.makeAndWarn(ctx, e, args)
			}
			continue
		}
		switch waited := e.value.wait(ctx, j); {
		case !waited:
			if e.value.depth >= maxRetraces {
				failRecursion("from a goroutine that it waits for, ")
			}
			if e = j.reserve(a, e); e != nil {
				return j.makeAndWarn(ctx, e, args)
			}
		case e.value.made:
			j.forms.last.Store(e)
			return e.value
		}
		// The maker panicked, or another call makes the form now: this one tries again.
	}
}

// formEntry is a form in the cache.
type formEntry = cacheEntry[string, *compiled]

// reserve adds a form that this call is to make, in the place of was, whose maker waits for this call, or
// of none; nil if another call was faster.
func (j *jit) reserve(a *callArguments, was *formEntry) *formEntry {
	c := &compiled{key: string(a.Key), pins: append([]unsafe.Pointer(nil), a.Pins...), ready: make(chan struct{}),
		maker: goroutine()}
	if was != nil {
		c.depth = was.value.depth + 1
	}
	return j.forms.replace(c.key, was, c, j.keep)
}

// makeAndWarn makes a form, and then warns where it has to: the logger may call the function.
func (j *jit) makeAndWarn(ctx context.Context, e *formEntry, args []reflect.Value) *compiled {
	j.make(ctx, e, args)
	j.noteMiss(e.value, args)
	return e.value
}

// make traces and compiles a form. When that panics, or ends the goroutine, the form is forgotten.
func (j *jit) make(ctx context.Context, e *formEntry, args []reflect.Value) {
	c := e.value
	defer func() {
		if !c.made {
			j.forms.remove(e)
		}
		close(c.ready)
	}()
	j.trace(ctx, c, args)
	c.made = true
	j.forms.last.Store(e)
}

// trace runs the function on traced values and compiles the graph.
func (j *jit) trace(ctx context.Context, c *compiled, args []reflect.Value) {
	start := time.Now()
	c.form = j.traceForm(ctx, c, args)
	if c.isOpen() {
		return
	}
	exe, err := compileObserved(ctx, j.client(), baseName(j.f), c.module, start)
	if err != nil && ctx.Err() != nil {
		j.fail(context.Cause(ctx))
	}
	if err != nil {
		e := newError(ErrRun, "Jit", nil, "", "compiling failed: %v", err)
		e.Err = err
		panic(e)
	}
	c.exe = exe
	c.direct = j.directForm(c)
	closeLater(c, exe)
}

// traceForm runs the user's function.
func (j *jit) traceForm(ctx context.Context, c *compiled, args []reflect.Value) *form {
	c.tracing.Store(true)
	defer c.tracing.Store(false)
	t := newTrace("Jit")
	t.ctx, t.runs, t.runsAgain = ctx, c.maker, true
	if j.on != nil {
		t.home = j.home()
	}
	f := j.callable.traceIn(t, args, Tensor.spec)
	j.markDonated(f.module, args)
	return f
}
