package rt

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Tally counts the bytes of buffers that are too small for a cleanup each, which would cost more than the op that makes
// one. Buffers made one after another belong to a [Batch] with one cleanup. They are subtracted when they are released,
// or together when the last of them is collected.
//
// The zero Tally is ready for use. The methods are safe for concurrent use.
type Tally struct {
	mu   sync.Mutex
	live map[*batchCount]bool // of batches that are or recently were reachable

	spare   atomic.Pointer[Batch] // not full, faster than the pool
	batches sync.Pool             // other batches
}

// Batch counts the bytes of several buffers, which must refer to it while they are reachable.
type Batch struct {
	buffers, size int // totals that bound the batch
	count         *batchCount
}

// batchCount outlives the batch.
type batchCount struct {
	tally *Tally
	bytes atomic.Int64
}

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

// batch returns a batch that is not full.
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

// Release subtracts size bytes of a buffer of the batch.
func (b *Batch) Release(size int) { b.count.bytes.Add(-int64(size)) }

// drop subtracts the rest when no buffer is reachable.
func (c *batchCount) drop() {
	c.tally.mu.Lock()
	defer c.tally.mu.Unlock()
	delete(c.tally.live, c)
}

// Bytes returns the bytes counted. It drops the spare batch, which would otherwise stay reachable and count unreachable
// buffers.
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
