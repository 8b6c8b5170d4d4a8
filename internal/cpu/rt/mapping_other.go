//go:build !windows && (!unix || aix || solaris || illumos)

package rt

import "errors"

const canMapTwice = false

type mapping struct{ rw, rx []byte }

func mapCode(int) (*mapping, error) {
	return nil, errors.New("rt: executable memory is not supported on this system")
}

func (m *mapping) protect(int, int) error { return errors.ErrUnsupported }

func (m *mapping) free() {}
