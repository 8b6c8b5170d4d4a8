package rt

import (
	"runtime"
	"runtime/metrics"
	"time"
	"weak"
)

// Buffers that nobody refers to come back by cleanups, after a collection. The
// collector alone would run too rarely: to it a buffer is alive until it has come
// back, and one that is idle always is, so its idea of what a program needs would
// double with every cycle. So Buffers collect by themselves when what is out has
// grown as the collector would let a heap grow, and give idle ones back to it that
// were not needed between two collections.

// minGrowth is how much may be handed out afresh between two collections, at least.
const minGrowth = 64 << 20

// collectionDue reports whether room bytes more are reason to collect first.
func (b *Buffers) collectionDue(size int) bool {
	if b.next == 0 { // the first
		b.next = minGrowth
		b.watch()
	}
	return !b.collecting && b.inUse+int64(size) > b.next
}

// collect runs the collector and waits for what it finds to come back. It is
// called, and returns, with the lock held.
func (b *Buffers) collect() {
	b.collecting = true
	held := b.inUse + b.idle
	b.mu.Unlock()
	runtime.GC()
	for n := int64(-1); n != b.InUse(); { // cleanups run on a goroutine of their own
		n = b.InUse()
		time.Sleep(50 * time.Microsecond)
	}
	others := heapLive() - held
	b.mu.Lock()
	b.collecting = false
	b.next = b.inUse + max(minGrowth, b.inUse, others)
}

// heapLive returns what the last collection left, in bytes.
func heapLive() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(s[0].Value.Uint64())
}

// watch calls collected after the next collection, whoever started it, and so on
// as long as b is in use.
func (b *Buffers) watch() {
	type sentinel struct{ _ [64]byte }
	runtime.AddCleanup(&sentinel{}, func(w weak.Pointer[Buffers]) {
		if b := w.Value(); b != nil {
			b.trimUnused()
			b.watch()
		}
	}, weak.Make(b))
}

// trimUnused drops the idle buffers that nobody wanted since it was called last.
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
