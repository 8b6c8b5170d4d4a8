//go:build !windows && (!unix || aix || solaris || illumos)

package rt

import (
	"errors"
	"os"
)

// system has no calls: code cannot be run.
var system = pages{
	size: os.Getpagesize,
	alloc: func(int) ([]byte, error) {
		return nil, errors.New("rt: executable memory is not supported on this system")
	},
}
