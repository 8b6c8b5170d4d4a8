package xla

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/stablehlo"
)

// Compile compiles the function @main of a module, which is left as it is. A plugin cannot
// stop compiling: when the context ends first, what it makes is thrown away.
func (c *Client) Compile(ctx context.Context, m *stablehlo.Module) (backend.Executable, error) {
	start := time.Now()
	program, s, err := c.program(ctx, m)
	if err != nil {
		return nil, err
	}
	written := time.Now()
	x, err := c.compileCode(ctx, program)
	if err != nil {
		return nil, err
	}
	if x.Outputs() != len(s.outs) {
		x.Close()
		return nil, fmt.Errorf("xla: %s compiled a program of %d results as one of %d", c.name, len(s.outs), x.Outputs())
	}
	c.debug("compiled", "bytes", len(program.Code), "translating", written.Sub(start), "compiling", time.Since(written))
	e := &executable{client: c, x: x, donated: s.donated}
	for _, t := range s.ins {
		e.ins = append(e.ins, backend.Type{DType: t.DType(), Dims: t.Dims})
	}
	for _, t := range s.outs {
		e.outs = append(e.outs, backend.Type{DType: t.DType(), Dims: t.Dims})
	}
	return e, nil
}

// compileCode compiles beside the caller, who may stop waiting.
func (c *Client) compileCode(ctx context.Context, program pjrt.Program) (*pjrt.Loaded, error) {
	type result struct {
		x   *pjrt.Loaded
		err error
	}
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

func (c *Client) debug(what string, args ...any) {
	if c.log != nil {
		c.log.Debug("xla: "+what, append([]any{slog.String("client", c.name)}, args...)...)
	}
}

// executable is a compiled program.
type executable struct {
	client    *Client
	x         *pjrt.Loaded
	ins, outs []backend.Type
	donated   []bool // of each argument
}

// Execute starts the program on the device that the arguments are on, or on the client's
// default one. What it returns has contents when they are computed.
func (e *executable) Execute(ctx context.Context, args []backend.Buffer) ([]backend.Buffer, error) {
	defer func() {
		for i, a := range args {
			if i < len(e.donated) && e.donated[i] {
				a.Release()
			}
		}
	}()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(args) != len(e.ins) {
		return nil, fmt.Errorf("xla: a program of %d arguments is called with %d", len(e.ins), len(args))
	}
	start := time.Now()
	on, _ := e.client.own(nil)
	buffers := make([]*pjrt.Buffer, len(args))
	for i, a := range args {
		b, ok := a.(*buffer)
		if !ok || b.on.core != e.client.core {
			return nil, fmt.Errorf("xla: argument %d lives on %s, the program is of %s", i, a.Device(), e.client.name)
		}
		if i == 0 && !e.client.pinned {
			on = b.on
		}
		if b.on != on {
			return nil, fmt.Errorf("xla: argument %d lives on %s, the program runs on %s: move it (nx.Transfer)", i, b.on, on)
		}
		buffers[i] = b.b
	}
	out, err := e.x.Execute(on.device, buffers, func(i int) bool { return e.donated[i] })
	if err != nil {
		return nil, e.client.fail("running", err)
	}
	results := make([]backend.Buffer, len(out))
	for i, b := range out {
		results[i] = newBuffer(on, b, e.outs[i])
	}
	e.client.debug("started", "took", time.Since(start))
	return results, nil
}

// Close frees the program on the devices.
func (e *executable) Close() error {
	e.x.Close()
	return nil
}

// program is what [Client.Compile] hands to the plugin.
func (c *Client) program(ctx context.Context, m *stablehlo.Module) (pjrt.Program, signature, error) {
	m, s, err := translate(ctx, m, c.precision)
	if err != nil {
		return pjrt.Program{}, s, c.fail("translating", err)
	}
	code, err := write(m, c.version)
	if err != nil {
		return pjrt.Program{}, s, c.fail("translating", err)
	}
	return pjrt.Program{Code: code, Options: c.encode()}, s, nil
}

// Export returns a module as the client hands it to its plugin: as a portable artifact, or
// as text where the plugin announces no version of StableHLO.
func (c *Client) Export(ctx context.Context, m *stablehlo.Module) (code []byte, err error) {
	p, _, err := c.program(ctx, m)
	return p.Code, err
}
