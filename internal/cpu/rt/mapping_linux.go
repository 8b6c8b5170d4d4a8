package rt

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// mapCodeTwice maps the pages of a memory file twice, which systems allow that forbid a page to be writable first and
// executable then (PR_SET_MDWE, SELinux's execmem).
var mapCodeTwice = func(size int) (rw, rx []byte, err error) {
	const executable = 0x10 // MFD_EXEC, since Linux 6.3
	fd, err := unix.MemfdCreate("nx-code", unix.MFD_CLOEXEC|executable)
	if err == unix.EINVAL {
		fd, err = unix.MemfdCreate("nx-code", unix.MFD_CLOEXEC)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("rt: code memory for two mappings: %w", err)
	}
	defer unix.Close(fd)
	if err := unix.Ftruncate(fd, int64(size)); err != nil {
		return nil, nil, fmt.Errorf("rt: code memory of %d bytes for two mappings: %w", size, err)
	}
	rw, err = unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, fmt.Errorf("rt: writable mapping of code memory: %w", err)
	}
	rx, err = unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_SHARED)
	if err != nil {
		unix.Munmap(rw)
		return nil, nil, fmt.Errorf("rt: executable mapping of code memory: %w", err)
	}
	return rw, rx, nil
}
