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

// Client compiles for and runs on the processor. Its executables share a pool
// of workers.
type Client struct {
	env   *rt.Env
	small *rt.Tally // of the buffers that do not come from the environment
	owner *Client   // of the workers, when it is another

	cache *diskcache.Cache // of rewritten programs, or nil
}

// New returns a client with a number of workers. When it is below 1 there are as many as
// NX_THREADS says, else GOMAXPROCS; where NX_THREADS is no such number, compiling is a
// [*ThreadsError]. Results do not depend on the number. The workers end when nobody refers to the
// client, or to what it has compiled.
func New(workers int) *Client {
	if workers < 1 {
		workers, _ = currentThreads() // what is wrong with it compiling says
	}
	pool := rt.NewPool(workers)
	c := newClient(&rt.Env{Pool: pool, Buffers: rt.NewBuffers(0)})
	runtime.AddCleanup(c, func(p *rt.Pool) { go p.Close() }, pool) // it waits for them
	return c
}

func newClient(env *rt.Env) *Client { return &Client{env: env, small: &rt.Tally{}} }

func init() {
	backend.Register("cpu", func() (backend.Client, error) { return Default(), nil })
}

// Default returns the client that package nx uses.
func Default() *Client { return theDefault() }

var theDefault = sync.OnceValue(func() *Client { return New(0) })

// WithOutput returns a client that shares everything with c, but whose
// executables write to w what interpreter.print shows; other ones drop it.
func (c *Client) WithOutput(w io.Writer) *Client {
	env := *c.env
	env.Session.Output = nil
	if w != nil {
		env.Session.Output = &rt.Output{Writer: w}
	}
	return &Client{env: &env, small: c.small, owner: c, cache: c.cache}
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
		return nil, fmt.Errorf("cpu: %d bytes for a tensor of %d", len(data), t.SizeBytes())
	}
	s := &inlineBuffer{}
	if err := s.allocate(c, &t, int64(len(data))); err != nil {
		return nil, err
	}
	copy(s.data, data)
	return s.withFront(), nil
}

// Wrap returns a buffer that shares the memory of data, which nobody may change
// while the buffer is in use. The memory is not counted.
func (c *Client) Wrap(t backend.Type, data []byte) (backend.Buffer, error) {
	if int64(len(data)) != t.SizeBytes() {
		return nil, fmt.Errorf("cpu: %d bytes for a tensor of %d", len(data), t.SizeBytes())
	}
	b := &buffer{}
	b.setMemory(&t, data)
	return b, nil
}

// Borrow is [Client.Wrap] of memory that is there as long as owner is: a file that is
// mapped.
func (c *Client) Borrow(t backend.Type, data []byte, owner any) (backend.Buffer, error) {
	b, err := c.Wrap(t, data)
	if err == nil {
		runtime.AddCleanup(b.(*buffer), func(any) {}, owner) // it holds owner until then
	}
	return b, err
}

// InUse returns the bytes of the buffers in use. Of those below 4 KiB, which are
// counted in batches, the batch counts as long as one of its buffers is reachable.
func (c *Client) InUse() int64 { return c.env.Buffers.InUse() + c.small.Bytes() }
