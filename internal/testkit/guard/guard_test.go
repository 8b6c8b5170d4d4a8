package guard

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// Both sides of a slice are guarded.
func TestRegion(t *testing.T) {
	r := NewRegion(t, 100)
	for _, e := range Edges {
		x := Copy(r, []int32{1, 2, 3}, e)
		if x[0] != 1 || x[2] != 3 || len(x) != 3 {
			t.Errorf("%s: %v", e, x)
		}
		if err := r.Check(); err != nil {
			t.Errorf("%s: %v", e, err)
		}
	}
	x := r.Bytes(8, AtEnd)
	*(*byte)(unsafe.Add(unsafe.Pointer(&x[0]), -1)) = 1
	if err := r.Check(); err == nil || !strings.Contains(err.Error(), "byte -1 ") {
		t.Errorf("a write before the slice: %v", err)
	}
}

func TestPagesMayNotBeTouched(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("this system's pages are not protected: writes are found at the end of a test")
	}
	r := NewRegion(t, 100)
	var sum byte
	for _, e := range []Edge{AtStart, AtEnd} {
		x := r.Bytes(10, e)
		beside := unsafe.Add(unsafe.Pointer(&x[0]), -1)
		if e == AtEnd {
			beside = unsafe.Add(unsafe.Pointer(&x[9]), 1)
		}
		if err := Run(func() { sum += *(*byte)(beside) }); err == nil ||
			!strings.Contains(err.Error(), "invalid memory address") {
			t.Errorf("reading outside of a slice %s: %v", e, err)
		}
		if err := Run(func() { *(*byte)(beside) = sum }); err == nil {
			t.Errorf("writing outside of a slice %s goes unnoticed", e)
		}
	}
}
