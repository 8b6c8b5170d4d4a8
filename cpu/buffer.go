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
	origin   *origin   // nil for memory of the garbage collector
	batch    *rt.Batch // counts a small buffer, or nil
	owner    *buffer   // the owner of the memory, nil if it is this buffer
	front    atomic.Pointer[backend.Front]
}

// origin is where the memory of a buffer comes from that the garbage collector does not own.
type origin struct {
	pool    *rt.Buffers // to which it returns, at the latest when the buffer is collected; nil if it does not
	cleanup runtime.Cleanup
	source  backend.Source // from which it is borrowed; nil if it is not
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
	b.origin = &origin{pool: c.env.Buffers}
	b.origin.cleanup = runtime.AddCleanup(b, b.origin.pool.Put, data)
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
	if b.origin != nil {
		b.origin.cleanup.Stop()
	}
	switch {
	case b.owner != nil:
		b.owner.drop()
	case b.origin != nil && b.origin.pool != nil:
		b.origin.pool.Put(data)
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
	if b.origin != nil {
		r.origin = &origin{cleanup: runtime.AddCleanup(r, (*buffer).drop, b), source: b.origin.source}
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
	return b.guarded(f)
}

// guarded calls f with the elements, to which the caller has a reference.
func (b *buffer) guarded(f func(data []byte) error) error {
	if s := b.source(); s != nil {
		return s.Guard(func() error { return f(b.data) })
	}
	return f(b.data)
}

// source returns that of borrowed memory, nil for other memory.
func (b *buffer) source() backend.Source {
	if b.origin == nil {
		return nil
	}
	return b.origin.source
}
