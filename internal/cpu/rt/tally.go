package rt

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Tally counts the bytes of buffers that are too small for a cleanup each: that
// would cost more than the op that makes one. Buffers made one after another
// belong to a [Batch], which has one cleanup: they are taken off as they are
// released, or together, when the last of them is collected.
//
// The zero Tally is ready for use. The methods are safe for concurrent use.
type Tally struct {
	mu   sync.Mutex
	live map[*batchCount]bool // of batches that are reachable, or have been a moment ago

	spare   atomic.Pointer[Batch] // with room, found in less time than in the pool
	batches sync.Pool             // of others
}

// Batch counts the bytes of some buffers, which refer to it as long as they are
// reachable.
type Batch struct {
	buffers, size int // made, for which the batch is no longer than it should be
	count         *batchCount
}

// batchCount outlives the batch.
type batchCount struct {
	tally *Tally
	bytes atomic.Int64
}

// A batch is full when it has counted that much. What is left of it is counted
// as long as one of its buffers is reachable.
const (
	batchBuffers = 256
	batchBytes   = 8 << 10
)

// Add counts size bytes of a new buffer, which must refer to the batch.
func (t *Tally) Add(size int) *Batch {
	b := t.spare.Swap(nil)
	if b == nil {
		b = t.batch()
	}
	b.count.bytes.Add(int64(size))
	b.buffers++
	b.size += size
	if b.buffers < batchBuffers && b.size < batchBytes && !t.spare.CompareAndSwap(nil, b) {
		t.batches.Put(b)
	}
	return b
}

// batch returns a batch with room.
func (t *Tally) batch() *Batch {
	if b, ok := t.batches.Get().(*Batch); ok {
		return b
	}
	b := &Batch{count: &batchCount{tally: t}}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.live == nil {
		t.live = map[*batchCount]bool{}
	}
	t.live[b.count] = true
	runtime.AddCleanup(b, (*batchCount).drop, b.count)
	return b
}

// Release takes off size bytes of a buffer of the batch.
func (b *Batch) Release(size int) { b.count.bytes.Add(-int64(size)) }

// drop takes off what is left when no buffer is reachable.
func (c *batchCount) drop() {
	c.tally.mu.Lock()
	defer c.tally.mu.Unlock()
	delete(c.tally.live, c)
}

// Bytes returns the bytes counted. It lets go of the batch with room, which would be reachable
// for ever otherwise and count what nothing else refers to.
func (t *Tally) Bytes() int64 {
	t.spare.Store(nil)
	t.mu.Lock()
	defer t.mu.Unlock()
	n := int64(0)
	for c := range t.live {
		n += c.bytes.Load()
	}
	return n
}
