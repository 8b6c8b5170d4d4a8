package xla

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/stablehlo"
)

// program is the input of the plugin's compiler, and its signature.
type program struct {
	pjrt.Program
	signature
}

// Compile compiles the function @main of a module, which stays unchanged. Go functions, hooks among them, are
// called between device programs for the code around them; loops and branches with such calls inside run step
// by step, by reading their conditions. A plugin cannot cancel a compilation: when the context ends first, the
// result is discarded.
func (c *Client) Compile(ctx context.Context, m *stablehlo.Module) (backend.Executable, error) {
	if err := m.VerifyContext(ctx); err != nil {
		return nil, c.fail("translating", err)
	}
	return c.compileVerified(ctx, m)
}

// compileVerified is Compile of a verified module, or of a part of one.
func (c *Client) compileVerified(ctx context.Context, m *stablehlo.Module) (backend.Executable, error) {
	if x, err := c.compileStages(ctx, m); x != nil || err != nil {
		return x, err
	}
	start := time.Now()
	p, lifted, err := c.program(ctx, m)
	if err != nil {
		return nil, err
	}
	written := time.Now()
	x, cached, err := c.load(ctx, p)
	if err != nil {
		return nil, err
	}
	c.debug("compiled", "bytes", len(p.Code), "cached", cached, "tracing", backend.TracingOf(ctx),
		"translating", written.Sub(start), "compiling", time.Since(written))
	e, err := c.newExecutable(x, p.signature)
	if err != nil {
		return nil, err
	}
	e.constants.of = lifted
	return e, nil
}

// load compiles a program, or loads it from the cache.
func (c *Client) load(ctx context.Context, p program) (x *pjrt.Loaded, cached bool, err error) {
	if c.cache == nil || p.sharding != nil && c.isShared(p.sharding) { // processes compile such programs together
		x, err = c.compileCode(ctx, p.Program)
		return x, false, err
	}
	key := c.cacheKey(p.Program)
	if x = c.fromCache(key); x != nil {
		return x, true, nil
	}
	if x, err = c.compileCode(ctx, p.Program); err == nil {
		c.toCache(key, x)
	}
	return x, false, err
}

// compileCode compiles in a goroutine, so that the caller may stop waiting.
func (c *Client) compileCode(ctx context.Context, program pjrt.Program) (*pjrt.Loaded, error) {
	type result struct {
		x   *pjrt.Loaded
		err error
	}
	ctx, stop := c.untilLost(ctx)
	defer stop()
	done := make(chan result, 1)
	go func() {
		x, err := c.client.Compile(program)
		done <- result{x, err}
	}()
	select {
	case r := <-done:
		return r.x, c.fail("compiling", r.err)
	case <-ctx.Done():
		go func() {
			if r := <-done; r.x != nil {
				r.x.Close()
			}
		}()
		return nil, context.Cause(ctx)
	}
}

// executable is a compiled program.
type executable struct {
	signature
	client    *Client
	x         *pjrt.Loaded
	inputs    []layout    // of a program that is spread over devices
	on        meshDevices // its devices
	constants constants
	// donates reports whether the plugin may take the contents of an argument.
	donates func(i int) bool
}

func (c *Client) newExecutable(x *pjrt.Loaded, s signature) (*executable, error) {
	if x.Outputs() != len(s.outs) {
		x.Close()
		return nil, fmt.Errorf("xla: %s compiled a program of %d results to one of %d", c.name,
			len(s.outs), x.Outputs())
	}
	e := &executable{signature: s, client: c, x: x, donates: func(i int) bool { return s.donated[i] }}
	if s.sharding == nil {
		return e, nil
	}
	for _, spec := range s.sharding.Ins {
		e.inputs = append(e.inputs, newLayout(s.sharding, spec))
	}
	var err error
	if e.on, err = c.meshDevices(s.sharding); err == nil {
		err = c.fail("placing the program", e.on.check(x))
	}
	if err != nil {
		x.Close()
		return nil, err
	}
	return e, nil
}

// Execute starts the program on the device that the arguments are on, or on the client's
// default one; one that is spread over devices on all of them. What it returns has contents
// when they are computed.
func (e *executable) Execute(ctx context.Context, args []backend.Buffer) ([]backend.Buffer, error) {
	return e.executeOn(ctx, nil, args, nil)
}

func (e *executable) executeOn(ctx context.Context, on *device, args []backend.Buffer,
	keep []bool) ([]backend.Buffer, error) {
	defer func() {
		for i, a := range args {
			if i < len(e.donated) && e.donated[i] && !(keep != nil && keep[i]) {
				a.Release()
			}
		}
	}()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err := e.client.groupErr(); err != nil {
		return nil, err
	}
	if n := len(e.ins) - len(e.constants.of); len(args) != n {
		return nil, fmt.Errorf("xla: the program takes %d arguments, got %d", n, len(args))
	}
	start := time.Now()
	here, copies, err := e.client.transferred(ctx, args)
	defer func() { releaseAll(copies) }()
	if err != nil {
		return nil, err
	}
	run := func(ctx context.Context, args []backend.Buffer) ([]backend.Buffer, error) {
		return e.executeSingle(ctx, on, args, keep)
	}
	if e.sharding != nil {
		run = e.executeSharded
	}
	if e.client.log == nil {
		return run(ctx, here)
	}
	waits := readyEvents(here) // before the plugin may take the contents
	results, err := run(ctx, here)
	if err == nil {
		e.client.logRun(start, waits, readyEvents(results))
	}
	return results, err
}

