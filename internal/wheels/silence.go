package wheels

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// longestSilence is how long a server may send nothing.
var longestSilence = time.Minute

// errSilence is the error of a server that sends nothing any more.
var errSilence = errors.New("the server sends nothing")

// whileHeard returns a context that ends when nothing was read for too long of what heard returns, or
// stop is called.
func whileHeard(ctx context.Context) (watched context.Context, heard func(io.Reader) io.Reader, stop func()) {
	longest := longestSilence
	watched, cancel := context.WithCancelCause(ctx)
	silence := time.AfterFunc(longest, func() { cancel(fmt.Errorf("%w for %v", errSilence, longest)) })
	heard = func(r io.Reader) io.Reader { return &heardReader{r, silence, longest} }
	return watched, heard, func() {
		silence.Stop()
		cancel(nil)
	}
}

// silenceOr returns the cause of an error that is the end of a context, if that was silence.
func silenceOr(watched context.Context, err error) error {
	if cause := context.Cause(watched); err != nil && errors.Is(cause, errSilence) {
		return cause
	}
	return err
}

// heardReader puts the end of silence off with each read.
type heardReader struct {
	io.Reader
	silence *time.Timer
	longest time.Duration
}

func (h *heardReader) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	h.silence.Reset(h.longest)
	return n, err
}
