package cpu

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/diskcache"
)

// Client compiles for the host's processor. Its executables share a worker pool.
type Client struct {
	env   *rt.Env
	small *rt.Tally // of the buffers outside the environment's pool
	owner *Client   // the client that owns the workers, or nil

	cache *diskcache.Cache // of compiled programs, or nil
	// fromCache loads an executable; nil without a cache. A field, so that programs without one need no parser.
	fromCache func(c *Client, key string) *executable
}

// New returns a client with a number of workers. Below 1 it is the value of NX_THREADS, else
// GOMAXPROCS. If NX_THREADS is not a valid number, compiling returns a [*ThreadsError]. Results do
// not depend on the number. The workers end when the client and all its executables are
// unreachable.
func New(workers int) *Client {
	if workers < 1 {
		workers, _ = currentThreads() // compiling reports the error
	}
	pool := rt.NewPool(workers)
	c := newClient(&rt.Env{Pool: pool, Buffers: rt.NewBuffers(0)})
	runtime.AddCleanup(c, func(p *rt.Pool) { go p.Close() }, pool) // Close waits for the workers
	return c
}

func newClient(env *rt.Env) *Client { return &Client{env: env, small: &rt.Tally{}} }

func init() {
	backend.Register("cpu", func() (backend.Client, error) { return Default(), nil })
}

// Default returns the client that package nx uses.
func Default() *Client { return theDefault() }

var theDefault = sync.OnceValue(func() *Client { return New(0) })

// WithOutput returns a client that shares everything with c, but whose executables write the output
// of interpreter.print to w. Other clients drop it.
func (c *Client) WithOutput(w io.Writer) *Client {
	env := *c.env
	env.Session.Output = nil
	if w != nil {
		env.Session.Output = &rt.Output{Writer: w}
	}
	return &Client{env: &env, small: c.small, owner: c, cache: c.cache,
		fromCache: c.fromCache}
}

// Name returns "cpu".
func (c *Client) Name() string { return "cpu" }

// Devices returns the one device.
func (c *Client) Devices() []backend.Device { return []backend.Device{device{}} }

type device struct{}

func (device) String() string         { return "cpu:0" }
func (device) Client() backend.Client { return Default() }

// Put copies elements to a buffer.
func (c *Client) Put(_ context.Context, t backend.Type, data []byte, _ backend.Device) (backend.Buffer, error) {
	if int64(len(data)) != t.SizeBytes() {
		return nil, fmt.Errorf("cpu: the data must have the tensor's %d bytes, got %d", t.SizeBytes(), len(data))
	}
	s := &inlineBuffer{}
	if err := s.allocate(c, &t, int64(len(data))); err != nil {
		return nil, err
	}
	copy(s.data, data)
	return s.withFront(), nil
}

// Wrap returns a buffer that shares the memory of data, which must not change while the buffer is
// in use. The memory is not counted.
func (c *Client) Wrap(t backend.Type, data []byte) (backend.Buffer, error) {
	if int64(len(data)) != t.SizeBytes() {
		return nil, fmt.Errorf("cpu: the data must have the tensor's %d bytes, got %d", t.SizeBytes(), len(data))
	}
	b := &buffer{}
	b.setMemory(&t, data)
	return b, nil
}

// Borrow is [Client.Wrap] of memory that is valid as long as owner is reachable, such as a mapped
// file. Executions check it at their start, before each node that reads it, and at their end.
func (c *Client) Borrow(t backend.Type, data []byte, owner backend.Source) (backend.Buffer, error) {
	b, err := c.Wrap(t, data)
	if err != nil {
		return nil, err
	}
	b.(*buffer).origin = &origin{source: owner}
	return b, nil
}

// InUse returns the bytes of the buffers in use. Buffers below 4 KiB are counted in batches; a
// batch counts as long as one of its buffers is reachable.
func (c *Client) InUse() int64 { return c.env.Buffers.InUse() + c.small.Bytes() }
