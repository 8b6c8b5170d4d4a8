package interp

import (
	"math"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// maxTensorBytes limits a single value.
const maxTensorBytes = min(4<<30, math.MaxInt)

// allocating is held from the check of the memory limit to the allocation, so that two allocations do not use
// the same memory.
var allocating sync.Mutex

// allocate returns n zeros, if the memory limit allows.
func allocate(n int64) ([]byte, error) {
	if n < small {
		return make([]byte, n), nil
	}
	allocating.Lock()
	defer allocating.Unlock()
	if err := checkMemory(n); err != nil {
		return nil, err
	}
	return make([]byte, n), nil
}

// small is a number of bytes that is not worth a look at the memory limit.
const small = 1 << 20

// checkMemory reports that n more bytes would take the process beyond the memory limit
// of the Go runtime (GOMEMLIMIT, [debug.SetMemoryLimit]), if it has one: a
// program that is too large is an error then, where the runtime would first
// collect garbage without end and the system kill it at last.
func checkMemory(n int64) error {
	limit := debug.SetMemoryLimit(-1)
	if n < small || limit == math.MaxInt64 || heapBytes() <= limit-n {
		return nil
	}
	runtime.GC() // only live memory counts
	if used := heapBytes(); used > limit-n {
		return faultf(TooLarge, "%d bytes are needed, but %d of the %d that the memory limit allows are in use",
			n, used, limit)
	}
	return nil
}

// heapBytes returns the size of all objects on the heap, garbage included.
func heapBytes() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// checkMemoryFor is checkMemory for the elements of tensors as numbers of T.
func checkMemoryFor[T number](ts ...*Tensor) error {
	n, size := int64(0), int64(reflect.TypeFor[T]().Size())
	for _, t := range ts {
		n += int64(t.numElems()) * size
	}
	return checkMemory(n)
}
