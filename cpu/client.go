package cpu

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Client compiles for and runs on the processor. Its executables share a pool
// of workers.
type Client struct {
	env *rt.Env
}

// New returns a client with a number of workers; GOMAXPROCS when it is below 1.
// Results do not depend on it.
func New(workers int) *Client {
	return &Client{env: &rt.Env{Pool: rt.NewPool(workers), Buffers: rt.NewBuffers(rt.MemoryLimit())}}
}

// Default returns the client that package nx uses.
var Default = sync.OnceValue(func() *Client { return New(0) })

// Name returns "cpu".
func (c *Client) Name() string { return "cpu" }

// Devices returns the one device.
func (c *Client) Devices() []backend.Device { return []backend.Device{device{}} }

type device struct{}

func (device) String() string { return "cpu:0" }

// Put copies elements to a buffer.
func (c *Client) Put(_ context.Context, t backend.Type, data []byte, _ backend.Device) (backend.Buffer, error) {
	if int64(len(data)) != t.SizeBytes() {
		return nil, fmt.Errorf("cpu: %d bytes for a tensor of %d", len(data), t.SizeBytes())
	}
	return &buffer{t: t, data: slices.Clone(data)}, nil
}

// buffer is the elements of a tensor in memory.
type buffer struct {
	t    backend.Type
	data []byte
}

func (b *buffer) Type() backend.Type              { return b.t }
func (b *buffer) Device() backend.Device          { return device{} }
func (b *buffer) Await(ctx context.Context) error { return nil }
func (b *buffer) Release()                        { b.data = nil }

func (b *buffer) Read(_ context.Context, dst []byte) error {
	if len(dst) != len(b.data) {
		return fmt.Errorf("cpu: a buffer of %d bytes read into %d", len(b.data), len(dst))
	}
	copy(dst, b.data)
	return nil
}
