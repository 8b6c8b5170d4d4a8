//go:build !linux

package pjrt

import (
	"fmt"
	"runtime"
)

// FileSystemSize is for Linux, where plugins exchange data through a file system in memory.
func FileSystemSize(dir string) (int64, error) {
	return 0, fmt.Errorf("%s is not there on %s", dir, runtime.GOOS)
}
