//go:build !linux && !darwin

package mapped

import (
	"errors"
	"os"
)

func mapFile(*os.File, int64, int64) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmap([]byte) {}

func sizeOf(*os.File) (int64, error) { return 0, errors.ErrUnsupported }
