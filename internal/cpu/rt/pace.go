package rt

import (
	"runtime"
	"runtime/metrics"
	"time"
	"weak"
)

// Unreachable buffers are returned by cleanups, after a garbage collection. The collector of Go would run too
// rarely: to it, a buffer is alive until it is returned, and an idle one always is, so its heap goal would double with
// every cycle. So Buffers starts a collection when the bytes in use have grown as the collector would let a heap grow,
// and drops idle buffers that were not needed between two collections.

// collectionDue reports whether to collect before size more bytes are in use.
func (b *Buffers) collectionDue(size int) bool {
	if b.next == 0 { // the first
		b.next = minGrowth
		b.watch()
	}
	return !b.collecting && b.inUse+int64(size) > b.next
}

// collect runs the garbage collector and waits until unreachable buffers are returned. It is called, and returns, with
// the lock held.
func (b *Buffers) collect() {
	b.collecting = true
	held := b.inUse + b.idle
	b.mu.Unlock()
	runtime.GC()
	for n := int64(-1); n != b.InUse(); { // cleanups run on their own goroutine
		n = b.InUse()
		time.Sleep(50 * time.Microsecond)
	}
	others := heapLive() - held
	b.mu.Lock()
	b.collecting = false
	b.next = b.inUse + max(minGrowth, b.inUse, others)
}

// heapLive returns the live heap after the last collection, in bytes.
func heapLive() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(s[0].Value.Uint64())
}

// watch calls trimUnused after the next collection, whatever its cause, and so on while b is in use.
func (b *Buffers) watch() {
	type sentinel struct{ _ [64]byte }
	runtime.AddCleanup(&sentinel{}, func(w weak.Pointer[Buffers]) {
		if b := w.Value(); b != nil {
			b.trimUnused()
			b.watch()
		}
	}, weak.Make(b))
}

// trimUnused drops the idle buffers that were not needed since its last call.
func (b *Buffers) trimUnused() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for class, n := range b.minIdle {
		list := b.free[class]
		if n > 0 {
			b.idle -= int64(n * cap(list[0]))
			kept := copy(list, list[n:])
			clear(list[kept:])
			b.free[class] = list[:kept]
		}
		b.minIdle[class] = len(b.free[class])
	}
	b.next = min(b.next, b.inUse+max(minGrowth, b.inUse))
}
