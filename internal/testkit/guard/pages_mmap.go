//go:build linux || darwin

package guard

import (
	"os"
	"syscall"
	"testing"
)

// pages returns at least size bytes between two pages that may not be touched.
func pages(tb testing.TB, size int) []byte {
	tb.Helper()
	page := os.Getpagesize()
	room := (size + page - 1) / page * page
	b, err := syscall.Mmap(-1, 0, room+2*page, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := syscall.Munmap(b); err != nil {
			tb.Error(err)
		}
	})
	for _, end := range [][]byte{b[:page], b[page+room:]} {
		if err := syscall.Mprotect(end, syscall.PROT_NONE); err != nil {
			tb.Fatal(err)
		}
	}
	return b[page : page+room : page+room]
}
