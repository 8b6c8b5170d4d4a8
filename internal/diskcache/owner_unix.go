//go:build unix

package diskcache

import (
	"io/fs"
	"os"
	"syscall"
)

// ownedByUser reports whether a file belongs to the user that runs the program.
func ownedByUser(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}

// isAccessibleByOthers reports whether anybody else may read or write.
func isAccessibleByOthers(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }
