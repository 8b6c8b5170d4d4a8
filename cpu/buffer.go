package cpu

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// minPooledSize is the size from which buffers come from the client's pool. The garbage collector
// owns smaller ones.
const minPooledSize = 4096

// buffer holds the elements of a tensor in memory. The owner holds a reference to the memory until
// it releases the buffer, and so does every execution that reads it. The last one frees the memory.
type buffer struct {
	t        *backend.Type
	data     []byte
	refs     atomic.Int32 // references other than the owner's; -1 when the memory is free
	released atomic.Bool
	pooled   *pooled   // nil for a small buffer
	batch    *rt.Batch // counts a small buffer, or nil
	owner    *buffer   // the owner of the memory, nil if it is this buffer
	front    atomic.Pointer[backend.Front]
}

// pooled returns memory to the pool, at the latest when it is collected.
type pooled struct {
	pool    *rt.Buffers // nil when another buffer owns the memory
	cleanup runtime.Cleanup
}

// inlineBuffer is a buffer with storage for few elements and for its front: one allocation instead
// of three.
type inlineBuffer struct {
	buffer
	inline [maxInlineSize]byte
	front  backend.Front
}

// inlineResult is a single with the list of results that an execution with one result returns.
type inlineResult struct {
	inlineBuffer
	list [1]backend.Buffer
}

// maxInlineSize is the maximum size of elements that are stored next to their header.
const maxInlineSize = 32

// allocate makes s a buffer of size bytes with arbitrary contents.
func (s *inlineBuffer) allocate(c *Client, t *backend.Type, size int64) error {
	if size > maxInlineSize {
		return s.buffer.allocate(c, t, size)
	}
	s.setMemory(t, s.inline[:size:size])
	s.batch = c.small.Add(int(size))
	return nil
}

// withFront returns the buffer, which hands the front to the first caller of TakeFront.
func (s *inlineBuffer) withFront() *buffer {
	s.buffer.front.Store(&s.front)
	return &s.buffer
}

// TakeFront returns the storage for the holder of the buffer, once.
func (b *buffer) TakeFront() *backend.Front { return b.front.Swap(nil) }

// setMemory makes b a buffer over data.
func (b *buffer) setMemory(t *backend.Type, data []byte) {
	b.t, b.data = t, data
}

// allocate makes b a buffer of new memory with arbitrary contents.
func (b *buffer) allocate(c *Client, t *backend.Type, size int64) error {
	if size < minPooledSize {
		b.setMemory(t, make([]byte, size))
		b.batch = c.small.Add(int(size))
		return nil
	}
	data, err := c.env.Buffers.Get(int(size))
	if err != nil {
		return err
	}
	b.setMemory(t, data)
	b.pooled = &pooled{pool: c.env.Buffers}
	b.pooled.cleanup = runtime.AddCleanup(b, b.pooled.pool.Put, data)
	return nil
}

var errReleased = errors.New("cpu: the buffer was released")

// hold takes a reference to the memory. The caller must call drop.
func (b *buffer) hold() error {
	for {
		n := b.refs.Load()
		if n < 0 || b.released.Load() {
			return errReleased
		}
		if b.refs.CompareAndSwap(n, n+1) {
			return nil
		}
	}
}

func (b *buffer) drop() {
	if b.refs.Add(-1) >= 0 {
		return
	}
	data := b.data
	b.data = nil
	if b.pooled != nil {
		b.pooled.cleanup.Stop()
	}
	switch {
	case b.owner != nil:
		b.owner.drop()
	case b.pooled != nil:
		b.pooled.pool.Put(data)
	case b.batch != nil:
		b.batch.Release(len(data))
	}
}

func (b *buffer) Type() backend.Type              { return *b.t }
func (b *buffer) Device() backend.Device          { return device{} }
func (b *buffer) Await(ctx context.Context) error { return nil }

// Release frees the memory as soon as no execution reads it. Further calls do nothing.
func (b *buffer) Release() {
	if !b.released.Swap(true) {
		b.drop()
	}
}

// Reshape returns a buffer of the same memory, to which it holds a reference.
func (b *buffer) Reshape(dims []int64) (backend.Buffer, error) {
	t := &backend.Type{DType: b.t.DType, Dims: dims}
	if t.SizeBytes() != b.t.SizeBytes() {
		return nil, fmt.Errorf("cpu: a buffer of %d bytes cannot be reshaped to %d bytes",
			b.t.SizeBytes(), t.SizeBytes())
	}
	if err := b.hold(); err != nil {
		return nil, err
	}
	r := &buffer{owner: b}
	r.setMemory(t, b.data)
	if b.pooled != nil {
		r.pooled = &pooled{cleanup: runtime.AddCleanup(r, (*buffer).drop, b)}
	}
	return r, nil
}

func (b *buffer) Read(_ context.Context, dst []byte) error {
	return b.View(func(data []byte) error {
		if len(dst) != len(data) {
			return fmt.Errorf("cpu: the destination must have the buffer's %d bytes, got %d", len(data), len(dst))
		}
		copy(dst, data)
		return nil
	})
}

// View calls f with the elements. f must not change or retain them.
func (b *buffer) View(f func(data []byte) error) error {
	if err := b.hold(); err != nil {
		return err
	}
	defer b.drop()
	return f(b.data)
}
