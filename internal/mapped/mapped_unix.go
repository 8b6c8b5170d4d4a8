//go:build linux || darwin

package mapped

import (
	"errors"
	"os"
	"syscall"
)

func mapFile(f *os.File, size int64) ([]byte, error) {
	if size == 0 || size != int64(int(size)) {
		return nil, errors.ErrUnsupported
	}
	// Private and writable: a program that writes to its argument gets a copy of the page, and does not crash.
	return syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
}

func unmap(data []byte) { _ = syscall.Munmap(data) }
