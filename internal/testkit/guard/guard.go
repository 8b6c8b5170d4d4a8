// Package guard provides tests with guarded memory: a loop that reads or writes out of bounds is found at the
// access. On Linux and macOS the adjacent pages are inaccessible; elsewhere the adjacent bytes are compared.
package guard

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/go-nx/nx/internal/mapped"
)

// An Edge is the position of a slice in a region.
type Edge int

// The edges. A slice at an odd address, as arrays in mapped files have, is guarded by comparing the adjacent
// bytes.
const (
	AtStart Edge = iota
	AtEnd
	AtOdd
)

// Edges are the supported edges of this machine.
var Edges = []Edge{AtStart, AtEnd, AtOdd}

func init() {
	if !mapped.AnyAddress {
		Edges = Edges[:AtOdd]
	}
}

// String names the edge.
func (e Edge) String() string {
	return [...]string{"at the start", "at the end", "at an odd address"}[e]
}

// untouched is the content of a region outside of its slice.
const untouched = 0xa5

// A Region is memory for one slice at a time.
type Region struct {
	data []byte // all of it
	used []byte // the last slice
}

// NewRegion returns a region of at least size bytes, which ends with the test.
func NewRegion(tb testing.TB, size int) *Region {
	tb.Helper()
	return &Region{data: pages(tb, size+1)}
}

// Bytes returns size bytes at an edge of the region and fills all others. Slices it
// has returned before are not to be used any longer.
func (r *Region) Bytes(size int, e Edge) []byte {
	for i := range r.data {
		r.data[i] = untouched
	}
	at := 0
	switch e {
	case AtEnd:
		at = len(r.data) - size
	case AtOdd:
		at = 1
	}
	r.used = r.data[at : at+size : at+size]
	return r.used
}

// Check reports a write outside of the last slice.
func (r *Region) Check() error {
	at := int(uintptr(unsafe.Pointer(unsafe.SliceData(r.used))) - uintptr(unsafe.Pointer(unsafe.SliceData(r.data))))
	for i, b := range r.data {
		if (i < at || i >= at+len(r.used)) && b != untouched {
			return fmt.Errorf("guard: byte %d outside of the %d bytes was written", i-at, len(r.used))
		}
	}
	return nil
}

// Copy returns a copy of x at an edge of the region.
func Copy[T any](r *Region, x []T, e Edge) []T {
	var z T
	size := int(unsafe.Sizeof(z))
	b := r.Bytes(len(x)*size, e)
	copy(b, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(b)))
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(x))
}

// Same reports whether two slices hold the same bits.
func Same[T any](x, y []T) bool {
	var z T
	size := int(unsafe.Sizeof(z))
	return bytes.Equal(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*size),
		unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(y))), len(y)*size))
}

// Run calls f and returns its panic, or its touch of memory that it may not touch, as
// an error.
func Run(f func()) (err error) {
	before := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(before)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("guard: %v", p)
		}
	}()
	f()
	return nil
}
