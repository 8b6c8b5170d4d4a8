//go:build unix && !linux && !aix && !solaris && !illumos

package rt

import "errors"

const canMapTwice = false

func mapCodeTwice(int) (*mapping, error) { return nil, errors.ErrUnsupported }
