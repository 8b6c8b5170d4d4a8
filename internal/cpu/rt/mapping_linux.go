package rt

import (
	"fmt"

	"golang.org/x/sys/unix"
)

const canMapTwice = true

// mapCodeTwice maps the pages of a file in memory twice, which kernels allow that forbid a
// page to be writable first and executable then (PR_SET_MDWE, SELinux's execmem).
func mapCodeTwice(size int) (*mapping, error) {
	const executable = 0x10 // MFD_EXEC, since Linux 6.3
	fd, err := unix.MemfdCreate("nx-code", unix.MFD_CLOEXEC|executable)
	if err == unix.EINVAL {
		fd, err = unix.MemfdCreate("nx-code", unix.MFD_CLOEXEC)
	}
	if err != nil {
		return nil, fmt.Errorf("rt: memory for code, to be mapped twice: %w", err)
	}
	defer unix.Close(fd)
	if err := unix.Ftruncate(fd, int64(size)); err != nil {
		return nil, fmt.Errorf("rt: memory for %d bytes of code, to be mapped twice: %w", size, err)
	}
	rw, err := unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("rt: memory for code, its writable view: %w", err)
	}
	rx, err := unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_SHARED)
	if err != nil {
		unix.Munmap(rw)
		return nil, fmt.Errorf("rt: memory for code, its executable view: %w", err)
	}
	return &mapping{rw: rw, rx: rx, twice: true}, nil
}
