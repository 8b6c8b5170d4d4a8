//go:build unix && !linux && !aix && !solaris && !illumos

package rt

// mapCodeTwice is nil: the system has no files in memory.
var mapCodeTwice func(size int) (rw, rx []byte, err error)
