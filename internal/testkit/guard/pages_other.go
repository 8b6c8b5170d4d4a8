//go:build !linux && !darwin

package guard

import (
	"testing"
	"unsafe"
)

// margin is how many bytes are watched on each side.
const margin = 4096

// pages returns at least size bytes; writes outside of them are found when the test ends.
func pages(tb testing.TB, size int) []byte {
	tb.Helper()
	room := (size + 63) &^ 63
	b := make([]byte, room+2*margin+64)
	b = b[-uintptr(unsafe.Pointer(&b[0]))&63:]
	ends := [][]byte{b[:margin], b[margin+room : 2*margin+room]}
	for _, end := range ends {
		for i := range end {
			end[i] = untouched
		}
	}
	tb.Cleanup(func() {
		for _, end := range ends {
			for _, v := range end {
				if v != untouched {
					tb.Error("guard: memory outside of a region was written")
					return
				}
			}
		}
	})
	return b[margin : margin+room : margin+room]
}
