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
	bytes   atomic.Int64
	batches sync.Pool // of *Batch with room
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
	b, _ := t.batches.Get().(*Batch)
	if b == nil {
		b = &Batch{count: &batchCount{tally: t}}
		runtime.AddCleanup(b, (*batchCount).drop, b.count)
	}
	b.count.bytes.Add(int64(size))
	t.bytes.Add(int64(size))
	b.buffers++
	b.size += size
	if b.buffers < batchBuffers && b.size < batchBytes {
		t.batches.Put(b)
	}
	return b
}

// Release takes off size bytes of a buffer of the batch.
func (b *Batch) Release(size int) {
	b.count.bytes.Add(-int64(size))
	b.count.tally.bytes.Add(-int64(size))
}

// drop takes off what is left when no buffer is reachable.
func (c *batchCount) drop() { c.tally.bytes.Add(-c.bytes.Load()) }

// Bytes returns the bytes counted.
func (t *Tally) Bytes() int64 { return t.bytes.Load() }
