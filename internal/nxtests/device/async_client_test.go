package device_test

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/stablehlo"
)

// far is a client with a device of its own, whose executables return before
// they have begun.
type far struct {
	cpu    *cpu.Client
	gate   chan struct{} // nothing ends before it is closed
	closed atomic.Int32  // executables
	read   atomic.Int64  // bytes
}

func newFar() *far { return &far{cpu: cpu.New(1), gate: make(chan struct{})} }

type farDevice struct{ c *far }

func (d farDevice) String() string { return "far:0" }

func (d farDevice) Client() backend.Client { return d.c }

func (c *far) Name() string { return "far" }

func (c *far) Devices() []backend.Device { return []backend.Device{farDevice{c}} }

func (c *far) Put(ctx context.Context, t backend.Type, data []byte, _ backend.Device) (backend.Buffer, error) {
	b := c.promise(t)
	b.inner, b.err = c.cpu.Put(ctx, t, data, c.cpu.Devices()[0])
	close(b.done)
	return b, nil
}

func (c *far) Compile(ctx context.Context, m *stablehlo.Module) (backend.Executable, error) {
	exe, err := c.cpu.Compile(ctx, m)
	if err != nil {
		return nil, err
	}
	f, _ := m.Func("main")
	var types []backend.Type
	for _, v := range f.Body().Terminator().Operands {
		types = append(types, backend.Type{DType: v.Tensor().DType(), Dims: v.Tensor().Dims})
	}
	return &farExecutable{c, exe, types}, nil
}

type farExecutable struct {
	c     *far
	inner backend.Executable
	types []backend.Type
}

func (e *farExecutable) Close() error {
	e.c.closed.Add(1)
	return e.inner.Close()
}

func (e *farExecutable) Execute(ctx context.Context, args []backend.Buffer) ([]backend.Buffer, error) {
	args = slices.Clone(args)
	var out []backend.Buffer
	var promises []*farBuffer
	for _, t := range e.types {
		p := e.c.promise(t)
		promises, out = append(promises, p), append(out, p)
	}
	go func() {
		<-e.c.gate
		var bufs []backend.Buffer
		var err error
		for i := range args {
			b := args[i].(*farBuffer)
			<-b.done
			if err == nil {
				err = b.err
			}
			args[i] = b.inner
		}
		if err == nil {
			bufs, err = e.inner.Execute(ctx, args)
		}
		for i, p := range promises {
			if p.err = err; err == nil {
				p.inner = bufs[i]
			}
			close(p.done)
		}
	}()
	return out, nil
}

// farBuffer is a buffer to come.
type farBuffer struct {
	c     *far
	t     backend.Type
	done  chan struct{}
	inner backend.Buffer
	err   error
}

func (c *far) promise(t backend.Type) *farBuffer {
	return &farBuffer{c: c, t: t, done: make(chan struct{})}
}

func (b *farBuffer) Type() backend.Type { return b.t }

func (b *farBuffer) Device() backend.Device { return farDevice{b.c} }

func (b *farBuffer) Release() {}

func (b *farBuffer) Await(ctx context.Context) error {
	select {
	case <-b.done:
		return b.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *farBuffer) Read(ctx context.Context, dst []byte) error {
	if err := b.Await(ctx); err != nil {
		return err
	}
	b.c.read.Add(int64(len(dst)))
	return b.inner.Read(ctx, dst)
}

type farPair struct{ A, B nx.Tensor }
