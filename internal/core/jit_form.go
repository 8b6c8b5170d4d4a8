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
	if last := j.last.Load(); last != nil {
		last.stamp.Store(j.clock.Add(1))
	}
	for {
		j.mu.Lock()
		c := j.forms[string(a.Key)]
		if c == nil {
			if j.sealed {
				j.mu.Unlock()
				what, _ := difference(j.misses.parts, j.describe(args))
				fail(ErrArgument, "Call", "compile for these types too, or use nx.Jit",
					"the function was compiled for arguments of other types: %s", what)
			}
			c = j.insert(a, 0)
			j.mu.Unlock()
			return j.made(ctx, c, args)
		}
		c.stamp.Store(j.clock.Add(1))
		j.mu.Unlock()
		switch waited := c.wait(ctx, j); {
		case !waited:
			if c = j.retrace(c, a); c != nil {
				return j.made(ctx, c, args)
			}
		case c.made:
			j.last.Store(c)
			return c
		}
		// Whoever made it panicked, or another call makes it now: this one tries again.
	}
}

// retrace returns a form to be made in the place of one whose maker waits for this
// call; nil when another call was faster.
func (j *jit) retrace(c *compiled, a *callArguments) *compiled {
	if c.depth >= maxRetraces {
		failRecursion("from a goroutine that it waits for, ")
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.forms[c.key] != c {
		return nil
	}
	return j.insert(a, c.depth+1)
}

// insert adds a form to be made; the one used least recently makes room.
func (j *jit) insert(a *callArguments, depth int) *compiled {
	if len(j.forms) >= j.keep && j.forms[string(a.Key)] == nil {
		var oldest *compiled
		for _, c := range j.forms {
			if oldest == nil || c.stamp.Load() < oldest.stamp.Load() {
				oldest = c
			}
		}
		delete(j.forms, oldest.key)
	}
	if j.forms == nil {
		j.forms = map[string]*compiled{}
	}
	c := &compiled{key: string(a.Key), pins: append([]unsafe.Pointer(nil), a.Pins...), ready: make(chan struct{}),
		maker: goroutine(), depth: depth}
	c.stamp.Store(j.clock.Add(1))
	j.forms[c.key] = c
	return c
}

// made makes a form, and then warns where it has to: the logger may call the function.
func (j *jit) made(ctx context.Context, c *compiled, args []reflect.Value) *compiled {
	j.make(ctx, c, args)
	j.noteMiss(c, args)
	return c
}

// make traces and compiles a form. When that panics, or ends the goroutine, the form is forgotten.
func (j *jit) make(ctx context.Context, c *compiled, args []reflect.Value) {
	defer func() {
		if !c.made {
			j.mu.Lock()
			if j.forms[c.key] == c {
				delete(j.forms, c.key)
			}
			j.mu.Unlock()
		}
		close(c.ready)
	}()
	j.trace(ctx, c, args)
	c.made = true
	j.last.Store(c)
}

// trace runs the function on traced values and compiles the graph.
func (j *jit) trace(ctx context.Context, c *compiled, args []reflect.Value) {
	start := time.Now()
	c.form = j.traceForm(ctx, c, args)
	if c.isOpen() {
		return
	}
	exe, err := compileTold(ctx, j.client(), baseName(j.f), c.module, start)
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
	t.ctx, t.runs = ctx, c.maker
	if j.on != nil {
		t.home = j.home()
	}
	f := j.callable.traceIn(t, args, Tensor.spec)
	j.markDonated(f.module, args)
	return f
}
