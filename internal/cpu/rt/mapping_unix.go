//go:build unix && !aix && !solaris && !illumos

package rt

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// system are the calls of Unix. macOS on AArch64 accepts them from programs without a hardened runtime, which may make
// anonymous pages executable that are no longer writable.
var system = pages{
	size: unix.Getpagesize,
	alloc: func(size int) ([]byte, error) {
		b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			return nil, fmt.Errorf("rt: code memory of %d bytes: %w", size, err)
		}
		return b, nil
	},
	execute:    func(b []byte) error { return unix.Mprotect(b, unix.PROT_READ|unix.PROT_EXEC) },
	free:       unix.Munmap,
	allocTwice: mapCodeTwice,
	drop:       func(b []byte) error { return unix.Mprotect(b, unix.PROT_NONE) },
}
