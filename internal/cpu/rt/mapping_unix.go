//go:build unix && !aix && !solaris && !illumos

package rt

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// mapping is memory for code: written through rw, run and read through rx. Both are the same slice unless the pages are
// mapped twice.
type mapping struct {
	rw, rx []byte
	twice  bool
}

// mapCode returns a mapping of at least size bytes.
func mapCode(size int) (*mapping, error) {
	page := unix.Getpagesize()
	size = (size + page - 1) &^ (page - 1)
	if mapTwice.Load() {
		return mapCodeTwice(size)
	}
	b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("rt: code memory of %d bytes: %w", size, err)
	}
	return &mapping{rw: b, rx: b}, nil
}

// protect makes the bytes of some pages executable and no longer writable.
func (m *mapping) protect(from, to int) error {
	if m.twice {
		// The other mapping is executable from the start. The pages of this one are dropped.
		return unix.Mprotect(m.rw[from:to], unix.PROT_NONE)
	}
	return unix.Mprotect(m.rw[from:to], unix.PROT_READ|unix.PROT_EXEC)
}

// free returns the memory to the system.
func (m *mapping) free() {
	unix.Munmap(m.rx)
	if m.twice {
		unix.Munmap(m.rw)
	}
}
