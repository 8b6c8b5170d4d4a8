package pjrt

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// FileSystemSize returns the bytes of the file system that a folder is in.
func FileSystemSize(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, fmt.Errorf("%s: %w", dir, err)
	}
	return int64(s.Blocks) * s.Bsize, nil
}
