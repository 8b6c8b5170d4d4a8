package wheels

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// idleTimeout is the maximum time without data from a server.
var idleTimeout = time.Minute

// errIdle is the error of a server that stops sending data.
var errIdle = errors.New("the server sends no data")

// withIdleTimeout returns a context that ends after a timeout without reads through watch, or when stop is
// called.
func withIdleTimeout(ctx context.Context) (watched context.Context, watch func(io.Reader) io.Reader, stop func()) {
	timeout := idleTimeout
	watched, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(timeout, func() { cancel(fmt.Errorf("%w for %v", errIdle, timeout)) })
	watch = func(r io.Reader) io.Reader { return &idleReader{r, timer, timeout} }
	return watched, watch, func() {
		timer.Stop()
		cancel(nil)
	}
}

// idleCause returns the cause of an error that is the end of a context, if that was silence.
func idleCause(watched context.Context, err error) error {
	if cause := context.Cause(watched); err != nil && errors.Is(cause, errIdle) {
		return cause
	}
	return err
}

// idleReader puts the end of silence off with each read.
type idleReader struct {
	io.Reader
	timer   *time.Timer
	timeout time.Duration
}

func (h *idleReader) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	h.timer.Reset(h.timeout)
	return n, err
}
