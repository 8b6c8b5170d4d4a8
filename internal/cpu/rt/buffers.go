package rt

import (
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// Align is the alignment of every buffer: a cache line, and the widest vector.
const Align = 64

// A MemoryError reports that a buffer would exceed the limit of its [Buffers].
type MemoryError struct {
	Need, InUse int64 // bytes
	Limit       Limit
}

func (e *MemoryError) Error() string {
	text := fmt.Sprintf("out of memory: %s needed, %s in use", Size(e.Need), Size(e.InUse))
	if e.Limit.Bytes >= 0 {
		text += fmt.Sprintf(", of at most %s: %s", Size(e.Limit.Bytes), e.Limit.Source)
	}
	return text
}

// OutOfMemory returns the numbers in bytes.
func (e *MemoryError) OutOfMemory() (needed, inUse, limit int64) {
	return e.Need, e.InUse, e.Limit.Bytes
}

// Size formats a number of bytes: 1.50 GiB.
func Size(n int64) string {
	for i, unit := range []string{"GiB", "MiB", "KiB"} {
		if one := int64(1) << (30 - 10*i); n >= one {
			return fmt.Sprintf("%.2f %s", float64(n)/float64(one), unit)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// Buffers allocates byte buffers and keeps those that are returned for later callers, since fresh memory of some
// megabytes costs more than most kernels. It counts the bytes in use and refuses requests above its limit: a Go program
// that asks the runtime for more memory than the machine has cannot recover.
//
// A nil *Buffers allocates from the Go heap and neither counts nor keeps. The methods are safe for concurrent use.
type Buffers struct {
	mu    sync.Mutex
	limit func(held int64) Limit
	inUse int64
	idle  int64
	peak  int64
	free  [numClasses][][]byte

	next       int64           // bytes in use from which a collection is due
	collecting bool            //
	minIdle    [numClasses]int // minimum number of idle buffers since the last collection
}

// NewBuffers returns buffers that hold at most limit bytes at any time, in use and idle together. A limit of 0 stands
// for [MemoryLimit], queried whenever more memory is needed; below 0 there is no limit.
func NewBuffers(limit int64) *Buffers {
	if limit == 0 {
		return &Buffers{limit: MemoryLimit}
	}
	return &Buffers{limit: func(int64) Limit { return Limit{limit, "the limit of the client"} }}
}

// Get returns a buffer of size bytes, aligned to [Align], with arbitrary content. Its capacity may be larger and
// belongs to the caller too. At the limit it first collects garbage: buffers with unreachable owners are returned by
// cleanups.
func (b *Buffers) Get(size int) ([]byte, error) {
	buf, err := b.get(size)
	for wait := time.Millisecond; err != nil && b.mayReclaim(err) && wait < 20*time.Millisecond; wait *= 2 {
		runtime.GC()
		time.Sleep(wait) // cleanups run on their own goroutine after the collection
		buf, err = b.get(size)
	}
	return buf, err
}

// mayReclaim reports whether a refused buffer would fit if others were returned.
func (b *Buffers) mayReclaim(err error) bool {
	m, ok := err.(*MemoryError)
	return ok && m.InUse > 0 && m.Need <= m.Limit.Bytes
}

func (b *Buffers) get(size int) ([]byte, error) {
	if size < 0 {
		return nil, fmt.Errorf("rt: the size of a buffer must not be negative, got %d", size)
	}
	if b == nil {
		return allocate(size, (size+Align-1)&^(Align-1)), nil
	}
	class, capacity := sizeClass(size)
	if capacity < size || class >= numClasses {
		n := b.InUse()
		return nil, &MemoryError{Need: int64(size), InUse: n, Limit: b.limit(n)}
	}
	b.mu.Lock()
	buf := b.reuse(class, capacity)
	if buf == nil && b.collectionDue(capacity) {
		b.collect()
		buf = b.reuse(class, capacity)
	}
	if buf != nil {
		b.mu.Unlock()
		return buf[:size], nil
	}
	limit := b.limit(b.inUse + b.idle)
	if limit.Bytes >= 0 && int64(capacity) > limit.Bytes-b.inUse-b.idle {
		b.trim()
	}
	if limit.Bytes >= 0 && int64(capacity) > limit.Bytes-b.inUse {
		err := &MemoryError{Need: int64(size), InUse: b.inUse, Limit: limit}
		b.mu.Unlock()
		return nil, err
	}
	b.countOut(capacity)
	b.mu.Unlock()
	return allocate(size, capacity), nil
}

// reuse returns an idle buffer of a class, or nil.
func (b *Buffers) reuse(class, capacity int) []byte {
	list := b.free[class]
	if len(list) == 0 {
		return nil
	}
	buf := list[len(list)-1]
	list[len(list)-1] = nil
	b.free[class] = list[:len(list)-1]
	b.minIdle[class] = min(b.minIdle[class], len(list)-1)
	b.idle -= int64(capacity)
	b.countOut(capacity)
	return buf
}

// countOut counts a buffer of size bytes as in use.
func (b *Buffers) countOut(size int) {
	b.inUse += int64(size)
	b.peak = max(b.peak, b.inUse)
}

// Put returns a buffer from Get, which must not be used any longer.
func (b *Buffers) Put(buf []byte) {
	if b == nil || cap(buf) == 0 {
		return
	}
	capacity := cap(buf)
	class, exact := sizeClass(capacity)
	if exact != capacity {
		panic(fmt.Sprintf("rt: Put must be called with a buffer of Get, got capacity %d", capacity))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inUse -= int64(capacity)
	b.idle += int64(capacity)
	b.free[class] = append(b.free[class], buf[:0])
}

// InUse returns the bytes in use.
func (b *Buffers) InUse() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inUse
}

// Peak returns the maximum of the bytes in use.
func (b *Buffers) Peak() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.peak
}

// Idle returns the bytes kept for later callers.
func (b *Buffers) Idle() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.idle
}

// Trim drops the idle buffers.
func (b *Buffers) Trim() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trim()
}

func (b *Buffers) trim() {
	b.idle = 0
	clear(b.free[:])
	clear(b.minIdle[:])
}

// Sizes are rounded up to four steps per doubling from 64 bytes on: at most a fifth of a large buffer is wasted, and a
// returned buffer fits similar sizes.
const (
	minClassBits = 6
	maxClassBits = 46
	numClasses   = 4 * (maxClassBits - minClassBits)
)

// sizeClass returns the class for size bytes and the capacity of its buffers, a multiple of 64, which is less than size
// if size is too large for any class.
func sizeClass(size int) (class, capacity int) {
	if size <= 4*Align {
		n := max(1, (size+Align-1)/Align)
		return n - 1, n * Align
	}
	// size lies in (4q, 8q] for a power of two q ≥ 64; the steps are q.
	shift := bits.Len(uint(size-1)) - 3
	if shift+3 > maxClassBits {
		return numClasses, 0
	}
	steps := (size-1)>>shift + 1 // 5 to 8
	return 4*(shift-minClassBits) + steps - 1, steps << shift
}

func allocate(size, capacity int) []byte {
	raw := make([]byte, capacity+Align)
	adviseHuge(raw)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(raw))) & (Align - 1))
	return raw[skip : skip+size : skip+capacity]
}

// View reinterprets a buffer's bytes as elements of a type without pointers. It is not inlined: it is called once for
// many elements, in many places, and inlined checks would take 60 KB of code.
//
//go:noinline
func View[T any](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}

// Bytes is the inverse of [View].
func Bytes[T any](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}
