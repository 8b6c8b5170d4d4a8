//go:build linux || darwin

package mapped

import (
	"errors"
	"os"
	"syscall"
)

func mapFile(f *os.File, offset, size int64) ([]byte, error) {
	if size == 0 || size != int64(int(size)) {
		return nil, errors.ErrUnsupported
	}
	// Private and writable: a program that writes to its argument gets a copy of the page, and does not crash.
	return syscall.Mmap(int(f.Fd()), offset, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
}

func unmap(data []byte) { _ = syscall.Munmap(data) }

// sizeOf is the size of an open file, without the allocations of Stat.
func sizeOf(f *os.File) (int64, error) {
	var info syscall.Stat_t
	for {
		err := syscall.Fstat(int(f.Fd()), &info)
		if err != syscall.EINTR {
			return info.Size, err
		}
	}
}