// executeSingle is executeOn of a program on one device.
func (e *executable) executeSingle(ctx context.Context, on *device, args []backend.Buffer,
	keep []bool) ([]backend.Buffer, error) {
	given := on != nil
	if !given {
		on, _ = e.client.own(nil)
	}
	buffers := make([]*pjrt.Buffer, len(args))
	for i, a := range args {
		b, err := e.argBuffer(ctx, i, a)
		if err != nil {
			return nil, err
		}
		if i == 0 && !given && !e.client.pinned {
			on = b.on
		}
		if b.on != on {
			return nil, fmt.Errorf("xla: argument %d must be on %[3]s, where the program runs, got %[2]s: move it (nx.Transfer)", i, b.on, on)
		}
		buffers[i] = b.b
	}
	donates := e.donates
	if keep != nil {
		donates = func(i int) bool { return e.donates(i) && !keep[i] } // constants are never donated
	}
	buffers, err := e.constants.append(buffers, on)
	if err != nil {
		return nil, err
	}
	out, err := e.x.Execute(on.device, buffers, donates)
	if err != nil {
		return nil, e.client.fail("running", err)
	}
	results := make([]backend.Buffer, len(out))
	for i, b := range out {
		results[i] = newBuffer(on, b, e.outs[i])
	}
	return results, nil
}

// argBuffer returns an argument as one buffer of the client.
func (e *executable) argBuffer(ctx context.Context, i int, a backend.Buffer) (*buffer, error) {
	var b *buffer
	switch a := a.(type) {
	case *buffer:
		b = a
	case *tensorPart:
		b = a.buffer
	case *sharded:
		var err error
		if b, err = a.gather(ctx); err != nil {
			return nil, err
		}
	}
	if b == nil || b.on.core != e.client.core {
		return nil, fmt.Errorf("xla: argument %d must be on a device of %[3]s, got %[2]s", i, a.Device(), e.client.name)
	}
	return b, nil
}

// Memory returns the bytes of the results and of temporary memory; the latter as reported by the plugin, or 0.
func (e *executable) Memory() (results, work int64) {
	for _, t := range e.outs {
		results += t.SizeBytes()
	}
	if m, err := e.x.Memory(); err == nil {
		work = m.Temporary
	}
	return results, work
}

// Close frees the program on the devices, and its constants.
func (e *executable) Close() error {
	e.constants.release()
	e.x.Close()
	return nil
}

// program is what [Client.Compile] hands to the plugin, of a verified module, and the constants that it is called
// with.
func (c *Client) program(ctx context.Context, m *stablehlo.Module) (program, []constant, error) {
	devices := c.meshMembers()
	ids := make([]int, len(devices))
	for i, d := range devices {
		ids[i] = d.id
	}
	var lifted []constant
	p, err := c.core.programOf(ctx, m, &c.options, ids, func(m *stablehlo.Module, s *signature) error {
		f, _ := m.Func("main")
		if s.sharding == nil {
			lifted = liftConstants(f)
		}
		if len(lifted) == 0 {
			return nil
		}
		*s = signature{}
		return s.read(f)
	})
	if err == nil && p.sharding != nil {
		_, err = c.meshDevices(p.sharding) // before the plugin compiles, which may wait for other processes
	}
	return p, lifted, err
}

// program is a verified module as a plugin takes it, for devices of these numbers at most.
func (c *core) program(ctx context.Context, m *stablehlo.Module, o *options, devices []int) (program, error) {
	return c.programOf(ctx, m, o, devices, func(*stablehlo.Module, *signature) error { return nil })
}

// programOf is program of a module that is changed last.
func (c *core) programOf(ctx context.Context, m *stablehlo.Module, o *options, devices []int,
	last func(*stablehlo.Module, *signature) error) (p program, err error) {
	m, p.signature, err = translate(ctx, m, o.precision, len(devices))
	if err == nil {
		err = last(m, &p.signature)
	}
	if err == nil {
		err = p.checkPlatform(c.platform)
	}
	if err == nil {
		p.Code, err = write(m, p.signature, c.version)
	}
	if err != nil {
		return p, c.fail("translating", err)
	}
	if p.sharding == nil {
		devices = nil
	} else {
		devices = devices[:p.sharding.Mesh.Devices()]
	}
	p.Options = o.encode(c.baseFlags, devices)
	return p, nil
}

// checkPlatform rejects programs that crash the plugin of a platform.
func (s *signature) checkPlatform(platform string) error {
	for _, t := range slices.Concat(s.ins, s.outs) {
		if platform == "tpu" && (t.DType == dtype.S2 || t.DType == dtype.U2) {
			return fmt.Errorf("a TPU does not support buffers of %s: convert to s4 or wider first", t.DType)
		}
	}
	return nil
}

// Export returns a module as the client hands it to its plugin: as a portable artifact, or
// as text where the plugin announces no version of StableHLO or the program is spread over
// devices. Its constants of a MiB and more are its last arguments.
func (c *Client) Export(ctx context.Context, m *stablehlo.Module) (code []byte, err error) {
	if err := m.VerifyContext(ctx); err != nil {
		return nil, c.fail("translating", err)
	}
	p, _, err := c.program(ctx, m)
	return p.Code, err
}
