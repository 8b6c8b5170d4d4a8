//go:build unix

package wheels

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lock creates a folder and locks it for this process, which removes it in the end. It waits for another
// process, after calling waiting once. The system releases the lock when a process ends, however it does.
func lock(ctx context.Context, dir string, waiting func()) (free func(), waited bool, err error) {
	for {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, waited, err
		}
		f, err := os.Open(dir)
		if errors.Is(err, os.ErrNotExist) { // the other has just removed it
			continue
		}
		if err != nil {
			return nil, waited, err
		}
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case err == nil && isAt(f, dir):
			return func() { f.Close() }, waited, nil
		case err == nil: // of a folder that was removed
		case errors.Is(err, syscall.EWOULDBLOCK):
			if !waited {
				waiting()
			}
			waited = true
		case errors.Is(err, syscall.EINTR):
		default:
			f.Close()
			return nil, waited, fmt.Errorf("%s cannot be locked, so that two installations would meet: %w", dir, err)
		}
		f.Close()
		select {
		case <-ctx.Done():
			return nil, waited, context.Cause(ctx)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// isAt reports whether an open folder is the one at a path.
func isAt(f *os.File, path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Stat(path)
	return err == nil && os.SameFile(a, b)
}
